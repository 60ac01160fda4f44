import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newHunks } from "../../../../src/review/scope/new-hunks.ts";
import { added, diffFile } from "../files.ts";

const other = { blobs: ["1".repeat(40), "3".repeat(40)] as const };
const pathsOf = (files: ReturnType<typeof newHunks>): string[] => files.map(({ path }) => path);

describe("only what was not read before is shown", () => {
  const before = [diffFile("one.js", added(["a", "b"])), diffFile("two.js", "@@ -5,2 +5,3 @@\n x\n+new\n y")];
  test.each([
    ["nothing new", before, []],
    ["a new file", [...before, diffFile("three.js")], ["three.js"]],
    ["the same lines in another place, after a rebase", [diffFile("two.js", "@@ -50,2 +70,3 @@\n other\n+new\n y", other)], []],
    ["one more line", [diffFile("one.js", added(["a", "b", "c"]), other)], ["one.js"]],
    ["a line once more", [diffFile("one.js", added(["a", "b", "b"]), other)], ["one.js"]],
    ["a line taken back", [diffFile("one.js", added(["a"]), other)], []],
    ["a removed line that was added before", [diffFile("one.js", "@@ -1,2 +1 @@\n a\n-b", other)], ["one.js"]],
    ["another picture", [diffFile("p.png", "", { isBinary: true, ...other })], ["p.png"]],
  ])("%s", (_, now, expected) => {
    expect(pathsOf(newHunks(now, before))).toEqual(expected);
  });

  test("of a file, the hunks that are new", () => {
    const now = diffFile("two.js", "@@ -5,2 +5,3 @@\n x\n+new\n y\n@@ -20 +21,2 @@\n z\n+newer", other);
    expect(newHunks([now], before)[0]?.hunks).toEqual([now.hunks[1]]);
  });

  test("a renamed file is known by its old name", () => {
    const now = diffFile("uno.js", added(["a", "b"]), { previousPath: "one.js", status: "renamed", ...other });
    expect(newHunks([now], before)).toEqual([]);
  });

  test("the same picture as before is not new", () => {
    const picture = diffFile("p.png", "", { isBinary: true });
    expect(newHunks([picture], [picture])).toEqual([]);
  });
});

const rows = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 });
test("whatever was changed: all is new at first, nothing the second time, and no line is lost in between", () => {
  const property = fc.property(rows, rows, (first, second) => {
    const [one, two] = [diffFile("f", added(first)), diffFile("f", added(second), other)];
    expect(newHunks([one], [])).toEqual([one]);
    expect(newHunks([one], [one])).toEqual([]);
    const isMore = [...new Set(second)].some((row) => second.filter((r) => r === row).length > first.filter((r) => r === row).length);
    expect(newHunks([two], [one]).length > 0).toBe(isMore);
  });
  fc.assert(property);
});
