import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { takeWishes } from "./control-files.ts";
import type { PurgeTarget } from "./forget.ts";
import { setPaused } from "./pauses.ts";
import type { Executor } from "./sql.ts";

/** Milliseconds between looks. */
const LOOK_EVERY = 1_000;

/** Grants what the command line leaves in the data folder, until it is disposed. */
export function watchWishes({
  directory,
  database,
  purge,
  log,
}: {
  readonly directory: string;
  readonly database: Executor;
  readonly purge: (target: PurgeTarget) => Promise<unknown>;
  readonly log: Logger;
}): Disposable {
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await takeWishes(directory, async (wish) => {
        if ("purge" in wish) {
          await purge(wish.purge);
          log.info({ repository: wish.purge }, "what was kept of a repository was deleted");
          return;
        }
        const { scope, paused } = wish;
        await setPaused(database, scope, paused);
        log.info({ scope, paused }, "runs were paused or released");
      });
    } catch (error) {
      log.warn({ error: messageOf(error) }, "what the command line asks for could not be done");
    } finally {
      isLooking = false;
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
