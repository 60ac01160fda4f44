import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchThread } from "../../../../src/gate/secrets/watch-thread.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = { deadlineMs: 8_000, longestMs: 90_000 };

/** A thread of which it is told, of each second by the clock, how many milliseconds it worked and had nothing to do. */
function threadOf(worked: number, rested: number): Worker {
  const of = (share: number): number => (share * performance.now()) / 1000;
  return {
    cpuUsage: async () => ({ user: of(worked) * 900, system: of(worked) * 100 }),
    performance: { eventLoopUtilization: () => ({ idle: of(rested), active: 0, utilization: 0 }) },
  } as unknown as Worker;
}

async function endOf(thread: Worker, afterMs: number): Promise<string | undefined> {
  let why: string | undefined;
  using _watch = watchThread(thread, LIMITS, (reason) => (why = reason));
  await vi.advanceTimersByTimeAsync(afterMs);
  return why;
}

it.each([
  ["that works all the time", 1000, 0],
  ["that waits for something that never comes", 0, 1000],
  ["that does some of both", 400, 600],
])("a thread %s is over at its deadline, and not before", async (_, worked, rested) => {
  expect(await endOf(threadOf(worked, rested), 7_900)).toBeUndefined();
  expect(await endOf(threadOf(worked, rested), 8_200)).toBe("looking for secrets took longer than 8000 ms");
});

it("a thread that gets a tenth of the processor may take ten times as long by the clock", async () => {
  expect(await endOf(threadOf(100, 0), 79_000)).toBeUndefined();
  expect(await endOf(threadOf(100, 0), 80_300)).toBe("looking for secrets took longer than 8000 ms");
});

it.each([
  ["gets no time at all", threadOf(0, 0)],
  ["does not even say what it has used", Object.assign(threadOf(1000, 0), { cpuUsage: () => new Promise<never>(() => {}) })],
])("a thread that %s is over in the end", async (_, thread) => {
  expect(await endOf(thread, 89_000)).toBeUndefined();
  expect(await endOf(thread, 91_000)).toMatch(/came to no end/);
});

it("where the runtime cannot tell what a thread has used, the clock counts", async () => {
  const old = { performance: threadOf(0, 0).performance } as unknown as Worker;
  expect(await endOf(old, 7_900)).toBeUndefined();
  expect(await endOf(old, 8_200)).toBe("looking for secrets took longer than 8000 ms");
});

it("nothing is said of a thread that is not watched any more", async () => {
  let why: string | undefined;
  watchThread(threadOf(1000, 0), LIMITS, (reason) => (why = reason))[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(why).toBeUndefined();
});
