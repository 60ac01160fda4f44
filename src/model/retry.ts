import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../core/log.ts";
import { ModelError, type ModelErrorCode } from "./errors.ts";

/** A failed attempt, judged. */
export interface Failure {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly cause?: unknown;
  /** Attempts this kind of failure is worth in all; 1 when asking again would not help. */
  readonly worth: number;
  /** When the server said to come back. A firm wait is kept or not waited at all; another is shortened to what is left. */
  readonly wait?: { readonly ms: number; readonly firm: boolean };
}

export interface RetryOptions {
  /** Attempts in all. */
  readonly attempts: number;
  /** Milliseconds of waiting per request, all pauses together. */
  readonly maxWaitMs: number;
  /** Milliseconds before the second attempt; doubled for each further one, with jitter between half and the whole. */
  readonly baseMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** In [0, 1). */
  readonly random: () => number;
}

export const RETRY: RetryOptions = {
  attempts: 5,
  maxWaitMs: 300_000,
  baseMs: 500,
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

const LONGEST_BACKOFF = 20_000;
/** A reset that a server only mentions is waited for no longer than this, in milliseconds. */
const LONGEST_HINT = 60_000;

/**
 * Runs `attempt` until it answers, its failure is final, or attempts or waiting are used up. `until` (milliseconds since the epoch) ends all
 * waiting.
 * @throws {ModelError} then; the signal's reason when that aborts.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  judge: (thrown: unknown) => Failure,
  { retry, signal, log, until = Number.POSITIVE_INFINITY }: Bounds,
): Promise<T> {
  let waited = 0;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    let failure: Failure;
    try {
      return await attempt();
    } catch (thrown) {
      signal.throwIfAborted();
      failure = judge(thrown);
    }
    const left = Math.min(retry.maxWaitMs - waited, until - Date.now());
    const pause = pauseBefore(tries + 1, failure, left, retry);
    if (tries >= Math.min(retry.attempts, failure.worth) || pause === undefined) throw modelError(failure, tries, Math.max(0, left));
    log.warn({ code: failure.code, why: failure.message, tries, pause }, "the model did not answer; trying again");
    await retry.sleep(pause, signal);
    waited += pause;
  }
}

interface Bounds {
  readonly retry: RetryOptions;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly until?: number | undefined;
}

function pauseBefore(attempt: number, { wait }: Failure, left: number, { baseMs, random }: RetryOptions): number | undefined {
  if (left <= 0 || (wait?.firm && wait.ms > left)) return undefined;
  const backoff = Math.min(LONGEST_BACKOFF, baseMs * 2 ** (attempt - 2)) * (0.5 + random() / 2);
  const asked = wait === undefined ? 0 : wait.firm ? wait.ms : Math.min(wait.ms, LONGEST_HINT);
  return Math.min(left, Math.max(asked, backoff));
}

function modelError({ code, message, hint, cause, wait, worth }: Failure, tries: number, left: number): ModelError {
  const tooLong =
    worth > 1 && wait?.firm && wait.ms > left
      ? `; it asks to wait ${Math.ceil(wait.ms / 1000)} s, longer than the ${Math.floor(left / 1000)} s that are left to wait`
      : "";
  const said = `${message}${tooLong}${tries > 1 ? ` (tried ${tries} times)` : ""}`;
  return new ModelError(code, said, { ...(hint === undefined ? {} : { hint }), ...(cause === undefined ? {} : { cause }) });
}

/**
 * How long a refused request should wait, from its response headers. `now` in milliseconds since the epoch, for dates.
 * Sources: RFC 9110 10.2.3 (`retry-after`), https://platform.openai.com/docs/guides/rate-limits (`x-ratelimit-reset-*`).
 */
export function waitOf(headers: Headers, now: number): Failure["wait"] {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (exact >= 0) return { ms: exact, firm: true };
  const after = headers.get("retry-after")?.trim() ?? "";
  const seconds = /^\d+(\.\d+)?$/.test(after) ? Number(after) : Number.NaN;
  if (seconds >= 0) return { ms: seconds * 1000, firm: true };
  const date = Date.parse(after);
  if (Number.isFinite(date)) return { ms: Math.max(0, date - now), firm: true };
  const resets = ["requests", "tokens"]
    .filter((of) => headers.get(`x-ratelimit-remaining-${of}`)?.trim() === "0")
    .map((of) => duration(headers.get(`x-ratelimit-reset-${of}`), now));
  const known = [...resets, duration(headers.get("x-ratelimit-reset"), now)].filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : { ms: Math.max(...known), firm: false };
}

/** `1s`, `6m0s`, `20ms`, plain seconds, or a point in time (seconds or milliseconds since the epoch), as milliseconds from now. */
function duration(text: string | null, now: number): number | undefined {
  const plain = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(plain)) {
    const value = Number(plain);
    if (value > 1e11) return Math.max(0, value - now);
    return value > 1e9 ? Math.max(0, value * 1000 - now) : value * 1000;
  }
  const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(plain)) return undefined;
  let total = 0;
  for (const [, value, unit] of plain.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) total += Number(value) * (UNITS[unit ?? ""] ?? 0);
  return total;
}
