import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import type { RunRequest } from "../../../src/core/run.ts";
import {
  acceptDeliveries,
  forgetRun,
  isUniqueViolation,
  listUnfinished,
  newRunId,
  readRun,
  settle,
  takeForAcceptance,
  takeForWork,
  threadKey,
  type StoredRun,
  type Verdict,
} from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

describe("a run id", () => {
  test("sorts by age and is never the same", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 48 }), fc.integer({ min: 1, max: 1e9 }), (early, later) => {
        const [first, second] = [newRunId(early), newRunId(early + later)];
        expect(first < second).toBe(true);
        expect(first).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
        expect(newRunId(early)).not.toBe(first);
      }),
    );
  });
});

describe("a thread", () => {
  const one = mention({ number: 5 });
  test.each([
    {
      name: "a review thread of a pull request and the pull request",
      other: { ...one, thread: { kind: "pull-request" as const, number: 5, reviewCommentId: 3 } },
      same: true,
    },
    { name: "two issues", other: { ...one, thread: { kind: "issue" as const, number: 6 } }, same: false },
    { name: "the same number in two repositories", other: { ...one, repository: { ...one.repository, id: 43 } }, same: false },
    { name: "a repository before and after a rename", other: { ...one, repository: { ...one.repository, name: "basket" } }, same: true },
  ])("is one for $name: $same", ({ other, same }) => {
    expect(threadKey(other) === threadKey(one)).toBe(same);
  });
});

describeOnDatabases("stored runs", ({ database, clear }) => {
  beforeEach(clear);

  async function accept(request: RunRequest = mention()): Promise<string> {
    const [answer] = await acceptDeliveries(database(), [request]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    return answer.runId;
  }

  async function letIn(request?: RunRequest): Promise<string> {
    const id = await accept(request);
    await settle(database(), taken(await takeForAcceptance(database(), id)), { kind: "accepted" });
    return id;
  }

  function taken(answer: Awaited<ReturnType<typeof takeForWork>>): StoredRun {
    if (answer.status !== "taken") throw new Error(answer.status);
    return answer.run;
  }

  test("a new one is queued, was taken by nobody, and holds the whole request", async () => {
    const request = mention({ number: 12 });
    const id = await accept(request);
    expect(await readRun(database(), id)).toEqual({
      id,
      request,
      thread: "42#12",
      state: "queued",
      attempt: 0,
      failures: 0,
      setbacks: 0,
      losses: 0,
      acceptedAt: undefined,
      createdAt: expect.any(Date),
    });
  });

  test("texts come back as they were, whatever they hold", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), async (title, text) => {
        const request = mention({ title: `${title}\u0000\ud800"\\u0000`, text });
        expect((await readRun(database(), await accept(request)))?.request).toEqual(request);
      }),
      { numRuns: 30 },
    );
  });

  test("a delivery that is there already makes no second run, in the same call or a later one", async () => {
    const [one, two] = [mention(), mention()];
    const first = await acceptDeliveries(database(), [one, two, { ...one, text: "again" }]);
    expect(first.map(({ status }) => status)).toEqual(["accepted", "accepted", "duplicate"]);
    expect(await acceptDeliveries(database(), [two, one])).toEqual([{ status: "duplicate" }, { status: "duplicate" }]);
    expect((await listUnfinished(database())).map(({ request }) => request)).toEqual([one, two]);
  });

  test("a delivery whose transaction is rolled back is not known", async () => {
    const request = mention();
    const failing = database().transaction(async (tx) => {
      await acceptDeliveries(tx, [request]);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await acceptDeliveries(database(), [request])).toEqual([{ status: "accepted", runId: expect.any(String) }]);
  });

  test("each take is a new attempt, and a run found working has lost a worker", async () => {
    const id = await letIn();
    expect(taken(await takeForWork(database(), id))).toMatchObject({ attempt: 2, state: "working", losses: 0 });
    expect(taken(await takeForWork(database(), id))).toMatchObject({ attempt: 3, state: "working", losses: 1 });
  });

  test.each([
    { name: "is unknown", prepare: () => Promise.resolve("nobody"), first: "gone", work: "gone" },
    { name: "was not let in", prepare: () => accept(), first: "taken", work: "gone" },
    { name: "was let in", prepare: () => letIn(), first: "gone", work: "taken" },
    {
      name: "has ended",
      prepare: async () => {
        const id = await letIn();
        await settle(database(), taken(await takeForWork(database(), id)), { kind: "ended", state: "done" });
        return id;
      },
      first: "gone",
      work: "gone",
    },
  ])("one that $name is $first for its first step and $work for work", async ({ prepare, first, work }) => {
    expect((await takeForWork(database(), await prepare())).status).toBe(work);
    expect((await takeForAcceptance(database(), await prepare())).status).toBe(first);
  });

  test("those of one thread work one at a time, in the order of their deliveries", async () => {
    const early = await accept();
    const late = await letIn();
    const elsewhere = await letIn(mention({ number: 2 }));
    expect((await takeForWork(database(), late)).status).toBe("busy");
    expect((await takeForWork(database(), elsewhere)).status).toBe("taken");
    await settle(database(), taken(await takeForAcceptance(database(), early)), { kind: "accepted" });
    const working = taken(await takeForWork(database(), early));
    expect((await takeForWork(database(), late)).status).toBe("busy");
    await settle(database(), working, { kind: "released" });
    expect((await takeForWork(database(), late)).status).toBe("busy");
    await settle(database(), taken(await takeForWork(database(), early)), { kind: "ended", state: "failed" });
    expect((await takeForWork(database(), late)).status).toBe("taken");
  });

  test("the database itself refuses a second working run of a thread", async () => {
    await letIn();
    await letIn();
    const error: unknown = await database()
      .query("update sallyport.runs set state = 'working'")
      .catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error)).toBe(true);
  });

  const verdicts: { readonly verdict: Verdict; readonly after: object }[] = [
    { verdict: { kind: "accepted" }, after: { state: "working", acceptedAt: expect.any(Date), attempt: 2, failures: 0 } },
    { verdict: { kind: "ended", state: "blocked" }, after: { state: "blocked", attempt: 2, failures: 0 } },
    { verdict: { kind: "released" }, after: { state: "queued", attempt: 3, failures: 0 } },
    { verdict: { kind: "failed-attempt" }, after: { state: "queued", attempt: 3, failures: 1 } },
  ];
  test.each(verdicts)(
    "the verdict $verdict.kind counts when the current attempt gives it, and never otherwise",
    async ({ verdict, after }) => {
      const id = await letIn();
      const run = taken(await takeForWork(database(), id));
      await expect(settle(database(), { id, attempt: run.attempt - 1 }, verdict)).rejects.toThrow(StaleAttemptError);
      // The clock is known to who takes it, and stored nowhere.
      expect(await readRun(database(), id)).toEqual({ ...run, clockAheadMs: undefined });
      await settle(database(), run, verdict);
      expect(await readRun(database(), id)).toMatchObject(after);
    },
  );

  test.each(verdicts)("nothing changes after the end: $verdict.kind", async ({ verdict }) => {
    const run = taken(await takeForWork(database(), await letIn()));
    await settle(database(), run, { kind: "ended", state: "done" });
    await expect(settle(database(), run, verdict)).rejects.toThrow(StaleAttemptError);
    expect((await readRun(database(), run.id))?.state).toBe("done");
  });

  test("a forgotten one is gone, its delivery is not; an older attempt forgets nothing", async () => {
    const request = mention();
    const run = taken(await takeForAcceptance(database(), await accept(request)));
    await expect(forgetRun(database(), { id: run.id, attempt: 0 })).rejects.toThrow(StaleAttemptError);
    await forgetRun(database(), run);
    expect(await readRun(database(), run.id)).toBeUndefined();
    expect(await acceptDeliveries(database(), [request])).toEqual([{ status: "duplicate" }]);
  });
});
