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

test("a name that goes and comes back with its file is found again through the file that hands it on", async () => {
  const files = {
    "a.ts": "import { use } from './b'\nexport const go = () => use()\n",
    "b.ts": "export * from './c'\n",
    "c.ts": "export const use = () => 1\n",
  };
  const graph = await live(files);
  await graph.update({ removed: ["c.ts"] });
  await graph.update({ changed: sources({ "c.ts": files["c.ts"] }) });
  expect(all(graph.graph)).toEqual(all(await linked(files)));
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

const lines = Object.entries(inherited).flatMap(([path, text]) => text.split("\n").map((line) => ({ path, line })));

test("whatever line of whatever file goes, comes or moves, updating equals building", async () => {
  const files: Readonly<Record<string, string>> = {
    ...inherited,
    "f.ts":
      "import { use } from './e'\nexport const api = { run: use, with: (f: (c: C) => void) => f(new C()) }\nimport { C } from './c'\n",
    "g.ts":
      "import { api as other } from './f'\nexport default function () {\n  return [1].map(() => other.run())\n}\nother.with((c) => c.go())\n",
    "h.ts":
      "import any from './g'\nexport type On = (e: { stop(): void; at: D }) => void\nexport interface D {\n  go(): void\n}\nany().map((each) => each)\n",
    "i.ts": "import type { On } from './h'\nexport const on = (f: On) => f\n",
    "j.ts": "import { on } from './i'\non((e) => e.stop())\non(({ at }) => at.go())\n",
  };
  const edit = fc.record({
    path: fc.constantFrom(...Object.keys(files)),
    at: fc.nat({ max: 5 }),
    line: fc.option(fc.constantFrom(...lines)),
    isLess: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const now: Record<string, string> = { ...files };
      const graph = await live(files);
      for (const { path, at, line, isLess } of edits) {
        const text = (now[path] ?? "").split("\n");
        text.splice(at, isLess ? 1 : 0, ...(line === null ? [] : [line.line]));
        now[path] = text.join("\n");
        await graph.update({ changed: sources({ [path]: now[path] }) });
      }
      expect(all(graph.graph)).toEqual(all(await linked(now)));
    }),
    { numRuns: 80 },
  );
});

test("a declaration that comes before others changes only where those stand", async () => {
  const before = { ...start, "a.ts": start["a.ts"], "d.ts": "import { A } from './a'\nexport const d = (a: A) => a.go()\n" };
  const changed = { "a.ts": `const first = [1].map((n) => n + 1)\nfunction other() {}\n${start["a.ts"]}` };
  const graph = await updated(before, changed);
  expect(all(graph)).toEqual(all(await linked({ ...before, ...changed })));
  expect(edges(graph, "call")).toContain("d.ts#d > a.ts#A.go");
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
