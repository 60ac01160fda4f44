import type { JournalEntry } from "../../../src/core/journal.ts";
import { readKeys, makeKey } from "../../../src/receipts/keys.ts";
import { statementOf, type ReceiptFacts } from "../../../src/receipts/statement.ts";
import { mention } from "../store/requests.ts";

export const COMMIT = "c".repeat(40);
export const TREE = "d".repeat(40);
export const KEYS = readKeys(makeKey(), "a test");

const usage = { input: 10, output: 2, cached: 1 };
const read = (path: string) => ({ id: `read-${path}`, name: "read_file", arguments: JSON.stringify({ path }) });

/** A run that read two files, was asked about a protected path, was let through, and published. */
export const ENTRIES: readonly JournalEntry[] = [
  { kind: "settings", settings: { gate: { hosts: [] } } },
  { kind: "opening", messages: [{ role: "system", text: "You are a bot." }] },
  {
    kind: "turn",
    turn: 1,
    message: { role: "assistant", text: "", calls: [read("src/a.ts"), read("src/missing.ts"), read("src/b.ts")] },
    usage,
    model: "scripted",
    usd: 0.25,
  },
  { kind: "tool-result", turn: 1, callId: "read-src/a.ts", tool: "read_file", result: { status: "ok", text: "a" } },
  { kind: "tool-result", turn: 1, callId: "read-src/missing.ts", tool: "read_file", result: { status: "error", text: "no such file" } },
  {
    kind: "nested",
    callId: "x",
    entry: { kind: "turn", turn: 1, message: { role: "assistant", text: "b", calls: [] }, usage, model: "small", usd: 0.5 },
  },
  {
    kind: "decision",
    operation: "open-pull-request",
    key: "publish-0-dddddddddddd",
    decision: {
      verdict: "ask",
      approval: "abcde-fghij",
      findings: [{ rule: "protected-paths", severity: "ask", where: { path: "src/a.ts", line: 3 }, why: "why", fix: "fix" }],
    },
  },
  { kind: "decision", operation: "edit-own-comment", key: "report", decision: { verdict: "allow", findings: [] } },
  { kind: "approved", approval: "abcde-fghij", by: "maria", waitedMs: 5 },
  { kind: "published", branch: "sallyport/7-fix", commit: COMMIT, tree: TREE, changes: [], pull: 8 },
];

export const FACTS: ReceiptFacts = {
  runId: "01jz0000000000000000000000",
  request: mention(),
  pin: { commit: "e".repeat(40), base: { ref: "main", sha: "e".repeat(40) } },
  end: "done",
  entries: ENTRIES,
  unread: [],
  tests: { command: "npm test", ended: "passed", isOutdated: false },
  version: "1.2.3",
  rules: [{ name: "protected-paths", version: "1.2.3" }],
};

export const STATEMENT = statementOf(FACTS) ?? fail();

function fail(): never {
  throw new Error("the sample vouches for nothing");
}
