import type { Worker } from "node:worker_threads";

/** What a thread may take for one question, in milliseconds. */
export interface ThreadLimits {
  /** Of work and of rest: time in which it waits for the processor does not count. */
  readonly deadlineMs: number;
  /** By the clock, whatever the machine was busy with. */
  readonly longestMs: number;
}

/** Between two looks at least, in milliseconds: each interrupts the thread. */
const LEAST_PAUSE_MS = 50;

/**
 * Calls `end` once, with the reason, when a thread has used up its time; until it is disposed. On a machine that does much else a thread gets
 * the processor late, and a deadline by the clock would hold back what is harmless.
 */
export function watchThread(worker: Worker, { deadlineMs, longestMs }: ThreadLimits, end: (why: string) => void): Disposable {
  const before = spentBy(worker);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  };
  const finish = (why: string): void => {
    if (isOver) return;
    stop();
    end(why);
  };
  const look = async (): Promise<void> => {
    const used = (await spentBy(worker)) - (await before);
    if (used >= deadlineMs) finish(`looking for secrets took longer than ${deadlineMs} ms`);
    else if (!isOver) timer = setTimeout(() => void look(), Math.max(LEAST_PAUSE_MS, deadlineMs - used));
  };
  timer = setTimeout(() => void look(), deadlineMs);
  // A thread that cannot even be asked is ended by this one.
  const last = setTimeout(() => finish("looking for secrets came to no end, however long it was waited for"), longestMs);
  return { [Symbol.dispose]: stop };
}

/** Milliseconds that a thread has worked, or had nothing to do; by the clock where the runtime cannot tell. 0 for one that only starts. */
async function spentBy(worker: Worker): Promise<number> {
  // Node has it since 24.6.
  if (typeof worker.cpuUsage !== "function") return performance.now();
  const { idle } = worker.performance.eventLoopUtilization();
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000 + idle;
}
