import { describe, expect, test } from "vitest";
import type { DiffFile } from "../../../../src/review/diff/diff-file.ts";
import { parseHunks } from "../../../../src/review/diff/parse-hunks.ts";
import { fingerprintOf, isSameRemark } from "../../../../src/review/place/fingerprint.ts";
import type { Remark } from "../../../../src/review/remark.ts";

const file = (patch: string, path = "a.ts"): DiffFile => {
  const blobs = ["1".repeat(40), "2".repeat(40)] as const;
  return { path, status: "modified", modes: ["100644", "100644"], blobs, isBinary: false, hunks: parseHunks(patch) };
};
const BEFORE = file("@@ -0,0 +1,3 @@\n+const a = 1\n+const b = null\n+const c = 3");
const MOVED = file("@@ -0,0 +1,5 @@\n+// new\n+// new\n+const a = 1\n+  const b = null\n+const c = 3");
const made: Remark = { path: "a.ts", line: 2, body: "`b` may be **null** here: check it first." };
const print = (remark: Partial<Remark>, files: readonly DiffFile[] = [MOVED]) => fingerprintOf({ ...made, line: 4, ...remark }, files);
const first = fingerprintOf(made, [BEFORE]);

describe("a remark is known again", () => {
  test.each<[string, ReturnType<typeof print>, boolean]>([
    ["on its line that moved", print({}), true],
    ["in mostly the same words", print({ body: "`b` may be null here, check that first!" }), true],
    ["with another suggestion", print({ suggestion: "const b = 2" }), true],
    ["in other words", print({ body: "Rename this variable to something that says what it holds." }), false],
    ["about another line", print({ line: 3 }), false],
    ["in another file", print({ path: "b.ts" }, [file("@@ -0,0 +1,4 @@\n+x\n+y\n+z\n+const b = null", "b.ts")]), false],
    ["where the line is not shown, in the same words", print({ line: 90 }), true],
    ["where the line is not shown, in other words", print({ line: 90, body: "b may be null" }), false],
  ])("%s", (_, again, expected) => {
    expect(isSameRemark(first, again)).toBe(expected);
    expect(isSameRemark(again, first)).toBe(expected);
  });

  test("under a new name of its file", () => {
    const renamed = { ...MOVED, path: "new.ts", previousPath: "a.ts" };
    const again = print({ path: "new.ts" }, [renamed]);
    expect(isSameRemark(first, again)).toBe(false);
    expect(isSameRemark(first, again, (path) => (path === "a.ts" ? ["new.ts"] : []))).toBe(true);
  });
});
