import type { Logger } from "../core/log.ts";
import { ModelError, type ModelErrorCode } from "./errors.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";

/** What another model may not suffer from. A refused key is the server's, and a refused request would be refused again. */
const UNAVAILABLE: ReadonlySet<string> = new Set<ModelErrorCode>([
  "model-unreachable",
  "model-not-found",
  "model-quota",
  "model-overloaded",
  "model-timeout",
]);

/**
 * Several models as one: asked in their order until one answers. Whoever answered is asked first from then on, so that a run does not wait
 * for an outage again each turn. The answer names the model that gave it.
 * @param models at least one, all on the same server
 */
export function firstAvailable(models: readonly Model[], log: Logger): Model {
  const [first] = models;
  if (first === undefined) throw new TypeError("no model is named");
  if (models.length === 1) return first;
  const windows = models.flatMap(({ contextWindow }) => (contextWindow === undefined ? [] : [contextWindow]));
  const unpriced = models.flatMap((model) => model.unpriced ?? []);
  let from = 0;

  async function complete(request: ModelRequest): Promise<ModelAnswer> {
    const missed: ModelError[] = [];
    for (let at = from; at < models.length; at++) {
      const model = models[at] ?? first;
      if (model === undefined) break;
      try {
        const answer = await model.complete(request);
        from = at;
        return answer;
      } catch (error) {
        if (!(error instanceof ModelError) || !UNAVAILABLE.has(error.code)) throw error;
        request.signal.throwIfAborted();
        missed.push(error);
        log.warn(
          { model: model.name, code: error.code, why: error.message, next: models[at + 1]?.name ?? "none" },
          "a model is unavailable",
        );
      }
    }
    throw noneAvailable(models.slice(from), missed);
  }

  return {
    name: first.name,
    ...(windows.length === 0 ? {} : { contextWindow: Math.min(...windows) }),
    ...(unpriced.length === 0 ? {} : { unpriced }),
    complete,
  };
}

function noneAvailable(models: readonly Model[], missed: readonly ModelError[]): ModelError {
  const last = missed.at(-1);
  if (last === undefined) throw new TypeError("no model was asked");
  if (missed.length === 1) return last;
  const each = missed.map(({ message }, at) => `${models[at]?.name ?? "model"}: ${message.slice(0, 300)}`).join("; ");
  return new ModelError(last.code as ModelErrorCode, `none of the models is available: ${each}`.toWellFormed(), {
    ...(last.hint === undefined ? {} : { hint: last.hint }),
    cause: last,
  });
}
