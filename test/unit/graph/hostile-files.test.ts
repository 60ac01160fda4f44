import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openExtractor } from "../../../src/graph/extract/extract.ts";
import { LANGUAGES } from "../../../src/graph/facts.ts";
import { edges, linked, live, sources } from "./linked.ts";

test.each([
  ["a binary", "a.ts", Buffer.from([0, 1, 2, 255]), /^binary$/u],
  ["a line of megabytes", "a.js", `export const a = "${"x".repeat(300_000)}"\n`, /too large/u],
  ["a file of megabytes", "a.py", "a = 1\n".repeat(300_000), /larger than/u],
  ["brackets twenty thousand deep", "a.ts", `const a = ${"(".repeat(20_000)}1${")".repeat(20_000)}`, /nested too deeply/u],
  ["lists twenty thousand deep", "a.py", `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}`, /nested too deeply/u],
  ["vendored code", "vendor/a.go", "package a\n", /^vendored$/u],
])("%s is named as not indexed, and its neighbour is read", async (_, path, text, why) => {
  const graph = await linked({ [path]: text, "ok.ts": "function f() {}\nexport const g = () => f()\n" });
  expect(graph.notIndexed).toEqual([{ path, why: expect.stringMatching(why) }]);
  expect(edges(graph, "call")).toEqual(["ok.ts#g > ok.ts#f"]);
});

test("a broken file is read as far as it goes, and says so", async () => {
  const graph = await linked({ "a.ts": "export function f() {}\nexport function ( {{{\n", "b.py": "def f():\n    pass\ndef (:\n" });
  expect(graph.file("a.ts")?.syntaxErrors?.line).toBe(2);
  expect(graph.file("b.py")?.syntaxErrors).toBeDefined();
  expect(graph.symbolsOf("a.ts").map(({ name }) => name)).toContain("f");
});

test("files beyond the greatest number are named as not indexed", async () => {
  const { buildGraph } = await import("../../../src/graph/build-graph.ts");
  const files = sources(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}.ts`, "export {}\n"])));
  const { graph } = await buildGraph({ files, maxFiles: 3 });
  expect(graph.files).toHaveLength(3);
  expect(graph.notIndexed.map(({ why }) => why)).toEqual(["beyond the first 3 files", "beyond the first 3 files"]);
});

test("an encoding of old and names of Object's own are read like any other", async () => {
  const latin = Buffer.from("# caf\u00e9\ndef f():\n    pass\ndef g():\n    f()\n", "latin1");
  const graph = await linked({
    "a.py": latin,
    "b.js": "export function constructor() {}\nexport function __proto__() { return constructor() }\n",
  });
  expect(edges(graph, "call")).toEqual(["a.py#g > a.py#f", "b.js#__proto__ > b.js#constructor"]);
});

test("classes that inherit in a circle, aliases of themselves and calls of themselves come to an end", async () => {
  const graph = await linked({
    "a.ts":
      "export class A extends B {}\nexport class B extends A { go() { return this.go() } }\ntype T = T[]\nexport const f = (t: T) => f(t)\nexport const g = () => g().x.y()\n",
    "b.py": "class A(B):\n    pass\nclass B(A):\n    def go(self):\n        return self.go().go()\n",
  });
  expect(edges(graph, "call")).toContain("a.ts#B.go > a.ts#B.go");
});

const SEEDS = [
  "import x, { y as z } from './a'\nexport class A<T> extends B implements C { private a = 1; get b() { return this.a } m(@d p: T) { for (const [k, v] of p) k?.(v) } }\n",
  "from .a import b as c\nclass A(B):\n    def f(self, x: 'int', *a, **k):\n        with x as y, z:\n            return [i.j() for i in y if i]\n",
  'package a\nimport "b"\nfunc (t *T[K]) F(a, b int) (c error) { for i, v := range x { switch y := v.(type) { case int: y() } }; return nil }\n',
  "package a; class B<T> extends C { int f(String... a) { return x -> x.y(); } record R(int q) {} }\n",
  "impl<T> A for B<T> { fn f(&self) -> Self { match x { A::B(y) => y.z()?, _ => m!(a.b()) } } }\n",
  "module A\n  class B < C::D\n    def self.f(a, *b) = @x.y { |z| z }\n  end\nend\n",
  "namespace A.B; class C : D { int F { get; set; } async Task G() => await x?.Y(z => z.W()); }\n",
  "<?php namespace A; use B\\{C, D as E}; class F extends G { function __construct(private H $h) { $this->h?->i(fn($x) => $x); } }\n",
  "#include <a.h>\ntypedef struct { int a; } B; template<class T> T A::f(T *x) { return x->y[0].z(); }\n",
  "f() { source ./a.sh; g | h; }\nfunction k { $(f); }\n",
];

test("no bytes make an extractor throw or answer anything but facts or a reason", async () => {
  const extractor = openExtractor();
  const text = fc.tuple(fc.constantFrom(...SEEDS), fc.nat(), fc.nat(), fc.string({ maxLength: 8 })).map(([seed, from, to, put]) => {
    const [start, end] = [from % seed.length, to % seed.length].toSorted((a, b) => a - b);
    return seed.slice(0, start) + put + seed.slice(end);
  });
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...LANGUAGES), async (source, language) => {
      const found = await extractor.extract(Buffer.from(source), language);
      if (!found.ok) return found.why.length > 0;
      expect(JSON.parse(JSON.stringify(found.facts))).toEqual(found.facts);
      return found.facts.symbols.every(({ parent }, at) => parent < at);
    }),
    { numRuns: 400 },
  );
});

test("mutilated files of all languages are linked without an error", async () => {
  const endings = ["ts", "py", "go", "java", "rs", "rb", "cs", "php", "cpp", "sh"];
  const files = fc.array(fc.tuple(fc.constantFrom(...endings.keys()), fc.nat()), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(files, async (cuts) => {
      const made = cuts.map(([at, cut], number) => [`f${number}.${endings[at]}`, (SEEDS[at] ?? "").slice(cut % 40)] as const);
      const { graph } = await live(Object.fromEntries(made));
      return graph.symbols.every(({ id }) => graph.edgesFrom(id).every(({ to }) => graph.symbols[to] !== undefined));
    }),
    { numRuns: 60 },
  );
});
