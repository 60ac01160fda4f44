import { type Logger, silent } from "../core/log.ts";
import { firstAvailable } from "./first-available.ts";
import type { Model } from "./model.ts";
import { type ConfiguredFacts, factsOf } from "./prices.ts";
import { createServerModel, type ServerModelOptions } from "./server-model.ts";

/** What a run's configuration says about its model. */
export interface ModelWish extends ConfiguredFacts {
  /** In the order in which they are tried; the server's own when none is named. */
  readonly model?: readonly string[] | undefined;
}

/** The model that a run asks. One for each run: which of several answered last is remembered in it. */
export type ModelSource = (wish: ModelWish) => Model;

export interface ModelsOptions extends Pick<ServerModelOptions, "api" | "baseUrl" | "apiKey" | "fetch" | "timeoutMs" | "retry"> {
  /** Tried in their order where a run names none. */
  readonly names: readonly string[];
  readonly log?: Logger;
}

/** Where another model stands by, one that is overloaded is not waited for as long: attempts, and milliseconds. */
const WITH_ANOTHER = { attempts: 3, maxWaitMs: 20_000 };

/**
 * The models of one server.
 * @throws {ConfigurationError} from the first use, when the base URL is none.
 */
export function openModels(options: ModelsOptions): ModelSource {
  const { names, log = silent, ...server } = options;
  return ({ model: wanted = [], ...configured }) => {
    const chosen = [...new Set(wanted.length === 0 ? names : wanted)];
    const facts = (name: string) => factsOf(name, configured);
    const models = chosen.map((model, at) => {
      const retry = at < chosen.length - 1 ? { ...WITH_ANOTHER, ...options.retry } : options.retry;
      return createServerModel({ ...server, model, facts, log, ...(retry === undefined ? {} : { retry }) });
    });
    return firstAvailable(models, log);
  };
}
