import { beforeEach, expect, test } from "vitest";
import type { PullPin, RunRequest } from "../../../src/core/run.ts";
import { lastReviewed, otherReviews, overtakeReviews } from "../../../src/store/reviews.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { acceptDeliveries, readRun, settle, takeForAcceptance, takeForWork, threadKey } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const [A, B, C] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)] as const;
const pull = (headSha: string): PullPin => {
  return { number: 1, headRef: "topic", headSha, baseRef: "trunk", baseSha: "d".repeat(40), sameRepository: true, ownPull: false };
};
const thread = { kind: "pull-request", number: 1 } as const;
const unasked = (headSha: string, more: Partial<RunRequest> = {}): RunRequest =>
  mention({ trigger: "review", unasked: true, quiet: true, thread, pull: pull(headSha), ...more });
/** Asked by a command: which head it is about is read when it is let in. */
const asked = (): RunRequest => mention({ trigger: "review", thread });
const KEY = threadKey(asked());

describeOnDatabases("the reviews of a pull request", ({ database, clear }) => {
  beforeEach(clear);

  async function made(request: RunRequest): Promise<string> {
    const [answer] = await acceptDeliveries(database(), [request]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    return answer.runId;
  }
  /** Let in for a head, as its journal has it. */
  async function letIn(request: RunRequest, head: string): Promise<string> {
    const id = await made(request);
    const taken = await takeForAcceptance(database(), id);
    if (taken.status !== "taken") throw new Error(taken.status);
    const pin = { commit: head, base: { ref: "trunk", sha: "d".repeat(40) }, pull: pull(head) };
    await appendRow(database(), {
      run: taken.run,
      sequence: 1,
      entry: { kind: "phase", phase: "authorize", result: { pin, profile: "read" } },
    });
    await settle(database(), taken.run, { kind: "accepted" });
    return id;
  }
  async function ended(request: RunRequest, head: string, state: "done" | "failed" = "done", unread?: readonly string[]): Promise<string> {
    const id = await letIn(request, head);
    const taken = await takeForWork(database(), id);
    if (taken.status !== "taken") throw new Error(taken.status);
    const result = { end: state, at: 1, ...(unread === undefined ? {} : { unread }) };
    await appendRow(database(), { run: taken.run, sequence: 2, entry: { kind: "phase", phase: "report", result } });
    await settle(database(), taken.run, { kind: "ended", state });
    return id;
  }

  test("are told with their heads, those that were asked for too, oldest first; nothing else of the thread is", async () => {
    const first = await ended(unasked(A), A);
    await made(mention({ thread }));
    await made(unasked(C, { thread: { kind: "pull-request", number: 2 } }));
    await made(unasked(C, { mergeGroup: { headSha: C } }));
    const own = await made(unasked(B));
    const second = await letIn(asked(), B);
    const third = await made(asked());
    expect(await otherReviews(database(), KEY, own)).toEqual([
      { id: first, state: "done", head: A, isNewer: false, isAsked: false },
      { id: second, state: "queued", head: B, isNewer: true, isAsked: true },
      { id: third, state: "queued", head: undefined, isNewer: true, isAsked: true },
    ]);
  });

  test("are overtaken where they are older, unasked and not ended, each once", async () => {
    const done = await ended(unasked(A), A);
    const older = await letIn(unasked(A), A);
    const someones = await letIn(asked(), A);
    const own = await made(unasked(B));
    const newer = await made(unasked(C));
    const overtake = () => overtakeReviews(database(), { thread: KEY, run: own, head: B });
    expect(await overtake()).toEqual([older]);
    expect(await overtake()).toEqual([]);
    const endings = await Promise.all([done, older, someones, own, newer].map(async (id) => (await readRun(database(), id))?.ending));
    expect(endings).toEqual([undefined, { kind: "overtaken", head: B }, undefined, undefined, undefined]);
  });

  test("leave nothing unread where nothing was", async () => {
    await ended(unasked(A), A);
    expect(await lastReviewed(database(), KEY, await made(unasked(B)))).toEqual({ pull: pull(A), unread: [] });
  });

  test("leave the last head that was reviewed to the end, whoever asked, and what of it was not read", async () => {
    const first = await ended(unasked(A), A);
    expect(await lastReviewed(database(), KEY, first)).toBeUndefined();
    await ended(asked(), B, "done", ["big.ts"]);
    await ended(unasked(C), C, "failed");
    const own = await made(unasked(C));
    expect(await lastReviewed(database(), KEY, own)).toEqual({ pull: pull(B), unread: ["big.ts"] });
    expect(await lastReviewed(database(), `${KEY}0`, own)).toBeUndefined();
  });
});
