import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { silent } from "../../../src/core/log.ts";
import { createLane, type Lane } from "../../../src/runs/lane.ts";
import type { Claim, Queue } from "../../../src/runs/queue.ts";

const STOP = new Error("stopping");

/** A queue of job ids, and a lane whose jobs end when told. */
function setUp(limit: number) {
  const waiting: string[] = [];
  const lost = new Set<string>();
  const begun: string[] = [];
  const signals = new Map<string, AbortSignal>();
  const finish = new Map<string, () => void>();
  const state = { isAway: false };
  const queue: Pick<Queue, "claim" | "touch"> = {
    claim: (_lane, room) => {
      if (state.isAway) return Promise.reject(new Error("away"));
      return Promise.resolve(waiting.splice(0, room).map((id): Claim => ({ id, retryCount: 0, runId: `run-${id}` })));
    },
    touch: (_lane, claims) => {
      if (state.isAway) return Promise.reject(new Error("away"));
      return Promise.resolve(new Set(claims.map(({ id }) => id).filter((id) => !lost.has(id))));
    },
  };
  const lane: Lane = createLane({
    name: "runs",
    queue: queue as Queue,
    limit,
    pollEvery: 500,
    log: silent,
    perform: ({ id }, signal) => {
      begun.push(id);
      signals.set(id, signal);
      return new Promise((resolve) => finish.set(id, resolve));
    },
  });
  return { lane, waiting, lost, begun, signals, state, end: (id: string) => finish.get(id)?.() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settled = () => vi.advanceTimersByTimeAsync(0);

describe("a lane", () => {
  test("has at most its limit at work, and takes the next when one ends", async () => {
    const { lane, waiting, begun, end } = setUp(2);
    waiting.push("a", "b", "c", "d");
    lane.start();
    await settled();
    expect(begun).toEqual(["a", "b"]);
    end("a");
    await settled();
    expect(begun).toEqual(["a", "b", "c"]);
  });

  test("takes a job when it is woken, and one that nobody announced when it looks by itself", async () => {
    const { lane, waiting, begun } = setUp(5);
    lane.start();
    await settled();
    waiting.push("a");
    lane.wake();
    await settled();
    expect(begun).toEqual(["a"]);
    waiting.push("b");
    await vi.advanceTimersByTimeAsync(600);
    expect(begun).toEqual(["a", "b"]);
  });

  test("hears a wake that comes the moment a look ends", async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const { lane, waiting, begun } = setUp(5);
      lane.wake();
      for (let wait = 0; wait < turns; wait += 1) await Promise.resolve();
      waiting.push("a");
      lane.wake();
      await settled();
      expect(begun).toEqual(["a"]);
    }
  });

  test("goes on when the queue is back after an outage, and aborts nothing meanwhile", async () => {
    const { lane, waiting, begun, signals, state } = setUp(5);
    waiting.push("a");
    lane.start();
    await settled();
    state.isAway = true;
    waiting.push("b");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(signals.get("a")?.aborted).toBe(false);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(600);
    expect(begun).toEqual(["a", "b"]);
  });

  test("tells a job that was taken away, and no other", async () => {
    const { lane, waiting, lost, signals } = setUp(5);
    waiting.push("a", "b");
    lane.start();
    await settled();
    lost.add("a");
    await vi.advanceTimersByTimeAsync(4_000);
    expect(signals.get("a")?.reason).toBeInstanceOf(StaleAttemptError);
    expect(signals.get("b")?.aborted).toBe(false);
  });

  test("that stops takes nothing more, aborts what runs, and answers what does not end in time", async () => {
    const { lane, waiting, begun, signals, end } = setUp(5);
    waiting.push("a", "b");
    lane.start();
    await settled();
    const stopping = lane.stop(STOP, 1_000);
    waiting.push("c");
    lane.wake();
    end("a");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await stopping).toEqual([{ id: "b", retryCount: 0, runId: "run-b" }]);
    expect(signals.get("b")?.reason).toBe(STOP);
    expect(begun).toEqual(["a", "b"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
