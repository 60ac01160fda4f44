import { beforeEach, describe, expect, it } from "vitest";
import type { Operation } from "../../../src/core/operation.ts";
import type { Finding, Severity } from "../../../src/core/result.ts";
import { answerApproval, type Approval, type ApprovalStore } from "../../../src/gate/approvals.ts";
import { freezeOperation } from "../../../src/gate/freeze.ts";
import { operationDigest } from "../../../src/gate/operation-digest.ts";
import type { GateRule } from "../../../src/gate/rule.ts";
import { comment, commit, edit, everyKind, gateWith, openPull, reaction, run, write } from "./fixtures.ts";

const ALL = ["workspace-write", "open-pull-request", "commit", "comment", "edit-own-comment", "reaction"] as const;
const finds = (...severities: Severity[]): GateRule => ({
  name: "some",
  applies: ALL,
  check: () => severities.map((severity) => ({ rule: "some", severity, why: `it is a ${severity}`, fix: "Look." })),
});

interface Kept extends Approval {
  readonly run: string;
  readonly digest: string;
}

/** A store as the database's is, over a list and a clock that can be set. */
function memoryStore() {
  const list: Kept[] = [];
  const state = { now: 0 };
  const live = (one: Kept | undefined): Kept | undefined => (one !== undefined && one.expires.getTime() > state.now ? one : undefined);
  const store: ApprovalStore<Kept> = {
    find: ({ run, digest }) => Promise.resolve(live(list.findLast((one) => one.run === run && one.digest === digest))),
    byId: (id) => Promise.resolve(list.find((one) => one.id === id)),
    request({ run, digest, hours }) {
      list.push({ id: `id-${list.length + 1}`, run, digest, expires: new Date(state.now + hours * 3_600_000) });
      return Promise.resolve(list.at(-1) as Kept);
    },
    answer(id, kind, by) {
      const at = list.findIndex((one) => one.id === id);
      const one = live(list[at]);
      if (one === undefined || one.answer !== undefined) return Promise.resolve(undefined);
      list[at] = { ...one, answer: { kind, by } };
      return Promise.resolve(list[at]);
    },
  };
  return { store, list, state };
}

const maria = { id: 3, login: "maria" };
let memory = memoryStore();
beforeEach(() => {
  memory = memoryStore();
});
const gate = (...severities: Severity[]) => gateWith({ rules: [finds(...severities)], approvals: { store: memory.store, hours: 72 } });
const answer = (id: string, kind: "approved" | "denied" = "approved", may: () => boolean | Promise<boolean> = () => true) =>
  answerApproval(memory.store, { id, kind, by: maria }, may);

describe("an operation that asks", () => {
  it("waits, and says under which name and until when", async () => {
    const { decision, ...rest } = await gate("ask", "warn").judge(commit(), run);
    expect(decision.verdict).toBe("ask");
    expect(decision.findings.map(({ why }) => why)).toEqual([
      "waits for approval id-1 until 1970-01-04 00:00 UTC: it is a ask",
      "it is a warn",
    ]);
    expect(rest).toEqual({});
  });

  it("asks people once, however often it is tried", async () => {
    for (let times = 0; times < 3; times++) await gate("ask").judge(commit(), run);
    expect(memory.list).toHaveLength(1);
  });

  it("may leave once it is approved, with what was asked as a warning that names who said so", async () => {
    await gate("ask").judge(commit(), run);
    expect(await answer("id-1")).toMatchObject({ status: "answered", approval: { id: "id-1" } });
    const judgement = await gate("ask").judge(commit(), run);
    expect(judgement).toMatchObject({
      decision: { verdict: "allow", findings: [{ severity: "warn", why: "it is a ask (approved by maria, id-1)" }] },
    });
    expect("mint" in judgement).toBe(true);
  });

  it("is blocked once it is denied, and nobody is asked again", async () => {
    await gate("ask").judge(commit(), run);
    await answer("id-1", "denied");
    const { decision } = await gate("ask").judge(commit(), run);
    expect(decision).toMatchObject({ verdict: "block", findings: [{ severity: "block", why: "maria denied id-1: it is a ask" }] });
    expect(memory.list).toHaveLength(1);
  });

  it("is not saved by an approval from a block beside it", async () => {
    await gate("ask").judge(commit(), run);
    await answer("id-1");
    expect((await gate("ask", "block").judge(commit(), run)).decision.verdict).toBe("block");
    expect((await gate("block").judge(commit(), run)).decision.verdict).toBe("block");
  });

  it("asks anew when its time is over, answered or not", async () => {
    await gate("ask").judge(commit(), run);
    await answer("id-1");
    memory.state.now = 72 * 3_600_000;
    expect((await gate("ask").judge(commit(), run)).decision.findings[0]?.why).toContain("waits for approval id-2 until 1970-01-07");
    memory.state.now *= 2;
    expect(await answer("id-2")).toEqual({ status: "unanswerable", why: "id-2 has expired" });
  });

  it("of another run is not meant", async () => {
    await gate("ask").judge(commit(), run);
    await answer("id-1");
    expect((await gate("ask").judge(commit(), { ...run, id: "run-2" })).decision.verdict).toBe("ask");
  });

  it("is refused where no approvals are kept", async () => {
    const { decision, ...rest } = await gateWith({ rules: [finds("ask")] }).judge(commit(), run);
    expect(decision).toMatchObject({ verdict: "ask", findings: [{ why: "it is a ask" }] });
    expect(rest).toEqual({});
  });

  it.each<[string, Partial<ApprovalStore>]>([
    ["cannot be looked up", { find: () => Promise.reject(new Error("away")) }],
    ["cannot be asked for", { request: () => Promise.reject(new Error("away")) }],
    ["never comes", { find: () => new Promise(() => {}) }],
    [
      "is garbage",
      {
        find: () => {
          throw undefined;
        },
      },
    ],
  ])("is blocked when the approval %s", async (_, broken) => {
    const store = { ...memory.store, ...broken } as ApprovalStore;
    const judgement = await gateWith({ rules: [finds("ask")], deadlineMs: 30, approvals: { store, hours: 72 } }).judge(commit(), run);
    expect(judgement.decision.verdict).toBe("block");
    expect(judgement.decision.findings[0]?.rule).toBe("approvals");
    expect("mint" in judgement).toBe(false);
  });

  it("is made in the workspace all the same, with a word that it will wait", async () => {
    expect(await gate("ask").judgeWrite(write("a.ts"), run)).toEqual({
      verdict: "allow",
      findings: [{ rule: "some", severity: "warn", why: "it is a ask; publishing it will wait for approval", fix: "Look." }],
    });
    expect((await gate("ask", "block").judgeWrite(write("a.ts"), run)).verdict).toBe("block");
    expect(memory.list).toEqual([]);
  });

  it("is asked about with the words that people will read beside it, and those are approved with it", async () => {
    const annotate = (operation: Operation, findings: readonly Finding[]): Operation =>
      ({ ...operation, body: `Body. ${findings.map(({ why }) => why).join()}` }) as Operation;
    await gate("ask").judge(openPull(), run, annotate);
    expect(memory.list).toHaveLength(1);
    await answer("id-1");
    const judgement = await gate("ask").judge(openPull(), run, annotate);
    expect(judgement).toMatchObject({ decision: { verdict: "allow" }, operation: { body: "Body. it is a ask" } });
    expect((await gate("ask").judge(openPull(), run)).decision.verdict).toBe("ask");
  });

  it("is not annotated where nothing was found, or where it is blocked anyway", async () => {
    const annotate = (): never => {
      throw new Error("not to be called");
    };
    expect((await gate().judge(openPull(), run, annotate)).decision.verdict).toBe("allow");
    expect((await gate("block").judge(openPull(), run, annotate)).decision.verdict).toBe("block");
  });
});

describe("an approval is void when anything differs", () => {
  const base = openPull();
  const changed = (set: Partial<Extract<Operation, { kind: "commit" }>["changes"]>): Operation =>
    commit({ "src/a.ts": { after: "new\n" } }, { changes: { ...commit().changes, ...set } });
  const [first] = commit().changes.changes;
  const rows: readonly (readonly [string, Operation, Operation])[] = [
    ["the title", base, openPull(undefined, { title: "Fix that" })],
    ["the body", base, openPull(undefined, { body: "Else." })],
    ["the message", base, openPull(undefined, { message: "Else" })],
    ["the branch", base, openPull(undefined, { branch: "sallyport/12-fix-2" })],
    ["the base", base, openPull(undefined, { base: "next" })],
    ["whether it is a draft", base, openPull(undefined, { draft: true })],
    ["whether the branch is there", base, openPull(undefined, { branchExists: true })],
    ["a branch that is made", commit(), commit(undefined, { createsBranch: true })],
    ["the repository", base, openPull(undefined, { repository: { id: 8, owner: "acme", name: "app" } })],
    ["a file's bytes", commit(), commit({ "src/a.ts": { after: "new!\n" } })],
    ["a file's name", commit(), commit({ "src/b.ts": { after: "new\n" } })],
    ["a file's mode", commit(), commit({ "src/a.ts": { after: "new\n", mode: "100755" } })],
    ["what stood there", commit(), commit({ "src/a.ts": { before: "old\n", after: "new\n" } })],
    ["one file more", commit(), commit({ "src/a.ts": { after: "new\n" }, "src/b.ts": { after: "" } })],
    ["the commit it stands on", commit(), changed({ base: { commit: "a".repeat(40), tree: "c".repeat(40) } })],
    ["the resulting tree", commit(), changed({ tree: "e".repeat(40) })],
    ["where a file came from", commit(), changed({ changes: [{ ...(first as NonNullable<typeof first>), movedFrom: "x" }] })],
    ["the thread", comment(), comment(undefined, { thread: { kind: "issue", number: 13 } })],
    ["the review thread", comment(), comment(undefined, { thread: { kind: "issue", number: 12, reviewCommentId: 5 } })],
    ["the comment", edit(), edit(undefined, { commentId: 901 })],
    ["the kind", comment(), edit()],
    ["what is reacted to", reaction(), reaction({ target: { kind: "issue", id: 55 } })],
  ];
  it.each(rows)("%s", async (_, one, other) => {
    expect(operationDigest(freezeOperation(one))).not.toBe(operationDigest(freezeOperation(other)));
    await gate("ask").judge(one, run);
    await answer("id-1");
    expect((await gate("ask").judge(one, run)).decision.verdict).toBe("allow");
    expect((await gate("ask").judge(other, run)).decision.verdict).toBe("ask");
  });

  it.each(everyKind.map((operation) => [operation.kind, operation] as const))(
    "and holds for the same %s, whoever made the object",
    (_, operation) => {
      const again = Object.fromEntries(Object.entries(operation).toReversed()) as unknown as Operation;
      expect(operationDigest(freezeOperation(again))).toBe(operationDigest(freezeOperation(operation)));
    },
  );
});

describe("an answer", () => {
  beforeEach(() => gate("ask").judge(commit(), run));

  it("counts only from those who may give it", async () => {
    expect(await answer("id-1", "approved", () => false)).toMatchObject({ status: "not-allowed" });
    expect((await gate("ask").judge(commit(), run)).decision.verdict).toBe("ask");
  });

  it("is none when it cannot be told who may give it", async () => {
    await expect(answer("id-1", "approved", () => Promise.reject(new Error("GitHub is away")))).rejects.toThrow("away");
    expect((await gate("ask").judge(commit(), run)).decision.verdict).toBe("ask");
  });

  it("is given once", async () => {
    await answer("id-1", "denied");
    expect(await answer("id-1")).toEqual({ status: "unanswerable", why: "maria denied id-1 before" });
    expect((await gate("ask").judge(commit(), run)).decision.verdict).toBe("block");
  });

  it("to no question says so", async () => {
    expect(await answer("nobody")).toEqual({ status: "unanswerable", why: "there is no approval nobody" });
  });
});
