/** Parts of a deadline; each is counted by a timer of its own. */
const TICKS = 10;
/** How many times its deadline a rule's answer may take by the clock where the processor was given to others meanwhile. */
const MOST_STARVED = 6;

/**
 * Rejects when the work takes longer than `deadlineMs`; what it does then is no longer looked at. A timer that comes late counts for the time that
 * it was set to: what the machine, or this thread, was busy with besides is not the work's fault.
 */
export async function withinDeadline<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (left: number): void => {
      const then = (): void => (left > 1 ? wait(left - 1) : reject(new Error(`took longer than ${deadlineMs} ms`)));
      timer = setTimeout(then, deadlineMs / TICKS);
    };
    wait(TICKS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether more than `deadlineMs` (milliseconds) have gone by since this was made: of this thread's processor time, or far more by the clock. */
export function workClock(): { isOver(deadlineMs: number): boolean } {
  const [began, used] = [performance.now(), process.threadCpuUsage()];
  return {
    isOver(deadlineMs) {
      const { user, system } = process.threadCpuUsage(used);
      return (user + system) / 1000 > deadlineMs || performance.now() - began > MOST_STARVED * deadlineMs;
    },
  };
}
