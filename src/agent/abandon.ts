export type Settled<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/**
 * Waits for a promise, but after the signal has aborted only `graceMs` longer: what ignores its signal is left alone.
 * A rejection before that passes through; a later one is dropped.
 */
export async function orAbandon<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<Settled<T>> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const abandoned = new Promise<Settled<T>>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve({ done: false }), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise.then((value): Settled<T> => ({ done: true, value })), abandoned]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}
