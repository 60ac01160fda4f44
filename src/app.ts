import type { Probot } from "probot";
import { messageOf } from "./core/errors.ts";
import type { Logger } from "./core/log.ts";
import type { RunRequest } from "./core/run.ts";
import { goodbyeOf, type Goodbye } from "./triggers/goodbye.ts";
import { isHeard, toGateRequest, toRunRequest, type Identity } from "./triggers/request.ts";

export interface AppOptions {
  /** Who the bot is; rejects while GitHub cannot be asked. */
  readonly identity: () => Promise<Identity>;
  /** Resolves once the request is durable; the same delivery twice makes one run. */
  readonly enqueue: (request: RunRequest) => Promise<unknown>;
  /** Deletes all that is kept of an installation, or of repositories, that are gone. Resolves once that is durable. */
  readonly forget?: (gone: Goodbye) => Promise<unknown>;
  readonly log: Logger;
}

/**
 * Sallyport as a plain Probot app: every webhook becomes a stored request for a run, or an ignored event with its reason in the log. It asks no
 * model, reads no repository and writes nothing. A handler that rejects means that the delivery was not stored.
 */
export function sallyportApp({ identity, enqueue, forget, log }: AppOptions): (app: Probot) => void {
  const store = async (request: RunRequest, about: { readonly delivery: string; readonly event: string }): Promise<void> => {
    const { repository, thread, actor, trigger } = request;
    const run = { ...about, trigger, repo: `${repository.owner}/${repository.name}`, number: thread.number, actor: actor.login };
    try {
      await enqueue(request);
    } catch (error) {
      log.error({ ...run, why: messageOf(error) }, "a request could not be stored");
      throw error;
    }
    log.info(run, "a request was stored");
  };
  return (app) => {
    app.onAny(async ({ id, name, payload }) => {
      const about = { delivery: id, event: name };
      const gone = goodbyeOf(name, payload);
      if (gone !== undefined) {
        await forget?.(gone);
        log.info({ ...about, ...gone }, "what was kept of an installation or of repositories was deleted");
        return;
      }
      if (!isHeard(name, payload)) {
        log.debug(about, "an event that starts nothing was ignored");
        return;
      }
      const who = await identity();
      const request = toRunRequest(name, id, payload, who);
      const beside = toGateRequest(name, id, payload, who);
      if ("ignored" in request) log.info({ ...about, why: request.ignored }, "a delivery was ignored");
      const requests = ["ignored" in request ? undefined : request, beside].filter((one) => one !== undefined);
      await Promise.all(requests.map((one) => store(one, about)));
    });
  };
}
