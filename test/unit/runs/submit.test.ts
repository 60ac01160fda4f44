import { describe, expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { silent } from "../../../src/core/log.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Comment, Operation } from "../../../src/core/operation.ts";
import type { Finding } from "../../../src/core/result.ts";
import type { Gate, Judgement } from "../../../src/gate/gate.ts";
import type { GitHubSession } from "../../../src/github/client.ts";
import { createMarkers } from "../../../src/github/marker.ts";
import { onceWith } from "../../../src/runs/once.ts";
import { createSubmit, stepKey } from "../../../src/runs/submit.ts";

const comment: Comment = {
  kind: "comment",
  repository: { id: 1, owner: "acme", name: "widgets" },
  thread: { kind: "issue", number: 1 },
  body: "hello",
};
const WARNING: Finding = { rule: "size", severity: "warn", why: "much", fix: "Look" };

/** A way out whose gate and GitHub tell what came to them. */
function wayOut(judge: (operation: Operation) => readonly Finding[] = () => [], signal = new AbortController().signal) {
  const journal = memoryJournal();
  const seen: string[] = [];
  const gate: Gate = {
    judgeWrite: () => Promise.reject(new Error("not here")),
    judge(unfinished, _, annotate): Promise<Judgement> {
      const operation = annotate?.(unfinished, judge(unfinished)) ?? unfinished;
      const findings = judge(operation);
      seen.push(`judge ${"body" in operation ? operation.body : operation.kind}`);
      if (findings.some(({ severity }) => severity === "block")) return Promise.resolve({ decision: { verdict: "block", findings } });
      const mint = (request: { method: string; path: string; body: string }) => {
        seen.push(`mint ${request.method} ${request.path} ${request.body}`);
        return { id: "pass", runId: "run-1", method: request.method, path: request.path, bodyDigest: "" };
      };
      return Promise.resolve({ decision: { verdict: "allow", findings }, operation, mint });
    },
  };
  const session = {
    address: { baseUrl: "http://github.test", graphqlUrl: "http://github.test/graphql" },
    log: silent,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    renews: false,
    token: () => Promise.resolve("token"),
    octokit: { request: () => Promise.resolve({ status: 201, headers: {}, data: { id: 7 } }) },
  } as unknown as GitHubSession;
  const view = { id: "run-1", repository: { owner: "acme", name: "widgets" }, trigger: "mention" } as const;
  const out = createSubmit({
    gate,
    session,
    journal,
    once: onceWith(journal),
    markers: createMarkers("secret"),
    view,
    signal,
    since: new Date(0),
  });
  return { ...out, journal, seen };
}

describe("the way out of a run", () => {
  test("judges, records the decision, then the intent, then sends", async () => {
    const { submit, journal, seen } = wayOut();
    expect(await submit(comment, { key: "call-1" })).toMatchObject({ status: "done", outcome: { id: 7 } });
    expect(seen).toEqual(["judge hello", 'mint POST /repos/acme/widgets/issues/1/comments {"body":"hello"}']);
    expect(journal.entries.map((entry) => [entry.kind, "key" in entry && entry.key])).toEqual([
      ["decision", "call-1"],
      ["intent", "call-1/comment"],
      ["outcome", "call-1/comment"],
    ]);
  });

  test("sends nothing of what is held back, and records why", async () => {
    const { submit, journal, seen } = wayOut(() => [{ ...WARNING, severity: "block" }]);
    expect(await submit(comment, { key: "call-1" })).toMatchObject({ status: "refused", decision: { verdict: "block" } });
    expect(seen).toEqual(["judge hello"]);
    expect(journal.entries.map(({ kind }) => kind)).toEqual(["decision"]);
  });

  test("sends what the gate's words were worked into", async () => {
    const { submit, seen } = wayOut(({ kind }) => (kind === "comment" ? [WARNING] : []));
    await submit(comment, { key: "call-1", annotate: (operation) => ({ ...operation, body: "hello, with a warning" }) as Operation });
    expect(seen).toEqual(["judge hello, with a warning", expect.stringContaining("with a warning")]);
  });

  test("does under one key what it has done before no second time", async () => {
    const { submit, seen } = wayOut();
    await submit(comment, { key: "call-1" });
    expect(await submit({ ...comment, body: "other words" }, { key: "call-1" })).toMatchObject({ outcome: { id: 7 } });
    expect(seen.filter((line) => line.startsWith("mint"))).toHaveLength(1);
    await submit(comment, { key: "call-2" });
    expect(seen.filter((line) => line.startsWith("mint"))).toHaveLength(2);
  });

  test("says which submission is being judged, progress aside", async () => {
    const keys: (string | undefined)[] = [];
    const out = wayOut(() => (keys.push(out.submitting()), []));
    await out.submit(comment, { key: "call-1" });
    await out.submit(comment, { key: "progress", unrecorded: true });
    expect(keys).toEqual(["call-1", "call-1"]);
    expect(out.journal.entries.some((entry) => "key" in entry && entry.key.startsWith("progress"))).toBe(false);
  });

  test("sends no progress once another worker has taken the run", async () => {
    const { submit, journal, seen } = wayOut();
    journal.assertCurrent = () => Promise.reject(new StaleAttemptError("run-1", 1));
    await expect(submit(comment, { key: "progress", unrecorded: true })).rejects.toThrow(StaleAttemptError);
    expect(seen).toEqual(["judge hello"]);
  });

  test.each(["the run's", "its own"])("does nothing at all once %s signal has aborted", async (whose) => {
    const aborted = AbortSignal.abort(new Error("stopping"));
    const { submit, journal, seen } = wayOut(() => [], whose === "the run's" ? aborted : undefined);
    await expect(submit(comment, { key: "call-1", ...(whose === "its own" ? { signal: aborted } : {}) })).rejects.toThrow("stopping");
    expect([...seen, ...journal.entries]).toEqual([]);
  });
});

test.each([
  ["open-pull-request/branch", "k/branch"],
  ["commit/commit", "k/commit"],
  ["comment", "k/comment"],
])("the step %s stands in the journal as %s, whatever operation it belongs to", (step, expected) => {
  expect(stepKey("k", step)).toBe(expected);
});
