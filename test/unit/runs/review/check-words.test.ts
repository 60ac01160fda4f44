import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../../src/core/journal.ts";
import { memoryJournal } from "../../../../src/core/memory-journal.ts";
import { blocked, failed, ok, type ToolResult } from "../../../../src/core/result.ts";
import type { RunEnd } from "../../../../src/core/run.ts";
import type { Receipt } from "../../../../src/review/read/receipt.ts";
import { checkEnd, coverage, remarksOf } from "../../../../src/runs/review/check-words.ts";
import { keptRemarks } from "../../../../src/runs/review/kept-remarks.ts";
import { keptWishes, lostTries, reviewTries } from "../../../../src/runs/review/tries.ts";
import { added, diffFile } from "../../review/files.ts";

const outgoing = { origin: "https://github.com", hosts: [], repository: { owner: "acme", name: "app" }, logins: [] };
const all: Receipt = { files: 2, read: 2, missed: [], skipped: [], lines: { shown: 9, all: 9 } };
const part: Receipt = { ...all, read: 1, missed: [{ path: "b.ts", why: "beyond" }] };
const none: Receipt = { ...all, read: 0, skipped: [{ path: "a.lock", why: "generated" }] };

let calls = 0;
/** The rows of one call and its result. */
function tried(result: ToolResult, paths: readonly string[] = ["a.ts"], args?: string): readonly JournalEntry[] {
  const id = `call-${(calls += 1)}`;
  const wish =
    args ?? JSON.stringify({ number: 2, body: "Words.", comments: paths.map((path) => ({ path, line: 1, body: `On ${path}.` })) });
  const message = { role: "assistant", text: "", calls: [{ id, name: "gh_review_pr", arguments: wish }] } as const;
  return [
    { kind: "turn", turn: calls, message, usage: { input: 1, output: 1, cached: 0 }, model: "m" },
    { kind: "tool-result", turn: calls, callId: id, tool: "gh_review_pr", result },
  ];
}
const posted = (operation: "review" | "comment"): JournalEntry => ({ kind: "outcome", key: "review-abc/x", outcome: { operation, id: 1 } });
const wordsOf = (
  rows: readonly JournalEntry[],
  { end = "done", receipt = all, isRequired = false }: { end?: RunEnd; receipt?: Receipt; isRequired?: boolean } = {},
) => {
  const { conclusion, title } = checkEnd({ end }, remarksOf(memoryJournal(rows)), receipt, isRequired);
  return `${conclusion}: ${title}`;
};

describe("a review's check run", () => {
  test.each<[string, readonly JournalEntry[], Parameters<typeof wordsOf>[1], RegExp]>([
    ["that found nothing", [], {}, /^success: Reviewed: nothing to remark$/],
    ["that read nothing", [], { receipt: none }, /^success: Nothing to review/],
    ["with remarks on GitHub", [...tried(ok("")), posted("review")], {}, /^success: Reviewed: see the remarks$/],
    ["cut off by its plan", [...tried(ok("")), posted("review")], { receipt: part }, /^neutral: The review is incomplete: 1 of 2 files/],
    ["cut off by its budget", [], { end: "out-of-budget" }, /^neutral: The review is incomplete: its budget/],
    ["that failed", [], { end: "failed" }, /^neutral: The review failed/],
    ["that failed and is required", [], { end: "failed", isRequired: true }, /^failure: The review failed/],
    ["that was held", [], { end: "blocked" }, /^neutral: The review failed/],
    ["that was cancelled", [], { end: "cancelled", isRequired: true }, /^cancelled: Not reviewed/],
    ["that was cancelled late", [...tried(ok("")), posted("review")], { end: "cancelled" }, /^cancelled: .* after its first remarks/],
    ["whose remarks stand in a comment", [...tried(ok("")), posted("comment")], {}, /^neutral: .* stand in a comment$/],
    ["whose remarks GitHub took nowhere", tried(failed("locked")), {}, /^neutral: .* its remarks stand here$/],
    ["whose remarks GitHub took nowhere, required", tried(failed("locked")), { isRequired: true }, /^failure: .* its remarks stand here$/],
    ["whose remarks the gate holds", tried(blocked("secrets")), { end: "blocked" }, /^neutral: The review could not be published$/],
    ["whose call was none", tried(failed("wrong"), [], "{"), {}, /^neutral: The review could not be published$/],
    ["that mended its call", [...tried(failed("wrong"), [], "{"), ...tried(ok("")), posted("review")], {}, /^success/],
    ["that said the same again", [...tried(blocked("output")), ...tried(ok("")), posted("review")], {}, /^success/],
    [
      "that said only other things after",
      [...tried(failed("no")), ...tried(ok(""), ["b.ts"]), posted("review")],
      {},
      /^neutral: .* stand here$/,
    ],
  ])("%s", (_, rows, given, expected) => {
    expect(wordsOf(rows, given)).toMatch(expected);
  });
});

test("what was read is told, also of a review that was ended by others", () => {
  const opening: JournalEntry = { kind: "opening", messages: [] };
  expect(coverage(all, undefined, { entries: [opening] })).toBe("Coverage: read 2 of 2 changed files (9 of 9 changed lines).");
  expect(coverage(all, "a".repeat(40), { entries: [opening] })).toMatch(
    / Only what is new since aaaaaaaaaa, or was not read then, was to be read\.$/,
  );
  expect(coverage(undefined, undefined, { entries: [opening] })).toContain("ended before it had read all");
  expect(coverage(undefined, undefined, { entries: [] })).toContain("nothing was read");
});

describe("the tries of a run", () => {
  test("count those that a script made", () => {
    const [turn, result] = tried(failed("locked"));
    if (result?.kind !== "tool-result" || turn?.kind !== "turn") throw new Error("no result");
    const entry = { ...result, callId: "inner", arguments: turn.message.calls[0]?.arguments ?? "" };
    const rows: readonly JournalEntry[] = [{ kind: "nested", callId: "outer", entry }];
    expect(keptWishes(lostTries(reviewTries({ entries: rows })))).toMatchObject([{ number: 2, comments: [{ path: "a.ts" }] }]);
  });

  test("are lost remark by remark", () => {
    const rows = [...tried(failed("no"), ["a.ts", "b.ts", "c.ts"]), ...tried(ok(""), ["b.ts"])];
    expect(lostTries(reviewTries({ entries: rows })).map(({ wish }) => wish?.comments.map(({ path }) => path))).toEqual([["a.ts", "c.ts"]]);
  });
});

describe("remarks that GitHub took nowhere", () => {
  const files = [diffFile("a.ts", added(["one", "two", "three"]))];
  const keep = (comments: readonly object[], more: object = {}) =>
    keptRemarks([{ number: 2, body: "Words.", comments: comments as never, ...more }], { files, linkTo: () => undefined, outgoing });

  test("are said in words, each with its place, and stand at their lines", () => {
    const { text, annotations } = keep([
      { path: "a.ts", line: 3, start_line: 2, body: "Both." },
      { path: "gone.ts", line: 1, body: "Beside." },
    ]);
    expect(text).toMatch(/Words\.[\s\S]*`a\.ts:2–3`[\s\S]*Both\.[\s\S]*`gone\.ts:1`[\s\S]*Beside\./);
    expect(annotations).toEqual([{ path: "a.ts", startLine: 2, endLine: 3, level: "warning", message: "Both." }]);
  });

  test("offer nothing to apply, call nobody, and say the verdict in words", () => {
    const { text, annotations } = keep([{ path: "a.ts", line: 1, body: "@maria look", suggestion: "ONE" }], { event: "REQUEST_CHANGES" });
    expect(text).toContain("requests changes");
    expect(text).not.toMatch(/```suggestion/);
    expect(`${text} ${annotations[0]?.message}`).not.toMatch(/(?<!`)@maria/);
  });

  test("are at most fifty at lines, and all of them in words", () => {
    const comments = Array.from({ length: 60 }, (_, at) => ({ path: "a.ts", line: (at % 3) + 1, body: `Number ${at}.` }));
    const { text, annotations } = keep(comments);
    expect(annotations).toHaveLength(50);
    expect(text).toContain("Number 59.");
  });

  test("are none where nothing was lost", () => {
    expect(keptRemarks([], { files, linkTo: () => undefined, outgoing })).toEqual({ text: "", annotations: [] });
  });
});
