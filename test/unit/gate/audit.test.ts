import { describe, expect, it } from "vitest";
import type { Severity } from "../../../src/core/result.ts";
import type { AuditEntry, AuditLog } from "../../../src/gate/audit.ts";
import type { GateRule } from "../../../src/gate/rule.ts";
import { comment, commit, everyKind, filler, gateWith, openPull, run, write } from "./fixtures.ts";

const finds = (...severities: Severity[]): GateRule => ({
  name: "some",
  applies: [
    "workspace-write",
    "open-pull-request",
    "commit",
    "comment",
    "edit-own-comment",
    "reaction",
    "check-run",
    "upload-sarif",
    "review",
    "delete-pending-review",
    "resolve-thread",
  ],
  check: () => severities.map((severity) => ({ rule: "some", severity, why: "a long reason", fix: "Look." })),
});

function memoryLog() {
  const entries: AuditEntry[] = [];
  const audit: AuditLog = { record: (entry) => Promise.resolve(void entries.push(entry)) };
  return { entries, audit };
}

describe("every decision of the outer door is noted", () => {
  it.each(everyKind.map((operation) => [operation.kind, operation] as const))("%s", async (kind, operation) => {
    const { entries, audit } = memoryLog();
    await gateWith({ audit, rules: [finds()] }).judge(operation, run);
    expect(entries).toEqual([
      {
        kind: "decision",
        run: "run-1",
        trigger: "mention",
        repository: "acme/app",
        operation: kind,
        target: expect.stringMatching(
          /^(#12|#12, comment 900|issue-comment 55|check run sallyport on a{10}|code scanning of #12 at a{10}|#12 at a{10}|#12, pending review 800|#12, conversation of remark 71|sallyport\/12-fix|sallyport\/12-fix → main)$/,
        ) as unknown,
        verdict: "allow",
        rules: [],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
    ]);
  });

  it("with its rules, each once and counted", async () => {
    const { entries, audit } = memoryLog();
    await gateWith({ audit, rules: [finds("block", "warn", "warn")] }).judge(commit(), run);
    expect(entries).toMatchObject([
      {
        verdict: "block",
        rules: [
          { rule: "some", severity: "block", findings: 1 },
          { rule: "some", severity: "warn", findings: 2 },
        ],
      },
    ]);
  });

  it("also about something that cannot be read", async () => {
    const { entries, audit } = memoryLog();
    await gateWith({ audit }).judge({ kind: "merge" } as never, run);
    expect(entries).toMatchObject([{ operation: "unreadable", verdict: "block" }]);
    expect(entries[0]).not.toHaveProperty("digest");
  });

  it("and of the inner door's none", async () => {
    const { entries, audit } = memoryLog();
    const gate = gateWith({ audit });
    await gate.judgeWrite(write("a.ts"), run);
    expect(entries).toEqual([]);
  });

  it("without texts, files and secrets", async () => {
    const { entries, audit } = memoryLog();
    const secret = filler(30);
    const gate = gateWith({ audit, heldSecrets: () => [secret] });
    const operation = openPull(
      { "src/a.ts": { after: `const body = 1 // ${secret}\n` } },
      { branch: `sallyport/${secret}`, title: `The title ${secret}`, body: "The body" },
    );
    await gate.judge(operation, run);
    const text = JSON.stringify(entries);
    for (const part of [secret, secret.slice(0, 12), "The title", "The body", "const body", "src/a.ts"]) expect(text).not.toContain(part);
    expect(entries).toMatchObject([{ verdict: "block", target: "withheld" }]);
  });
});

describe("what cannot be noted is not allowed", () => {
  it.each<[string, AuditLog["record"]]>([
    ["the log rejects", () => Promise.reject(new Error("disk full"))],
    [
      "the log throws",
      () => {
        throw new Error("disk full");
      },
    ],
    ["the log never answers", () => new Promise(() => {})],
  ])("%s", async (_, record) => {
    const judgement = await gateWith({ audit: { record }, rules: [finds("warn")], deadlineMs: 30 }).judge(commit(), run);
    expect(judgement.decision.verdict).toBe("block");
    expect(judgement.decision.findings.map(({ rule }) => rule)).toEqual(["audit", "some"]);
    expect("mint" in judgement).toBe(false);
  });
});

describe("what became of an operation is noted", () => {
  it.each([
    [
      "by what GitHub made of it",
      { outcome: { operation: "comment", id: 7, url: "https://x/7", branch: "b" } },
      { status: "done", id: 7, url: "https://x/7" },
    ],
    ["by the code of the error", { failed: "not-found" }, { status: "failed", code: "not-found" }],
  ] as const)("%s", async (_, end, outcome) => {
    const { entries, audit } = memoryLog();
    const judgement = await gateWith({ audit, rules: [finds()] }).judge(comment(), run);
    await ("record" in judgement ? judgement.record?.(end) : undefined);
    const [decided, ended] = entries;
    expect(ended).toMatchObject({ kind: "outcome", operation: "comment", target: "#12", outcome });
    expect(ended?.digest).toBe(decided?.digest);
  });

  it("only where a log is kept", async () => {
    expect(await gateWith({ rules: [finds()] }).judge(comment(), run)).not.toHaveProperty("record");
  });
});
