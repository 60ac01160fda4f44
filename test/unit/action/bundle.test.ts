import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildBundle } from "../../e2e/action-runner.ts";

const committed = fileURLToPath(new URL("../../../action/dist/", import.meta.url));
let built: Awaited<ReturnType<typeof buildBundle>>;
beforeAll(async () => {
  built = await buildBundle();
});
afterAll(() => built[Symbol.asyncDispose]());

/** Names and bytes of a folder's files. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [])).toSorted();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

describe("the bundle", () => {
  test("that is committed is what the sources make: else run npm run build:action and commit what it writes", async () => {
    const [is, shouldBe] = [await filesOf(committed), await filesOf(built.folder)];
    const stale = [...shouldBe].flatMap(([name, bytes]) => (is.get(name)?.equals(bytes) === true ? [] : [name]));
    expect({ stale, names: [...is.keys()] }).toEqual({ stale: [], names: [...shouldBe.keys()] });
  });

  test("is the same bytes each time, wherever it is built", async () => {
    await using again = await buildBundle();
    expect(await filesOf(again.folder)).toEqual(await filesOf(built.folder));
  });

  test("loads at most 3 MB of JavaScript at its start, and nothing from beside it", async () => {
    const files = await filesOf(built.folder);
    const start = new Set<string>();
    const follow = (name: string): void => {
      if (start.has(name)) return;
      start.add(name);
      const text = files.get(name)?.toString("utf8") ?? "";
      for (const [, next = ""] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) follow(next);
    };
    // What the first chunk loads for an event that starts something counts as the start.
    follow("index.js");
    follow("play.js");
    const size = [...start].reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
    expect(size).toBeLessThan(3_000_000);
    const outside = [...files].flatMap(([name, bytes]) =>
      name.endsWith(".js") && !name.startsWith("node_modules")
        ? [...bytes.toString("utf8").matchAll(/(?:^|[;}\n])(?:import|export)[^"'`;()]{0,4000}?from\s*"([^"]+)"/g)].map(
            ([, from = ""]) => from,
          )
        : [],
    );
    expect(outside.length).toBeGreaterThan(10);
    expect(outside.filter((from) => !from.startsWith("./") && !/^(?:node:)?[\w/]+$/.test(from))).toEqual([]);
  });
});
