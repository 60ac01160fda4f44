/** Longest wait that a timer takes, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Stops the clock. */
  clear(): void;
}

/** A point in time `ms` milliseconds from now; one that has passed is aborted from the start. */
export function startDeadline(ms: number): Deadline {
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException("The run's time is used up.", "TimeoutError"));
  if (ms <= 0) end();
  const timer = ms <= 0 ? undefined : setTimeout(end, Math.min(ms, LONGEST_TIMER));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
