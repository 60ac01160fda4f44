import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildGraph } from "../../../../src/graph/build-graph.ts";
import type { KeptGraph } from "../../../../src/graph/cache/pack-file.ts";
import type { BlobFacts, FactsCache } from "../../../../src/graph/facts.ts";
import type { CodeGraph } from "../../../../src/graph/graph.ts";
import { sourcesOf, type Texts } from "../built.ts";
import { edges } from "../linked.ts";

const start = {
  "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./*"]}}}',
  "a.ts": "export class A {\n  go() {}\n}\nexport const make = () => new A()\n",
  "b.ts": "import { make } from '@/a'\nexport const use = () => make().go()\nexport const lost = () => nowhere()\n",
  "c.bin.ts": "\0",
};

/** Facts and the graph, kept between builds as a pack does. */
function keeper(): { cache: FactsCache; kept: KeptGraph; bytes(): Uint8Array | undefined; spoil(bytes: Uint8Array): void } {
  const facts = new Map<string, BlobFacts>();
  let make: (() => Uint8Array) | undefined;
  return {
    cache: {
      read: (keys) => Promise.resolve(new Map(keys.flatMap((key) => (facts.has(key) ? [[key, facts.get(key) as BlobFacts]] : [])))),
      write: (entries) => Promise.resolve(entries.forEach((value, key) => facts.set(key, value))),
    },
    kept: { read: () => Promise.resolve(make?.()), write: (made) => (make = made) },
    bytes: () => make?.(),
    spoil: (bytes) => (make = () => bytes),
  };
}

async function build(files: Texts, { cache, kept }: ReturnType<typeof keeper>): Promise<{ graph: CodeGraph; reads: number }> {
  let reads = 0;
  const sources = sourcesOf(files).map((source) => ({ ...source, bytes: () => (reads++, source.bytes()) }));
  return { graph: (await buildGraph({ files: sources, cache, kept })).graph, reads };
}

function all(graph: CodeGraph): unknown {
  const open = graph.files
    .map(({ path, blob, role }) => [path, blob, role, graph.unresolvedOf(path)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const links = edges(graph, "call", "reference", "inherits", "implements", "overrides", "imports", "tests");
  const symbols = graph.symbols.map(({ id, parent, ...symbol }) => ({ ...symbol, around: graph.symbols[parent ?? id]?.qualified }));
  const sorted = symbols.toSorted((a, b) => (`${a.path} ${a.fact}` < `${b.path} ${b.fact}` ? -1 : 1));
  return { open, links, symbols: sorted, notIndexed: graph.notIndexed, unresolved: graph.unresolved };
}

test("a graph that was kept is the same graph, and no file is read for it", async () => {
  const place = keeper();
  const first = await build(start, place);
  const again = await build(start, place);
  expect([first.reads, again.reads]).toEqual([4, 0]);
  expect(all(again.graph)).toEqual(all(first.graph));
});

test.each([
  ["a file changed", { ...start, "a.ts": `const first = () => 1\n${start["a.ts"]}` }],
  ["a file came", { ...start, "d.ts": "import { use } from './b'\nexport const d = () => use()\n" }],
  ["a file went", { "tsconfig.json": start["tsconfig.json"], "b.ts": start["b.ts"] }],
  ["a file was renamed", { "tsconfig.json": start["tsconfig.json"], "e.ts": start["a.ts"], "b.ts": start["b.ts"].replace("@/a", "@/e") }],
  ["a mapping changed", { ...start, "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./x/*"]}}}' }],
  ["a file can be read now", { ...start, "c.bin.ts": "export const c = 1\n" }],
])("after %s a kept graph becomes what building it anew gives, and is kept", async (_, files) => {
  const place = keeper();
  await build(start, place);
  const anew = all((await build(files, keeper())).graph);
  expect(all((await build(files, place)).graph)).toEqual(anew);
  const kept = await build(files, place);
  expect([kept.reads, all(kept.graph)]).toEqual([0, anew]);
});

test("without its facts a kept graph is built anew", async () => {
  const [place, other] = [keeper(), keeper()];
  await build(start, place);
  other.spoil(place.bytes() ?? new Uint8Array());
  const { graph, reads } = await build(start, other);
  expect(reads).toBe(4);
  expect(all(graph)).toEqual(all((await build(start, keeper())).graph));
});

test("whatever bytes a kept graph has become, building answers a graph whose questions end", async () => {
  const place = keeper();
  await build(start, place);
  const whole = place.bytes() ?? new Uint8Array();
  const change = fc.record({ at: fc.nat({ max: whole.length - 1 }), byte: fc.integer({ min: 0, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat({ max: whole.length }), async (changes, cut) => {
      const bytes = Uint8Array.from(whole.subarray(0, cut % 3 === 0 ? cut : whole.length));
      for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
      place.spoil(bytes);
      const { graph } = await build(start, place);
      for (const { id } of graph.symbols) {
        graph.edgesFrom(id);
        for (let at: number | undefined = id; at !== undefined; at = graph.symbols[at]?.parent) expect(at).toBeLessThanOrEqual(id);
      }
      expect(graph.files.length).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
});
