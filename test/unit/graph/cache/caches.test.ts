import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildGraph } from "../../../../src/graph/build-graph.ts";
import { encodedCache, decodeFacts, encodeFacts } from "../../../../src/graph/cache/encoded-cache.ts";
import { openPackFile } from "../../../../src/graph/cache/pack-file.ts";
import { DamagedFactsError } from "../../../../src/graph/cache/lazy-facts.ts";
import { FACTS_VERSION, type FactsCache } from "../../../../src/graph/facts.ts";
import { sourcesOf } from "../built.ts";

const files = { "a.ts": "export const f = () => 1\n", "b.ts": "import { f } from './a'\nexport const g = () => f()\n" };

/** Builds a graph over a cache, and answers how many files had to be read for it. */
async function readsWith(cache: FactsCache): Promise<number> {
  let reads = 0;
  const sources = sourcesOf(files).map((source) => ({ ...source, bytes: () => (reads++, source.bytes()) }));
  const { graph } = await buildGraph({ files: sources, cache });
  const g = graph.symbols.find(({ name }) => name === "g");
  expect(graph.edgesFrom(g?.id ?? -1).map(({ kind }) => kind)).toContain("call");
  return reads;
}

describe("encoded facts", () => {
  it("stand for the blobs they were made of", async () => {
    const rows = new Map<string, Uint8Array>();
    const cache = encodedCache({
      read: (keys) => Promise.resolve(new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) as Uint8Array]] : [])))),
      write: (entries) => Promise.resolve(entries.forEach((bytes, key) => rows.set(key, bytes))),
    });
    expect([await readsWith(cache), await readsWith(cache)]).toEqual([2, 0]);
    rows.forEach((_, key) => rows.set(key, Buffer.from("not what it was")));
    expect(await readsWith(cache)).toBe(2);
  });

  it("cost no more than the work again when their store fails", async () => {
    const failures: unknown[] = [];
    const broken = () => Promise.reject(new Error("away"));
    expect(await readsWith(encodedCache({ read: broken, write: broken }, (error) => failures.push(error)))).toBe(2);
    expect(failures).toHaveLength(2);
  });

  it("leave turns to others while many are packed and unpacked", async () => {
    const rows = new Map<string, Uint8Array>();
    const cache = encodedCache({
      read: () => Promise.resolve(rows),
      write: (entries) => Promise.resolve(entries.forEach((bytes, key) => rows.set(key, bytes))),
    });
    const { graph } = await buildGraph({ files: sourcesOf(files) });
    const facts = graph.factsOf("a.ts");
    const many = new Map(Array.from({ length: 200 }, (_, at) => [`${at}`, facts as NonNullable<typeof facts>]));
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const other = (): void => {
      turns += 1;
      next = setImmediate(other);
    };
    next = setImmediate(other);
    onTestFinished(() => clearImmediate(next));
    await cache.write(many);
    const written = turns;
    expect((await cache.read([...many.keys()])).size).toBe(200);
    expect(written).toBeGreaterThan(2);
    expect(turns).toBeGreaterThan(written + 2);
  });

  it.each([
    [
      "of another version",
      { version: -1, symbols: [], bindings: [], scopes: [], expressions: [], imports: [], exports: [], assignments: [], types: [] },
    ],
    ["that are no object", 7],
    ["without their lists", { version: 1 }],
  ])("%s are none", (_, value) => {
    expect(decodeFacts(encodeFacts(value as never))).toBeUndefined();
  });
});

describe("a pack", () => {
  const place = () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "below", "pack.zst");
  };
  const use = async (path: string): Promise<number> => {
    const pack = openPackFile(path);
    const reads = await readsWith(pack.cache);
    await pack.save();
    return reads;
  };

  it("holds a repository's facts in one file of the user's own, and is not written again without need", async () => {
    const path = place();
    expect(await use(path)).toBe(2);
    const { ino, mode } = statSync(path);
    expect(mode & 0o777).toBe(0o600);
    expect(await use(path)).toBe(0);
    expect(statSync(path).ino).toBe(ino);
    expect(readdirSync(join(path, ".."))).toEqual(["pack.zst"]);
  });

  it.each([
    ["cut off", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 40))],
    ["no pack at all", (path: string) => writeFileSync(path, "hello")],
    [
      "changed by a byte",
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
        ),
    ],
    [
      "one of another version",
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, at) => (at === 16 ? 0x37 : byte)),
        ),
    ],
  ])("that is %s counts as empty and is replaced", async (_, spoil) => {
    const path = place();
    await use(path);
    spoil(path);
    expect([await use(path), await use(path)]).toEqual([2, 0]);
  });

  it("that cannot be written is done without", async () => {
    const path = place();
    writeFileSync(dirname(path), "a file stands in the way");
    expect(await use(path)).toBe(2);
  });

  it("whose facts are none, though it is whole, says so when they are looked into", async () => {
    const path = place();
    const pack = openPackFile(path);
    const head = { version: FACTS_VERSION, language: "typescript", lines: 1 };
    const turning = {
      ...head,
      symbols: [{ parent: 0 }],
      bindings: [],
      scopes: [],
      expressions: [],
      imports: [],
      exports: [],
      assignments: [],
      types: [],
    };
    await pack.cache.write(
      new Map([
        ["a", turning as never],
        ["b", head as never],
      ]),
    );
    await pack.save();
    const found = await openPackFile(path).cache.read(["a", "b"]);
    for (const key of ["a", "b"]) {
      expect(found.get(key)?.lines).toBe(1);
      expect(() => found.get(key)?.symbols).toThrow(DamagedFactsError);
    }
  });
});
