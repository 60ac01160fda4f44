import { AttemptError, messageOf } from "../core/errors.ts";
import { GitHubError } from "../github/errors.ts";
import { isSilent } from "./is-silent.ts";
import type { RunContext } from "./run-context.ts";
import { isWorthAnotherTry } from "./worth-another-try.ts";

/** What people read where the words themselves could not be built. */
export const UNSAID =
  "Something went wrong inside the bot while its last words were put together; its operator finds the reason in the log.";

/**
 * Says a run's last words; where that fails for a reason that nobody has foreseen, `plainly` says at least that the run has ended: what was
 * begun in front of people is never left open.
 * @throws {AttemptError} when the run is another worker's, and {GitHubError} where another try may mend it or nothing can be written at all.
 */
export async function orPlainly<T>(
  { log, signal }: Pick<RunContext, "log" | "signal">,
  say: () => Promise<T>,
  plainly: () => Promise<T>,
): Promise<T> {
  try {
    return await say();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptError || isSilent(error) || (error instanceof GitHubError && isWorthAnotherTry(error))) throw error;
    log.error({ error: messageOf(error) }, "the last words could not be put together; that the run has ended is said without them");
    return plainly();
  }
}
