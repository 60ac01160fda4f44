import { describe, expect, test } from "vitest";
import { answerApproval, type Approval, type ApprovalStore } from "../../../src/gate/approvals.ts";
import type { AuditEntry } from "../../../src/gate/audit.ts";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { callTo, say } from "../agent/doubles.ts";
import { openBench } from "./bench.ts";
import { edit, open, ownBranches, ownPulls, play } from "./play.ts";

/** A gate that asks before `src` changes, with all that it keeps. */
function asking() {
  const kept: (Approval & { readonly digest: string })[] = [];
  const noted: AuditEntry[] = [];
  const store: ApprovalStore = {
    find: ({ digest }) => Promise.resolve(kept.find((one) => one.digest === digest)),
    byId: (id) => Promise.resolve(kept.find((one) => one.id === id)),
    request({ digest }) {
      kept.push({ id: `kodim-${kept.length + 1}`, digest, expires: new Date("2026-12-01T10:00:00Z") });
      return Promise.resolve(kept.at(-1) as Approval);
    },
    answer(id, kind, by) {
      const at = kept.findIndex((one) => one.id === id);
      kept[at] = { ...(kept[at] as (typeof kept)[number]), answer: { kind, by } };
      return Promise.resolve(kept[at]);
    },
  };
  const policy = { ...defaultPolicy, protected: { "src/**": "ask" as const } };
  const gate = {
    policy,
    approvals: { store, hours: 72 },
    audit: { record: (entry: AuditEntry) => Promise.resolve(void noted.push(entry)) },
  };
  return { gate, store, kept, noted };
}

describe("a change that a person must approve", () => {
  test("waits: nothing is published, and the tool call and the comment name the approval", async () => {
    const { gate, kept } = asking();
    await using played = await play({ script: [edit(), open(), say("ok")], gate });
    expect(played.end).toBe("waiting");
    expect([...ownPulls(played.bench), ...ownBranches(played.bench)]).toEqual([]);
    expect(played.bench.model.requests[1]?.messages.at(-1)?.text).toMatch(/^Edited|^Changed|publishing it will wait/);
    expect(played.bench.model.requests[2]?.messages.at(-1)?.text).toMatch(/^\[blocked\] protected-paths: waits for approval kodim-1\b/);
    expect(kept).toHaveLength(1);
    expect(played.comment).toMatch(
      /^\*\*waiting for approval\*\* — Nothing was published yet: a person must approve it\. .*waits for approval kodim-1 until 2026-12-01 10:00 UTC/,
    );
    expect(played.comment).toContain("state=waiting");
    expect(played.journal.entries.findLast(({ kind }) => kind === "decision")).toMatchObject({ decision: expect.anything() as unknown });
    expect(JSON.stringify(played.journal.entries.filter(({ kind }) => kind === "decision"))).toContain("waits for approval kodim-1");
  });

  test("waits as well when only the run itself asks to publish it", async () => {
    const { gate, kept } = asking();
    await using played = await play({ script: [edit(), say("Half done.")], gate });
    expect(played.end).toBe("waiting");
    expect(kept).toHaveLength(1);
  });

  test("is published as it was read once somebody has approved it", async () => {
    const { gate, store, kept, noted } = asking();
    await using bench = await openBench({ script: [edit(), open("one"), open("two"), say("ok")], gate });
    const journal = memoryJournal();
    const { append } = journal;
    // Somebody answers between the two calls.
    const answering = {
      ...journal,
      entries: journal.entries,
      append: async (...row: Parameters<typeof append>) => {
        await append(...row);
        if (row[0].kind === "tool-result" && row[0].callId === "one")
          await answerApproval(store, { id: "kodim-1", kind: "approved", by: { id: 3, login: "maria" } }, () => true);
      },
    };
    expect(await bench.attempt(bench.ask("fix this"), { journal: answering })).toBe("done");
    expect(kept).toHaveLength(1);
    expect(ownPulls(bench)).toMatchObject([{ body: expect.stringContaining("**needs approval** `protected-paths`") as unknown }]);
    const about = noted.filter(({ operation }) => operation === "open-pull-request");
    expect(about.map((entry) => (entry.kind === "decision" ? [entry.verdict, entry.approval] : entry.outcome.status))).toEqual([
      ["ask", "kodim-1"],
      ["allow", "kodim-1"],
      "done",
    ]);
    expect(new Set(about.map(({ digest }) => digest)).size).toBe(1);
  });

  test("does not wait for ever in people's eyes when the run is given up before it can go on", async () => {
    const { gate } = asking();
    await using played = await play({ script: [edit(), open(), say("ok")], gate });
    await played.bench.abandon(played.run, played.journal, new Error("GitHub is away"));
    const [comment, ...more] = played.bench.comments(played.run);
    expect(comment).toMatch(/^\*\*failed\*\* — [\s\S]*state=failed/);
    expect(more).toEqual([]);
  });

  test("does not hide that something else was blocked", async () => {
    const { gate } = asking();
    const script = [callTo("write_file", { path: ".github/workflows/x.yml", content: "on: push\n" }, "w"), say("I could not.")];
    await using played = await play({ script, gate });
    expect(played.end).toBe("blocked");
  });
});

describe("the audit log of a run", () => {
  test("holds each write with what became of it, and none that was held back", async () => {
    const noted: AuditEntry[] = [];
    const audit = { record: (entry: AuditEntry) => Promise.resolve(void noted.push(entry)) };
    await using played = await play({ script: [edit(), open(), say("ok")], gate: { audit } });
    expect(played.end).toBe("done");
    const opened = noted.filter(({ operation }) => operation === "open-pull-request");
    expect(opened).toMatchObject([
      { kind: "decision", verdict: "allow" },
      { kind: "outcome", outcome: { status: "done", id: 2 } },
    ]);
  });

  test("tells of a write that GitHub refused", async () => {
    const noted: AuditEntry[] = [];
    const audit = { record: (entry: AuditEntry) => Promise.resolve(void noted.push(entry)) };
    const script = [callTo("gh_comment_issue", { number: 1, body: "hello" }, "c"), say("ok")];
    await using played = await play({ script, gate: { audit } }, ({ github }) => {
      // The run's own comment comes first.
      github.fault({
        match: "POST /repos/*/*/issues/*/comments",
        skip: 1,
        times: 1,
        respond: { status: 422, body: { message: "Validation Failed" } },
      });
    });
    expect(played.end).not.toBe("waiting");
    expect(noted.filter(({ kind, operation }) => kind === "outcome" && operation === "comment")).toContainEqual(
      expect.objectContaining({ outcome: { status: "failed", code: expect.any(String) as unknown } }),
    );
  });

  test("that cannot be written lets nothing out", async () => {
    const audit = {
      record: (entry: AuditEntry) => (entry.operation === "open-pull-request" ? Promise.reject(new Error("disk full")) : Promise.resolve()),
    };
    await using played = await play({ script: [edit(), open(), say("ok")], gate: { audit } });
    expect(played.end).toBe("blocked");
    expect([...ownPulls(played.bench), ...ownBranches(played.bench)]).toEqual([]);
  });
});
