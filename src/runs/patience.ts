import { SallyportError } from "../core/errors.ts";
import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";
import { isOutage } from "../store/outage.ts";
import type { StoredRun } from "../store/runs.ts";
import { FetchError } from "../workspace/fetch-error.ts";

/** Engine errors (not a run's own failure) after which a run is given up. */
const MOST_FAILURES = 3;
/** Workers that may die with a run before it is taken for the cause. */
const MOST_LOSSES = 10;
/** Tries that find GitHub or the database away: with the pauses between them, somewhat more than the hour of a primary limit. */
const MOST_SETBACKS = 12;
/** With them, the tries at the last words of a run that is given up: a day. */
const MOST_WORDS = 160;
/** Seconds. */
const LONGEST_PAUSE = 600;

const AWAY: readonly GitHubErrorCode[] = ["uncertain", "unreachable", "rate-limited"];

/** What is counted of an engine error: `setback` where GitHub, or the database, is away; it is no fault of the run, nor of this product. */
export type Counted = "failed-attempt" | "setback";

export function countedAs(error: unknown): Counted {
  if (error instanceof GitHubError) return AWAY.includes(error.code) ? "setback" : "failed-attempt";
  return (error instanceof FetchError && error.code === "remote-unreachable") || isOutage(error) ? "setback" : "failed-attempt";
}

/** Whether a run that has met this error is tried again. */
export function isTriedAgain({ failures, setbacks }: StoredRun, counted: Counted): boolean {
  return counted === "setback" ? setbacks + 1 < MOST_SETBACKS : failures + 1 < MOST_FAILURES;
}

/** Why nothing but a run's last words is tried any more; undefined where it may be worked on. */
export function whySpent({ id, failures, setbacks, losses }: StoredRun): SallyportError | undefined {
  if (losses >= MOST_LOSSES) {
    return new SallyportError(`${losses} workers ended while they worked on run ${id}.`, {
      code: "workers-lost",
      hint: "Look into the server's log for what ended them: memory is the usual cause.",
    });
  }
  if (failures < MOST_FAILURES && setbacks < MOST_SETBACKS) return undefined;
  return new SallyportError(`Run ${id} was tried ${failures + Math.min(setbacks, MOST_SETBACKS)} times, and given up.`, {
    code: "given-up",
    hint: "Ask again once GitHub and this server work as usual.",
  });
}

/** Whether last words that failed in this way are tried once more: nothing may say `working` for ever because GitHub had a bad day. */
export function isSaidLater({ setbacks }: StoredRun, error: unknown): boolean {
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return (isLate || countedAs(error) === "setback") && setbacks + 1 < MOST_WORDS;
}

/** Seconds that GitHub asks to be left alone after this error; none where it does not. */
export function askedPause(error: unknown): number {
  return error instanceof GitHubError ? Math.ceil((error.retryInMs ?? 0) / 1000) : 0;
}

/** Seconds before the next try, by the number of tries so far (from 1) and what GitHub asks for. */
export function pauseBefore(tries: number, asked: number): number {
  return Math.max(asked, Math.min(LONGEST_PAUSE, 5 * 3 ** (tries - 1)));
}
