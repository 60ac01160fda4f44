import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withinDeadline } from "../../../src/gate/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => {});

it("work that does not end is given up at its deadline, and not before", async () => {
  let why = "";
  const work = withinDeadline(never, 10_000).catch((error: Error) => (why = error.message));
  await vi.advanceTimersByTimeAsync(9_990);
  expect(why).toBe("");
  await vi.advanceTimersByTimeAsync(20);
  await work;
  expect(why).toBe("took longer than 10000 ms");
});

it("time in which this thread could not look at its timers does not count", async () => {
  let answer: (value: string) => void = () => {};
  const work = withinDeadline(() => new Promise<string>((resolve) => (answer = resolve)), 10_000);
  // The clock goes on by a minute, and no timer had its turn: a stopped process, or a machine that did something else.
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(1_500);
  answer("in time");
  expect(await work).toBe("in time");
});

it("what the work rejects with is passed on", async () => {
  await expect(withinDeadline(() => Promise.reject(new Error("no source")), 1000)).rejects.toThrow("no source");
});
