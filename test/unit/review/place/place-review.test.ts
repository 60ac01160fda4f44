import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { parseDiff } from "../../../../src/review/diff/parse-diff.ts";
import { parseHunks } from "../../../../src/review/diff/parse-hunks.ts";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { commentableSpans } from "../../../../src/review/place/lines.ts";
import { placeReview, type PlacedReview } from "../../../../src/review/place/render.ts";
import type { Remark, Side } from "../../../../src/review/remark.ts";
import { commentableLines, diffFiles } from "../../../../src/testing/github/git/diff.ts";
import { makeRepository, temporaryFolder } from "../../workspace/git-host.ts";
import { gitDiff } from "../diff/git-diff.ts";

const TWO_HUNKS =
  "@@ -10,4 +10,5 @@ fn a\n ctx10\n-old11\n+new11\n+new12\n ctx12\n ctx13\n@@ -40,3 +41,4 @@ fn b\n ctx40\n+new42\n ctx41\n ctx42";

function file(patch: string, more: Partial<DiffFile> = {}): DiffFile {
  const blobs = ["1".repeat(40), "2".repeat(40)] as const;
  return { path: "src/a.ts", status: "modified", modes: ["100644", "100644"], blobs, isBinary: false, hunks: parseHunks(patch), ...more };
}

const place = (files: readonly DiffFile[], ...remarks: readonly Partial<Remark>[]): PlacedReview =>
  placeReview(
    remarks.map((remark) => ({ path: "src/a.ts", line: 1, body: "remark", ...remark })),
    { files, linkTo: (path) => `https://git.example/${path}` },
  );
const placesOf = ({ comments }: PlacedReview): string[] =>
  comments.map(({ path, side, startLine, line }) => `${path} ${side} ${startLine === undefined ? "" : `${startLine}..`}${line}`);

describe("a remark stands on exactly the line it names, or in the body", () => {
  test.each<[string, DiffFile, Partial<Remark>, string | RegExp]>([
    ["a new line", file(TWO_HUNKS), { line: 12 }, "src/a.ts RIGHT 12"],
    ["an unchanged line beside it", file(TWO_HUNKS), { line: 14 }, "src/a.ts RIGHT 14"],
    ["a removed line", file(TWO_HUNKS), { line: 11, side: "LEFT" }, "src/a.ts LEFT 11"],
    ["a line between the hunks", file(TWO_HUNKS), { line: 20 }, /src\/a\.ts:20/],
    ["a range of one line", file(TWO_HUNKS), { line: 42, startLine: 42 }, "src/a.ts RIGHT 42"],
    ["a range turned round", file(TWO_HUNKS), { line: 11, startLine: 13 }, "src/a.ts RIGHT 11..13"],
    ["a range over both hunks", file(TWO_HUNKS), { line: 42, startLine: 13 }, "src/a.ts RIGHT 41..42"],
    ["a range that ends behind a hunk", file(TWO_HUNKS), { line: 30, startLine: 13 }, "src/a.ts RIGHT 13..14"],
    ["a range that begins before a hunk", file(TWO_HUNKS), { line: 11, startLine: 2 }, "src/a.ts RIGHT 10..11"],
    ["a range between the hunks", file(TWO_HUNKS), { line: 30, startLine: 20 }, /src\/a\.ts:20–30/],
    [
      "the old side of a new file",
      file("@@ -0,0 +1,3 @@\n+a\n+b\n+c", { status: "added" }),
      { line: 1, side: "LEFT" },
      /src\/a\.ts:1.*before the change/,
    ],
    ["the new side of a new file", file("@@ -0,0 +1,3 @@\n+a\n+b\n+c", { status: "added" }), { line: 3 }, "src/a.ts RIGHT 3"],
    [
      "the last line of a removed file",
      file("@@ -1,2 +0,0 @@\n-a\n-b", { status: "removed" }),
      { line: 2, side: "LEFT" },
      "src/a.ts LEFT 2",
    ],
    ["line 0", file(TWO_HUNKS), { line: 0 }, /src\/a\.ts`/],
    ["a line that is no number", file(TWO_HUNKS), { line: Number.NaN }, /src\/a\.ts`/],
    ["half a line", file(TWO_HUNKS), { line: 11.5 }, /src\/a\.ts`/],
    ["a binary file", file("", { isBinary: true }), { line: 1 }, /src\/a\.ts:1/],
    ["a file that is not there", file(TWO_HUNKS), { path: "gone.ts", line: 11 }, /gone\.ts:11/],
  ])("%s", (_, one, remark, expected) => {
    const placed = place([one], { body: "the words", ...remark });
    if (typeof expected === "string") {
      expect(placesOf(placed)).toEqual([expected]);
      expect(placed.inBody).toEqual([]);
      return;
    }
    expect(placesOf(placed)).toEqual([]);
    expect(placed.inBody.map(({ text }) => text).join()).toMatch(expected);
    expect(placed.inBody[0]?.text).toContain("the words");
    expect(placed.inBody[0]?.text).toContain("https://git.example/");
  });

  test("a range that was cut names all that was meant", () => {
    expect(place([file(TWO_HUNKS)], { line: 42, startLine: 13 }).comments[0]?.body).toContain("lines 13–42");
  });

  test("a moved block is remarked where it was or where it is, never by a guess", () => {
    const moved = file("@@ -5,5 +5,2 @@\n k5\n-m6\n-m7\n-m8\n k9\n@@ -30,2 +27,5 @@\n k30\n+m6\n+m7\n+m8\n k31");
    const placed = place([moved], { line: 7, body: "x" }, { line: 7, side: "LEFT", body: "y" }, { startLine: 28, line: 30, body: "z" });
    expect(placesOf(placed)).toEqual(["src/a.ts LEFT 7", "src/a.ts RIGHT 28..30"]);
    expect(placed.inBody).toHaveLength(1);
  });

  test("the same said twice of the same line is said once; of two lines, twice", () => {
    expect(placesOf(place([file(TWO_HUNKS)], { line: 12 }, { line: 12 }, { line: 13 }))).toEqual([
      "src/a.ts RIGHT 12",
      "src/a.ts RIGHT 13",
    ]);
    expect(place([file(TWO_HUNKS)], { line: 20 }, { line: 20 }, { line: 21 }).inBody).toHaveLength(2);
  });
});

describe("a file is found by the name that was meant", () => {
  const files = [
    file(TWO_HUNKS, { path: "src/new.ts", previousPath: "src/old.ts", status: "renamed" }),
    file(TWO_HUNKS, { path: "lib/one/index.ts" }),
    file(TWO_HUNKS, { path: "lib/two/index.ts" }),
    file(TWO_HUNKS, { path: "docs/ü.md".normalize("NFD") }),
  ];
  test.each([
    ["src/old.ts", "src/new.ts"],
    ["./src/new.ts", "src/new.ts"],
    ["/src/new.ts", "src/new.ts"],
    ["b/src/new.ts", "src/new.ts"],
    ["new.ts", "src/new.ts"],
    ["one/index.ts", "lib/one/index.ts"],
    ["docs/ü.md".normalize("NFC"), "docs/ü.md".normalize("NFD")],
    ["index.ts", undefined],
    ["ew.ts", undefined],
    ["", undefined],
    ["/", undefined],
  ])("%j", (path, expected) => {
    expect(place(files, { path, line: 12 }).comments.map((comment) => comment.path)).toEqual(expected === undefined ? [] : [expected]);
  });
});

describe("a suggestion can be applied, or is plain code", () => {
  const code = file("@@ -1,4 +1,4 @@\n function f(a, b) {\n-  return a * b;\n+  return a - b;\n }\n // end");
  const bodyOf = (remark: Partial<Remark>, one = code): string => {
    const { comments, inBody } = place([one], { line: 2, body: "Wrong sign.", ...remark });
    return comments[0]?.body ?? inBody[0]?.text ?? "";
  };
  test.each<[string, Partial<Remark>, string]>([
    ["its own field", { suggestion: "  return a + b;" }, "Wrong sign.\n\n```suggestion\n  return a + b;\n```"],
    ["an end of line too much", { suggestion: "  return a + b;\n" }, "Wrong sign.\n\n```suggestion\n  return a + b;\n```"],
    ["a block in the text", { body: "Better:\n```suggestion\n{{ x }}\n```\nso." }, "Better:\nso.\n\n```suggestion\n{{ x }}\n```"],
    ["a fence inside", { suggestion: "Use:\n```sh\nmake\n```" }, "Wrong sign.\n\n````suggestion\nUse:\n```sh\nmake\n```\n````"],
    ["nothing: the lines go", { suggestion: "" }, "Wrong sign.\n\n```suggestion\n```"],
    ["a list item that begins like a removed line", { suggestion: "- item" }, "Wrong sign.\n\n```suggestion\n- item\n```"],
  ])("applied: %s", (_, remark, expected) => {
    expect(bodyOf(remark)).toBe(expected);
  });

  test.each<[string, Partial<Remark>]>([
    ["diff markers", { suggestion: "-  return a - b;\n+  return a + b;" }],
    ["added lines alone", { suggestion: "+  return a + b;" }],
    ["a hunk's header", { suggestion: "@@ -1 +1 @@\n x" }],
    ["the old side", { side: "LEFT", suggestion: "  return a + b;" }],
    ["the line above once more", { suggestion: "function f(a, b) {\n  return a + b;" }],
    ["no place in the difference", { line: 90, suggestion: "  return a + b;" }],
    ["a range that was cut", { line: 90, startLine: 2, suggestion: "  return a + b;" }],
    ["a block in the text without a place", { line: 90, body: "Better:\n```suggestion\nx\n```" }],
    ["a second block in the text", { side: "LEFT", body: "~~~suggestion\nx\n~~~\n````Suggestion\ny\n````" }],
  ])("plain: %s", (_, remark) => {
    const body = bodyOf(remark);
    expect(body).not.toMatch(/^ {0,3}(?:`{3,}|~{3,})\s*suggestion/im);
    expect(body).toMatch(/return a|^ x$|^x$/m);
  });

  test.each<[string, Partial<Remark>]>([
    ["a block in a list", { body: "- Better:\n\n  - ```suggestion\n    x\n    ```" }],
    ["a block behind a number", { body: "1. ~~~~ suggestion\n   x\n   ~~~~" }],
    ["a block in a quote", { body: "> > ````Suggestion\n> > x\n> > ````" }],
    ["a block in a list in a quote", { body: "> * ```suggestion\n>   x\n>   ```" }],
    ["a block that a list goes on with", { body: "- Better:\n\n      ```suggestion\n      x\n      ```" }],
  ])("plain inside: %s", (_, remark) => {
    const body = bodyOf(remark);
    expect(body).not.toMatch(/suggestion/i);
    expect(body).toMatch(/(?:`{3}|~{4})[\s\S]*x[\s\S]*(?:`{3}|~{4})$/);
  });

  test("of two blocks one is offered", () => {
    expect(bodyOf({ body: "```suggestion\nx\n```\nor\n```suggestion\ny\n```" }).match(/```suggestion/g)).toHaveLength(1);
  });

  test("a fence that is only words within a line stays as it is", () => {
    expect(bodyOf({ body: "Say ``` in prose." })).toBe("Say ``` in prose.");
  });
});

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const repository = makeRepository(temporary.path);
const row = fc.constantFrom("a", "b", "c", "", "- x", "+ y", "@@ -1 +1 @@", "--- a/f", "diff --git a/f b/f");
const content = fc.array(row, { minLength: 1, maxLength: 40 }).map((rows) => `${rows.join("\n")}\n`);
const change = fc.record({ before: content, after: content, isRename: fc.boolean() });

test("every line that GitHub takes is offered, and none that it refuses is sent", () => {
  const property = fc.property(change, ({ before, after, isRename }) => {
    const head = isRename ? { moved: before + after, g: after } : { f: before + after, g: after };
    const { from, to, ...said } = gitDiff(repository, { f: before, g: before }, head);
    const files = parseDiff(said);
    const listed = diffFiles(repository.gitDir, from, to);
    expect(files.map(({ path }) => path).toSorted()).toEqual(listed.map(({ filename }) => filename).toSorted());
    for (const { filename, patch = "" } of listed) {
      const taken = commentableLines(patch);
      const own = files.find(({ path }) => path === filename);
      for (const side of ["LEFT", "RIGHT"] as const) {
        const offered = commentableSpans(own ?? { hunks: [] }, side).flatMap(({ first, last }) => span(first, last));
        expect(offered.toSorted((a, b) => a - b)).toEqual([...taken[side].keys()].toSorted((a, b) => a - b));
        everyPlaceIsTaken(files, filename, side, taken[side]);
      }
    }
  });
  fc.assert(property, { numRuns: 40 });
}, 60_000);

/** Whatever lines are named: what is sent lies in one hunk, its first line before its last. */
function everyPlaceIsTaken(files: readonly DiffFile[], path: string, side: Side, taken: ReadonlyMap<number, number>): void {
  for (const [startLine, line] of [
    [1, 3],
    [2, 9],
    [5, 30],
    [9, 2],
    [1, 90],
    [4, 4],
  ] as const) {
    const { comments } = place(files, { path, line, startLine, side });
    for (const comment of comments) {
      expect(taken.has(comment.line)).toBe(true);
      if (comment.startLine === undefined) continue;
      expect(comment.startLine).toBeLessThan(comment.line);
      expect(taken.get(comment.startLine)).toBe(taken.get(comment.line));
    }
  }
}

const span = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);
