import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { Operation } from "../../../src/core/operation.ts";
import type { Decision } from "../../../src/core/result.ts";
import { createMarkers } from "../../../src/github/marker.ts";
import { openRunComment, RUN_COMMENT } from "../../../src/runs/run-comment.ts";
import type { Progress, Report } from "../../../src/runs/report.ts";
import type { Submission, SubmitOptions } from "../../../src/runs/submit.ts";
import { policy } from "../text/outgoing/fixtures.ts";
import { mention } from "../store/requests.ts";

const ALLOW: Decision = { verdict: "allow", findings: [] };
const BLOCK: Decision = { verdict: "block", findings: [{ rule: "secrets", severity: "block", why: "a key", fix: "Remove it" }] };
const markers = createMarkers("a secret");
const progress: Progress = { finished: ["authorize"], current: "converse", turn: 1, tokens: 5, elapsedMs: 1000 };
const report: Report = {
  runId: "run-1",
  end: "done",
  summary: "Opened #2.",
  answer: "It adds now.",
  findings: [],
  turns: 3,
  usage: { input: 1, output: 1, cached: 0 },
  elapsedMs: 1000,
  sandbox: "strong",
};

type Answer = (operation: Operation, options: SubmitOptions) => Decision | Promise<Decision>;

/** A run's comment, and every write that was asked for, with its second. */
async function open(answer: Answer = () => ALLOW, earlier: { readonly isThere?: boolean; readonly isTold?: boolean } = {}) {
  const start = Date.now();
  const writes: { readonly second: number; readonly key: string; readonly body: string }[] = [];
  const stopping = new AbortController();
  const submit = async (operation: Operation, options: SubmitOptions): Promise<Submission> => {
    writes.push({ second: (Date.now() - start) / 1000, key: options.key, body: "body" in operation ? operation.body : "" });
    const decision = await answer(operation, options);
    if (decision.verdict !== "allow") return { status: "refused", decision };
    return { status: "done", decision, operation, outcome: { operation: operation.kind, id: 7 } };
  };
  const comment = await openRunComment(
    { runId: "run-1", request: mention(), submit, outgoing: policy, markers, signal: stopping.signal, log: silent, ...earlier },
    progress,
  );
  return { comment, writes, stopping };
}

const seconds = (writes: readonly { readonly second: number }[]): number[] => writes.map(({ second }) => second);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a run's comment", () => {
  test("is written with a plan, under one key, and marked as working", async () => {
    const { writes } = await open();
    expect(writes).toMatchObject([{ key: RUN_COMMENT, body: expect.stringMatching(/^\*\*working\*\*\n\n- \[x\] read the request/) }]);
    expect(markers.read(writes[0]?.body ?? "")).toEqual({ run: "run-1", state: "working" });
  });

  test("that an earlier attempt wrote shows at once how far it is, unless that attempt said the last words as well", async () => {
    const resumed = await open(undefined, { isThere: true });
    resumed.comment.progress(progress);
    await vi.advanceTimersByTimeAsync(100);
    expect(resumed.writes).toHaveLength(2);
    const told = await open(undefined, { isThere: true, isTold: true });
    told.comment.progress(progress);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told.writes).toHaveLength(1);
  });

  test("is edited at most every three seconds, with the latest progress", async () => {
    const { comment, writes } = await open();
    for (let turn = 1; turn <= 70; turn += 1) {
      comment.progress({ ...progress, turn });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(seconds(writes)).toEqual([0, 3, 6]);
    expect(writes[2]?.body).toContain("turn 60");
  });

  test("is edited at most every three seconds when edits take their time", async () => {
    const { comment, writes } = await open(async ({ kind }) => {
      if (kind === "edit-own-comment") await new Promise((resolve) => setTimeout(resolve, 4000));
      return ALLOW;
    });
    for (let step = 0; step < 200; step += 1) {
      comment.progress(progress);
      await vi.advanceTimersByTimeAsync(100);
    }
    const gaps = seconds(writes)
      .slice(1)
      .map((second, index) => second - (seconds(writes)[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
    expect(writes.length).toBeGreaterThan(2);
  });

  test("gets its last words three seconds after the last edit, and nothing after them", async () => {
    const { comment, writes } = await open();
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(3500);
    comment.progress(progress);
    const finished = comment.finish(report);
    await vi.advanceTimersByTimeAsync(10_000);
    await finished;
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seconds(writes)).toEqual([0, 3, 6]);
    expect(markers.read(writes[2]?.body ?? "")).toEqual({ run: "run-1", state: "done" });
  });

  test("of a short run gets its last words at once", async () => {
    const { comment, writes } = await open();
    comment.progress(progress);
    await comment.finish(report);
    expect(seconds(writes)).toEqual([0, 0]);
  });

  test("gets its last words after an edit that is still on its way", async () => {
    const order: string[] = [];
    const { comment } = await open(async ({ kind }, { key }) => {
      if (key === "progress") await new Promise((resolve) => setTimeout(resolve, 5000));
      order.push(key);
      return kind === "comment" ? ALLOW : ALLOW;
    });
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(3100);
    const finished = comment.finish(report);
    await vi.advanceTimersByTimeAsync(10_000);
    await finished;
    expect(order).toEqual([RUN_COMMENT, "progress", "report"]);
  });

  test("that is disposed of shows nothing more, and gives up what is on its way", async () => {
    let signal: AbortSignal | undefined;
    const { comment, writes } = await open((_, options) => ((signal = options.signal), ALLOW));
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(3000);
    expect(signal?.aborted).toBe(false);
    comment.progress(progress);
    comment[Symbol.dispose]();
    expect(signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(writes).toHaveLength(2);
  });

  test("shows no progress that is long past: the process slept, and the run may be another's", async () => {
    const { comment, writes } = await open();
    comment.progress(progress);
    vi.setSystemTime(Date.now() + 60_000);
    await vi.advanceTimersByTimeAsync(3000);
    expect(writes).toHaveLength(1);
  });

  test("that fails to show progress goes on", async () => {
    const { comment, writes } = await open((_, { key }) => (key === "progress" ? Promise.reject(new Error("500")) : ALLOW));
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(3000);
    const finished = comment.finish(report);
    await vi.advanceTimersByTimeAsync(3000);
    await finished;
    expect(writes.map(({ key }) => key)).toEqual([RUN_COMMENT, "progress", "report"]);
  });

  test("does not end while its process stops", async () => {
    const { comment, writes, stopping } = await open();
    comment.progress(progress);
    await vi.advanceTimersByTimeAsync(3000);
    const finished = comment.finish(report);
    stopping.abort(new Error("stopping"));
    await expect(finished).rejects.toThrow("stopping");
    expect(writes).toHaveLength(2);
  });

  test("whose last words cannot be put together says at least how the run has ended", async () => {
    const { comment, writes } = await open();
    const unreadable = Object.defineProperty({ ...report }, "findings", { get: () => undefined, enumerable: true });
    await comment.finish(unreadable);
    expect(writes.at(-1)).toMatchObject({
      key: "report",
      body: expect.stringMatching(/^\*\*done\*\* — Something went wrong inside the bot/),
    });
    expect(markers.read(writes.at(-1)?.body ?? "")).toEqual({ run: "run-1", state: "done" });
  });

  test.each([
    ["the model's words", 1, /^\*\*done\*\* — Opened #2\. The answer itself was held back by the gate\.[\s\S]*\*\*held back\*\* `secrets`/],
    ["ours as well", 2, /^\*\*done\*\* — What there is to say was held back by the gate/],
  ])("ends in its state when the gate holds back %s", async (_, refusals, expected) => {
    let left = refusals;
    const { comment, writes } = await open((_, { key }) => (key === "report" && left-- > 0 ? BLOCK : ALLOW));
    await comment.finish({ ...report, tests: "Tests: hostile", model: "hostile" });
    expect(writes.at(-1)?.body).toMatch(expected);
    expect(writes.at(-1)?.body).not.toMatch(/It adds now|hostile/);
    expect(markers.read(writes.at(-1)?.body ?? "")?.state).toBe("done");
  });

  test("that the gate does not let be written at all is an error", async () => {
    await expect(open(() => BLOCK)).rejects.toThrow(TypeError);
  });
});
