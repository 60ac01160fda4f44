import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enclosing } from "../../../../src/review/read/enclosing.ts";
import { headHunks } from "../../../../src/review/read/head-hunks.ts";
import { diffFile } from "../files.ts";

/** What stands around the line that bears `<<<`. */
function around(path: string, source: string): readonly string[] | undefined {
  const lines = source.split("\n");
  const at = lines.findIndex((row) => row.includes("<<<")) + 1;
  return enclosing(path, lines, at)?.map(({ text }) => text);
}

test.each<[string, string, string, readonly string[] | undefined]>([
  [
    "a method of a class",
    "a.ts",
    "export class Basket {\n  private items = []\n\n  async add(item: Item): Promise<void> {\n    if (item) {\n      x() // <<<",
    ["export class Basket {", "async add(item: Item): Promise<void> {"],
  ],
  [
    "a head of several lines",
    "a.ts",
    "function before() {\n  y()\n}\n\nexport function total(\n  a: number,\n  b: number,\n): number {\n  return a // <<<",
    ["export function total("],
  ],
  ["a bound function", "a.js", "const add = async (a, b) => {\n  return a // <<<", ["const add = async (a, b) => {"]],
  [
    "a case of a test",
    "a.test.ts",
    'describe("sum", () => {\n  it("adds", () => {\n    expect(1) // <<<',
    ['describe("sum", () => {', 'it("adds", () => {'],
  ],
  ["a branch is no method", "a.js", "if (ready) {\n  while (true) {\n    x() // <<<", []],
  ["the top of a file", "a.ts", "function f() {\n  x()\n}\nconst y = 1 // <<<", []],
  [
    "Python, over an empty line",
    "a.py",
    "class A:\n    def one(self):\n        return 1\n\n    async def two(self):\n        x = 1\n\n        y = 2  # <<<",
    ["class A:", "async def two(self):"],
  ],
  ["Go, with tabs", "a.go", "func (s *Server) Close() error {\n\tif x {\n\t\treturn nil // <<<", ["func (s *Server) Close() error {"]],
  [
    "Rust",
    "a.rs",
    "impl<T> Stack<T> {\n    pub fn push(&mut self, x: T) {\n        self.0.push(x) // <<<",
    ["impl<T> Stack<T> {", "pub fn push(&mut self, x: T) {"],
  ],
  [
    "Java",
    "A.java",
    "public class A {\n    public static void main(String[] args) throws Exception {\n        run(); // <<<",
    ["public class A {", "public static void main(String[] args) throws Exception {"],
  ],
  ["C, with the brace on a line of its own", "a.c", "static int f(int a)\n{\n    return a; // <<<", []],
  ["Ruby", "a.rb", "module M\n  class A\n    def b\n      1 # <<<", ["module M", "class A", "def b"]],
  [
    "a job of a workflow",
    "ci.yml",
    "jobs:\n  build:\n    steps:\n      - name: Test\n        run: npm test # <<<",
    ["jobs:", "build:", "steps:", "- name: Test"],
  ],
  ["the key of an object", "package.json", '{\n  "scripts": {\n    "test": "<<<"', ['"scripts": {']],
  ["the headings of a text", "a.md", "# One\n\n## Old\n\n## Two\n\n```\n# no heading\n```\n\nWords <<<", ["# One", "## Two"]],
  ["nothing, where no rule is known", "a.xyz", "thing {\n  x <<<", undefined],
])("around a line: %s", (_, path, source, expected) => {
  expect(around(path, source)).toEqual(expected);
});

describe("over a hunk", () => {
  const source = [
    "class A {",
    "  one() {",
    ...Array.from({ length: 6 }, (_, at) => `    step(${at})`),
    "  }",
    "",
    "  two() {",
    "    x()",
    "  }",
    "}",
  ];
  const heading = (hunk: string, path = "a.ts"): string | undefined => headHunks(diffFile(path, hunk), source.join("\n")).hunks[0]?.heading;
  test("stands what it does not show itself", () => {
    expect(heading("@@ -5,2 +5,3 @@ class A {\n     step(2)\n+    step(3)\n     step(4)")).toBe("class A › one()");
  });
  test("not what git took from above a declaration that the hunk shows", () => {
    expect(heading("@@ -9,3 +9,4 @@ one() {\n   }\n \n   two() {\n+    x()")).toBe("class A");
  });
  test("stands git's own where no rule knows the language, or there is nothing around it", () => {
    expect(heading("@@ -5,2 +5,3 @@ git's own\n     step(2)\n+    step(3)\n     step(4)", "a.xyz")).toBe("git's own");
    expect(heading("@@ -1,0 +1,1 @@ git's own\n+class A {")).toBe("git's own");
  });
  test("stands what lines that are gone stood in", () => {
    expect(heading("@@ -4,2 +4,1 @@\n-    gone()\n     step(1)")).toBe("class A › one()");
  });
});

test("whatever a file holds, lines and names are bounded, above the line, and found in time", () => {
  const row = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      "class A {",
      "  f(a, b) {",
      "\tdef x(): ",
      "} else {",
      "))))((((",
      "throws throws throws throws",
      "(".repeat(5000),
      "a".repeat(5000),
    ),
  );
  const path = fc.constantFrom("a.ts", "a.py", "a.go", "a.rs", "a.java", "a.md", "a.yml", "a.json", "a.css", "a.sh", "a.rb");
  fc.assert(
    fc.property(path, fc.array(row, { minLength: 1, maxLength: 60 }), fc.nat(), (name, rows, at) => {
      const line = 1 + (at % rows.length);
      const found = enclosing(name, rows, line) ?? [];
      expect(found.length).toBeLessThanOrEqual(4);
      for (const one of found) {
        expect(one.line).toBeLessThan(line);
        expect(rows[one.line - 1]?.trim()).toBe(one.text);
      }
      expect(found.map((one) => one.line)).toEqual(found.map((one) => one.line).toSorted((a, b) => a - b));
    }),
    { numRuns: 200 },
  );
});
