import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CodeGraph, EdgeKind } from "../../../src/graph/graph.ts";
import { edges, linked, live, sources } from "./linked.ts";
import type { Files } from "./linked.ts";

const ALL: readonly EdgeKind[] = ["call", "reference", "inherits", "implements", "overrides", "imports", "tests"];
const start = {
  "a.ts": "export class A {\n  go() {}\n}\nexport const make = () => new A()\n",
  "b.ts": "import { make } from './a'\nexport const use = () => make().go()\n",
  "c.ts": "import { use } from './b'\nexport const main = () => use()\n",
};

function all(graph: CodeGraph): string[] {
  return edges(graph, ...ALL);
}

async function updated(before: Files, changed: Files, removed: readonly string[] = []): Promise<CodeGraph> {
  const graph = await live(before);
  return graph.update({ changed: sources(changed), removed });
}

test.each([
  [
    "a body that changes",
    { "a.ts": "export class A {\n  go() { stop() }\n}\nfunction stop() {}\nexport const make = () => new A()\n" },
    [],
  ],
  [
    "another result of a function that others call on",
    { "a.ts": "export class B {\n  go() {}\n}\nexport const make = () => new B()\n" },
    [],
  ],
  [
    "a new file between, that takes a specifier over",
    { "a/index.ts": "export const other = 1\n", "d.ts": "import { main } from './c'\nexport const d = () => main()\n" },
    [],
  ],
  ["a file that goes", {}, ["a.ts"]],
  ["a file that is renamed", { "z.ts": start["a.ts"], "b.ts": start["b.ts"].replace("./a", "./z") }, ["a.ts"]],
  [
    "a mapping that comes",
    {
      "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./*"]}}}',
      "c.ts": "import { use } from '@/b'\nexport const main = () => use()\n",
    },
    [],
  ],
  ["a file that breaks", { "a.ts": Buffer.from([0, 0]) }, []],
])("after %s the graph is as if it were built anew", async (_, changed, removed) => {
  const files: Record<string, string | Uint8Array> = { ...start, ...changed };
  for (const path of removed) delete files[path];
  expect(all(await updated(start, changed, removed))).toEqual(all(await linked(files)));
});

const inherited = {
  "a.ts": "export class A {\n  go() {}\n}\n",
  "b.ts": "import { A } from './a'\nexport class B extends A {}\n",
  "c.ts": "import { B } from './b'\nexport class C extends B {}\n",
  "d.ts": "import { C } from './c'\nexport const make = () => new C()\n",
  "e.ts": "import { make } from './d'\nexport const use = () => make().go()\n",
};

test.each([
  ["a class between", { "b.ts": "import { A } from './a'\nexport class B extends A {\n  go() {}\n}\n" }],
  ["the class itself", { "c.ts": "import { B } from './b'\nexport class C extends B {\n  go() {}\n}\n" }],
  ["another base of a class between", { "b.ts": "export class B {\n  go() {}\n}\n" }],
])("a method that %s begins to declare is called where the receiver came from elsewhere", async (_, changed) => {
  expect(all(await updated(inherited, changed))).toEqual(all(await linked({ ...inherited, ...changed })));
});

const handedOn = {
  "m.ts": "export const one = 1\n",
  "n.ts": "export * from './m'\n",
  "o.ts": "import { two } from './n'\nexport { two }\n",
  "p.ts": "import { two } from './o'\nexport const use = () => two()\n",
  "q.ts": "export * as all from './n'\n",
  "r.ts": "import { all } from './q'\nexport const use = () => all.two()\n",
  "s/__init__.py": "from .t import two\n",
  "s/t.py": "one = 1\n",
  "u.py": "from s import two\n\ndef use():\n    return two()\n",
};

test("a name that begins to be handed on is found by all that asked for it in vain", async () => {
  const changed = { "m.ts": "export const two = () => 2\n", "s/t.py": "def two():\n    return 2\n" };
  expect(all(await updated(handedOn, changed))).toEqual(all(await linked({ ...handedOn, ...changed })));
});

test("a graph that was answered before an update stays as it was", async () => {
  const graph = await live(start);
  const before = graph.graph;
  const lines = all(before);
  await graph.update({ removed: ["a.ts"] });
  expect(all(before)).toEqual(lines);
  expect(graph.graph).not.toBe(before);
});

test("whatever is changed in whatever order, updating equals building", async () => {
  const bodies = [
    "export class A { go() {} }\nexport const make = () => new A()\n",
    "export class A { stop() {} go() { this.stop() } }\nexport const make = (): A => new A()\n",
    "import { make as other } from './f1'\nexport const make = () => other()\nexport class A {}\n",
    "export * from './f2'\n",
    "import { make } from './f0'\nexport const use = () => make().go()\n",
    "import { use } from './f3'\nimport { A } from './f1'\nexport class B extends A { go() { use() } }\nexport const make = () => new B()\n",
  ];
  const step = fc.tuple(fc.nat({ max: 4 }), fc.option(fc.constantFrom(...bodies)));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const files: Record<string, string> = { "f0.ts": bodies[0] ?? "", "f1.ts": bodies[4] ?? "", "f2.ts": bodies[1] ?? "" };
      const graph = await live(files);
      for (const [number, body] of steps) {
        const path = `f${number}.ts`;
        if (body === null) delete files[path];
        else files[path] = body;
        await graph.update(body === null ? { removed: [path] } : { changed: sources({ [path]: body }) });
      }
      expect(all(graph.graph)).toEqual(all(await linked(files)));
    }),
    { numRuns: 60 },
  );
});

test("an impl that comes in another file of the crate is seen where its method is called", async () => {
  const before = {
    "Cargo.toml": '[package]\nname = "k"\n',
    "src/lib.rs": "mod b;\npub struct A;\nfn run(a: A) { a.go() }\n",
    "src/b.rs": "\n",
  };
  const changed = { "src/b.rs": "use crate::A;\nimpl A {\n  pub fn go(&self) {}\n}\n" };
  const graph = await updated(before, changed);
  expect(edges(graph, "call")).toEqual(["src/lib.rs#run > src/b.rs#A.go"]);
  expect(all(graph)).toEqual(all(await linked({ ...before, ...changed })));
});
