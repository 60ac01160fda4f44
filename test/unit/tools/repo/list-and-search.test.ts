import { describe, expect, it } from "vitest";
import { findFiles } from "../../../../src/tools/repo/find-files.ts";
import { grep } from "../../../../src/tools/repo/grep.ts";
import { listFiles } from "../../../../src/tools/repo/list-files.ts";
import type { FileSearch, TextFound, TextQuery } from "../../../../src/workspace/search/file-search.ts";
import { locateRipgrep } from "../../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../../src/workspace/search/ripgrep.ts";
import { answerOf, contextFor, folderWorkspace } from "../folder-workspace.ts";

const real = ripgrepSearch({ binary: (await locateRipgrep("")) ?? "ripgrep is not installed" });
const FILES = {
  "a.txt": "alpha\nsecond\nthird\nalpha\n",
  "src/sum.js": "export function sum(a, b) {\n  return a + b\n}\n",
  "src/use.js": "import { sum } from './sum.js'\n",
  "src/deep/er/x.js": "",
  "odd \u202ename.txt": "odd\n",
};

/** A search that answers what it is told and remembers what it was asked. */
function told(found: Partial<TextFound & { ok: true }>): { readonly search: FileSearch; readonly asked: TextQuery[] } {
  const asked: TextQuery[] = [];
  return {
    asked,
    search: {
      files: () => Promise.resolve({ ok: true, paths: [] }),
      grep: (query) => {
        asked.push(query);
        return Promise.resolve({ ok: true, files: [], matches: 0, filesWithMatches: 0, binary: [], ...found });
      },
    },
  };
}

describe("list_files", () => {
  const list = (args: object) => answerOf(listFiles, args, contextFor({ workspace: folderWorkspace(FILES) }));

  it("lists two folders deep, folders with a slash and odd names in quotes", async () => {
    expect(await list({})).toBe('a.txt\n"odd \u202ename.txt"\nsrc/\nsrc/deep/\nsrc/sum.js\nsrc/use.js'.replace("\u202e", "⟦U+202E⟧"));
  });

  it.each([
    ["below a folder", { path: "src", depth: 1 }, "src/deep/\nsrc/sum.js\nsrc/use.js"],
    ["as deep as it is told", { path: "./src/", depth: 3 }, "src/deep/\nsrc/deep/er/\nsrc/deep/er/x.js\nsrc/sum.js\nsrc/use.js"],
    ["a file", { path: "a.txt" }, "[error] a.txt is a file; read_file shows it."],
    ["a missing folder", { path: "lib" }, "[error] There is no folder lib. Did you mean near.txt?"],
  ])("lists %s", async (_, args, expected) => {
    expect(await list(args)).toBe(expected);
  });

  it.each(["/", "..", ".git", "src/../.."])("refuses %s", async (path) => {
    expect(await list({ path })).toMatch(/^\[error\] The path /);
  });

  it("says how much of a long list it shows", async () => {
    const entries = Array.from(
      { length: 1500 },
      (_, n) => ({ path: `a-rather-long-file-name-number-${n}.txt`, kind: "file", size: 0 }) as const,
    );
    const workspace = { ...folderWorkspace(), list: () => Promise.resolve(entries) };
    const answer = await answerOf(listFiles, {}, contextFor({ workspace }));
    const shown = Number(/\[the first (\d+) of 1500 entries; /.exec(answer)?.[1]);
    expect(answer.split("\n").length).toBe(shown + 1);
    expect(Buffer.byteLength(answer)).toBeLessThan(31_000);
  });

  it("says when there is nothing", async () => {
    expect(await answerOf(listFiles, {}, contextFor({ workspace: folderWorkspace() }))).toBe("(no files)");
  });
});

describe("find_files", () => {
  const find = (pattern: string) => answerOf(findFiles(real), { pattern }, contextFor({ workspace: folderWorkspace(FILES) }));

  it.each([
    ["**/*.js", "src/deep/er/x.js\nsrc/sum.js\nsrc/use.js"],
    ["**/a.txt", "a.txt"],
    ["sum.js", "src/sum.js"],
    ["*.rs", 'No file matches "*.rs".'],
  ])("finds %s", async (pattern, expected) => {
    expect(await find(pattern)).toBe(expected);
  });

  it("answers a broken pattern with what is wrong", async () => {
    expect(await find("{a")).toMatch(/^\[error\] The glob cannot be used: /);
  });

  it("says how much of a long list it shows", async () => {
    const paths = Array.from({ length: 5000 }, (_, n) => `folder/file-${n}.txt`);
    const search: FileSearch = { ...real, files: () => Promise.resolve({ ok: true, paths }) };
    expect(await answerOf(findFiles(search), { pattern: "*" }, contextFor({}))).toMatch(
      /\n\[the first \d+ of 5000 files; a narrower pattern shows the others\]$/,
    );
  });
});

describe("grep", () => {
  const find = (args: object) => answerOf(grep(real), args, contextFor({ workspace: folderWorkspace(FILES) }));

  it.each([
    ["lines by file", { pattern: "sum\\(|alpha" }, "a.txt\n1:alpha\n4:alpha\n\nsrc/sum.js\n1:export function sum(a, b) {"],
    ["lines of some files", { pattern: "ALPHA", ignore_case: true, glob: "*.txt" }, "a.txt\n1:alpha\n4:alpha"],
    [
      "lines below a folder",
      { pattern: "sum", path: "./src/" },
      "src/sum.js\n1:export function sum(a, b) {\n\nsrc/use.js\n1:import { sum } from './sum.js'",
    ],
    ["neighbours, with gaps marked", { pattern: "alpha", path: "a.txt", context: 1 }, "a.txt\n1:alpha\n2-second\n3-third\n4:alpha"],
    ["gaps", { pattern: "^\\}|^export", context: 0, path: "src/sum.js" }, "src/sum.js\n1:export function sum(a, b) {\n3:}"],
    [
      "the first ones",
      { pattern: "alpha", limit: 1 },
      "a.txt\n1:alpha\n[1 of 2 matching lines in 1 files; raise limit or narrow the search to see the others]",
    ],
    ["odd names in quotes", { pattern: "odd" }, '"odd ⟦U+202E⟧name.txt"\n1:odd'],
    ["nothing", { pattern: "omega" }, "No matches."],
  ])("shows %s", async (_, args, expected) => {
    expect(await find(args)).toBe(expected);
  });

  it.each([
    ["a broken pattern", { pattern: "(" }, /^\[error\] The pattern cannot be used: unclosed group/],
    ["the root of the machine", { pattern: ".", path: "/" }, /^\[error\] The path "\/" is absolute/],
    ["git's folder", { pattern: ".", path: ".git" }, /^\[error\] .*git's own folder/],
    ["a missing folder", { pattern: ".", path: "lib" }, /^\[error\] There is no file or folder lib\. Did you mean/],
    ["an empty pattern", { pattern: "" }, /^\[error\] .*"pattern" must not be empty/],
  ])("answers %s with an error", async (_, args, expected) => {
    expect(await find(args)).toMatch(expected);
  });

  it("names binary files that match", async () => {
    const { search } = told({ binary: ["a.bin", "b.bin", "c.bin", "d.bin", "e.bin", "f.bin"] });
    expect(await answerOf(grep(search), { pattern: "x" }, contextFor({}))).toBe(
      "No matches.\n[not shown: 6 binary files that match (a.bin, b.bin, c.bin, d.bin, e.bin, …)]",
    );
  });

  it("says why a search did not see everything", async () => {
    const { search } = told({ note: "the search was stopped" });
    expect(await answerOf(grep(search), { pattern: "x" }, contextFor({}))).toBe("No matches.\n[the search was stopped]");
  });

  it("marks gaps between neighbours of different matches", async () => {
    const lines = [3, 4, 9].map((line) => ({ line, matches: line !== 3, text: `line ${line}` }));
    const { search } = told({ files: [{ path: "a.txt", lines }], matches: 2, filesWithMatches: 1 });
    expect(await answerOf(grep(search), { pattern: "x" }, contextFor({}))).toBe("a.txt\n3-line 3\n4:line 4\n--\n9:line 9");
  });

  it("shows no more than fits and counts the rest", async () => {
    const lines = Array.from({ length: 900 }, (_, n) => ({ line: n + 1, matches: true, text: "x".repeat(100) }));
    const { search } = told({ files: [{ path: "a.txt", lines }], matches: 900, filesWithMatches: 1 });
    const answer = await answerOf(grep(search), { pattern: "x", limit: 1000 }, contextFor({}));
    expect(Buffer.byteLength(answer)).toBeLessThan(31_000);
    expect(answer).toMatch(/\n\[28\d of 900 matching lines in 1 files; narrow the search to see the others\]$/);
  });

  it("asks for a file by its name on disk", async () => {
    const { search, asked } = told({});
    const workspace = folderWorkspace({ "u\u0308.md": "" });
    await answerOf(grep(search), { pattern: "x", path: "\u00fc.md" }, contextFor({ workspace }));
    expect(asked.map(({ path }) => path)).toEqual(["u\u0308.md"]);
  });
});
