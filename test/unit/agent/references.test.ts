import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkReferences } from "../../../src/agent/references.ts";
import { folderWorkspace } from "../tools/folder-workspace.ts";

const FILES = { "src/sum.js": "one\ntwo\nthree\n", "a b/[id].ts": "one", "Makefile.am": "", "README.md": "one\ntwo" };
const check = async (text: string) =>
  (await checkReferences(text, folderWorkspace(FILES))).map(({ written, missing }) =>
    missing === undefined ? written : `${written}: ${missing}`,
  );

it.each([
  ["a place", "It is in src/sum.js:3.", ["src/sum.js:3"]],
  ["a range", "see `src/sum.js:1-3`", ["src/sum.js:1-3"]],
  [
    "a place in a link, in brackets, in a list",
    "[x](src/sum.js:1)\n- (README.md:2)\n* README.md:1,",
    ["src/sum.js:1", "README.md:2", "README.md:1"],
  ],
  ["a path with a leading dot segment", "./src/sum.js:2", ["src/sum.js:2"]],
  ["a place once", "README.md:1 and README.md:1", ["README.md:1"]],
  ["a line behind the end", "src/sum.js:4", ["src/sum.js:4: the file has 3 lines"]],
  ["a range that ends behind the end", "README.md:2-3", ["README.md:2-3: the file has 2 lines"]],
  ["a range that goes backwards", "README.md:2-1", ["README.md:2-1: the file has 2 lines"]],
  ["line nought", "README.md:0", ["README.md:0: the file has 2 lines"]],
  ["an empty file", "Makefile.am:1", ["Makefile.am:1: the file has 0 lines"]],
  ["a file that is not there", "src/none.js:1", ["src/none.js:1: no such file"]],
  ["what leaves the repository", "../../etc/passwd:1", ["../../etc/passwd:1: no path of the repository"]],
  ["an absolute path", "/etc/passwd:1", ["/etc/passwd:1: no path of the repository"]],
  ["no times, ratios, versions or addresses", "at 12:30, 16:9, https://host.example:443/x, localhost:8080, c1:2", []],
])("finds %s", async (_, text, places) => {
  expect(await check(text)).toEqual(places);
});

it("looks at no more than sixty places, and in little time at any text", async () => {
  const many = Array.from({ length: 200 }, (_, line) => `src/sum.js:${line + 1}`).join(" ");
  expect(await check(many)).toHaveLength(60);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "/", ".", ":", "1", "-", " ", "(", "src/sum.js", "\n"), { maxLength: 300 }),
      async (pieces) => {
        for (const place of await check(pieces.join(""))) expect(place).toMatch(/^\S+:\d+(-\d+)?(: .+)?$/);
      },
    ),
    { numRuns: 60 },
  );
  expect(await check(`${"a/".repeat(100_000)}:1`)).toHaveLength(1);
  expect(await check("a.".repeat(100_000))).toEqual([]);
});
