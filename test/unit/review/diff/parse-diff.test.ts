import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { parseDiff } from "../../../../src/review/diff/parse-diff.ts";
import { parseHunks } from "../../../../src/review/diff/parse-hunks.ts";
import { makeRepository, temporaryFolder, type TestTree } from "../../workspace/git-host.ts";
import { gitDiff } from "./git-diff.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const repository = makeRepository(temporary.path);
const diff = (before: TestTree, after: TestTree): readonly DiffFile[] => parseDiff(gitDiff(repository, before, after));
const latin1 = (name: string): string => Buffer.from(name).toString("latin1");
const lines = (count: number, name = "line"): string => Array.from({ length: count }, (_, at) => `${name} ${at + 1}\n`).join("");

describe("names come from git's list, as they are", () => {
  test.each([
    ["an umlaut", "docs/über.md"],
    ["a blank before b/", "src/x b/y.ts"],
    ["a tab", "tab\tname.ts"],
    ["quotes and a backslash", 'say "hi"\\.md'],
    ["a line feed and a header", "a\ndiff --git a/x b/x"],
    ["an arrow", "a => b.ts"],
    ["only blanks", " / "],
  ])("%s", (_, path) => {
    const [file] = diff({ [latin1(path)]: "a\n" }, { [latin1(path)]: "b\n" });
    expect(file?.path).toBe(path);
    expect(file?.status).toBe("modified");
  });

  test("a renamed file has both names, each as it is", () => {
    const old = lines(20);
    const [file] = diff({ "plain.ts": old }, { "tab\tname.ts": old.replace("line 4", "fresh") });
    expect(file).toMatchObject({ path: "tab\tname.ts", previousPath: "plain.ts", status: "renamed" });
    expect(file?.hunks[0]?.lines.find(({ kind }) => kind === "added")).toEqual({ kind: "added", right: 4, text: "fresh" });
  });

  test("a name with a line feed takes no other file's lines", () => {
    const files = diff({ "a\ndiff --git a/x b/x": "a\n", z: "1\n" }, { "a\ndiff --git a/x b/x": "b\n", z: "2\n" });
    expect(files.find(({ path }) => path === "z")?.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text))).toEqual(["1", "2"]);
  });
});

describe("states", () => {
  const picture = Buffer.from([0x89, 0x50, 0, 1, 2, 3]);
  test.each<[string, TestTree, TestTree, Partial<DiffFile>]>([
    ["added", {}, { a: "x\n" }, { status: "added", isBinary: false }],
    ["removed", { a: "x\n" }, {}, { status: "removed", isBinary: false }],
    ["an empty file", {}, { a: "" }, { status: "added", isBinary: false, hunks: [] }],
    ["binary", { a: picture }, { a: Buffer.concat([picture, picture]) }, { status: "modified", isBinary: true, hunks: [] }],
    ["a mode alone", { a: "x\n" }, { a: { mode: "100755", bytes: "x\n" } }, { status: "modified", modes: ["100644", "100755"], hunks: [] }],
    ["a file that became a link", { a: "x\n" }, { a: { mode: "120000", bytes: "b" } }, { status: "type-changed", isBinary: false }],
    ["a submodule", {}, { a: { submodule: "1".repeat(40) } }, { status: "added", modes: ["000000", "160000"] }],
    ["text that names binary files", { a: "x\n" }, { a: "Binary files a and b differ\n" }, { isBinary: false }],
  ])("%s", (_, before, after, expected) => {
    expect(diff({ ...before, other: "o\n" }, { ...after, other: "p\n" }).find(({ path }) => path === "a")).toMatchObject(expected);
  });

  test("nothing differs", () => {
    expect(diff({ a: "x\n" }, { a: "x\n" })).toEqual([]);
  });
});

describe("patches that do not fit the list", () => {
  const before = { a: "1\n", b: "2\n", c: "3\n" };
  const asked = gitDiff(repository, before, { a: "4\n", b: "5\n", c: "6\n" });
  const told = (files: readonly DiffFile[]): readonly string[] =>
    files.map(({ path, isUnread, hunks }) => `${path} ${isUnread === true ? "unread" : hunks.length}`);
  test("cut off: the files before keep their lines, the others say that they were not read", () => {
    const at = asked.patch.lastIndexOf("diff --git");
    for (const end of [at + 15, asked.patch.length - 2, asked.patch.length])
      expect(told(parseDiff({ ...asked, patch: asked.patch.slice(0, end), isCut: true }))).toEqual(["a 1", "b 1", "c unread"]);
    expect(told(parseDiff({ ...asked, patch: "", isCut: true }))).toEqual(["a unread", "b unread", "c unread"]);
  });
  test("in another order, or too few: nobody gets the lines of another", () => {
    const [one = "", two = "", three = ""] = asked.patch.split(/(?=diff --git)/);
    expect(told(parseDiff({ ...asked, patch: two + one + three }))).toEqual(["a unread", "b unread", "c 1"]);
    expect(told(parseDiff({ ...asked, patch: one + three }))).toEqual(["a unread", "b unread", "c unread"]);
  });
  test("a line that holds a carriage return or a separator begins no patch", () => {
    const text = "x\rdiff --git a/z b/z\u2028diff --git a/z b/z\n";
    expect(told(diff({ ...before, a: "" }, { ...before, a: text }))).toEqual(["a 1"]);
  });
});

describe("a hunk ends by its counts", () => {
  test.each([
    ["lines that look like file headers", "@@ -1,3 +1,3 @@\n x\n--- a/old\n+++ b/new\n y", ["x", "-- a/old", "++ b/new", "y"]],
    ["a line that looks like a hunk", "@@ -1,2 +1,3 @@\n x\n+@@ -9,9 +9,9 @@ not a hunk\n y", ["x", "@@ -9,9 +9,9 @@ not a hunk", "y"]],
    ["an empty context line without its blank", "@@ -1,3 +1,3 @@\n x\n\n-a\n+b", ["x", "", "a", "b"]],
    ["carriage returns are content", "@@ -1 +1 @@\n-a\r\n+b\r\n", ["a\r", "b\r"]],
    ["a patch that was cut off keeps what is there", "@@ -1,9 +1,9 @@\n x\n-a", ["x", "a"]],
    ["words before the first hunk are passed over", "index 1..2\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", ["a", "b"]],
    ["no hunk at all", "Binary files differ", []],
  ])("%s", (_, patch, texts) => {
    expect(parseHunks(patch).flatMap((hunk) => hunk.lines.map(({ text }) => text))).toEqual(texts);
  });

  test("a missing end of line is told of the line that has none", () => {
    const [hunk] = parseHunks("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
    expect(hunk?.lines.map(({ isUnended }) => isUnended)).toEqual([true, true]);
  });
});

const line = fc.constantFrom("", "a", "b", "- c", "+ d", "@@ -1 +1 @@", "diff --git a/x b/x", "--- a/x", "\\ No newline", "e\r", "ü");
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([rows, ended]) => rows.join("\n") + (ended && rows.length > 0 ? "\n" : ""));

test("whatever changed: the new side's lines are the new file's, the old side's the old one's", () => {
  const property = fc.property(text, text, (before, after) => {
    const [file] = diff({ f: before, g: "x" }, { f: after, g: "x" });
    for (const { lines: rows } of file?.hunks ?? []) {
      for (const row of rows) {
        if (row.right !== undefined) expect(after.split("\n")[row.right - 1]).toBe(row.text);
        if (row.left !== undefined) expect(before.split("\n")[row.left - 1]).toBe(row.text);
      }
    }
    const added = file?.hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind === "added").length ?? 0;
    const removed = file?.hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind === "removed").length ?? 0;
    const ends = (content: string): number => content.split("\n").length - (content.endsWith("\n") || content === "" ? 1 : 0);
    expect(ends(before) - removed + added).toBe(ends(after));
  });
  fc.assert(property, { numRuns: 40 });
}, 60_000);
