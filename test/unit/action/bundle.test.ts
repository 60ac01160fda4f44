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

  test("is the same bytes each time, wherever it is built", { timeout: 120_000 }, async () => {
    await using again = await buildBundle();
    expect(await filesOf(again.folder)).toEqual(await filesOf(built.folder));
  });

  /** The files that are read before the last of these runs. */
  const loadedBy = (files: ReadonlyMap<string, Buffer>, names: readonly string[]): ReadonlySet<string> => {
    const found = new Set<string>();
    const follow = (name: string): void => {
      if (found.has(name)) return;
      found.add(name);
      const source = files.get(name)?.toString("utf8") ?? "";
      for (const [, next = ""] of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) follow(next);
    };
    for (const name of names) follow(name);
    return found;
  };
  const sizeOf = (files: ReadonlyMap<string, Buffer>, names: ReadonlySet<string>): number =>
    [...names].reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);

  test("loads at most half a megabyte of JavaScript before its first request", async () => {
    const files = await filesOf(built.folder);
    const first = loadedBy(files, ["index.js", "play.js"]);
    expect(first.size).toBeGreaterThan(3);
    expect(sizeOf(files, first)).toBeLessThan(500_000);
  });

  test("loads at most 3 MB of JavaScript at its start, no parser among it, and nothing from beside it", async () => {
    const files = await filesOf(built.folder);
    // What an event loads that starts something, until its model is asked.
    const start = loadedBy(files, ["index.js", "play.js", "perform.js", "equipment.js"]);
    expect(start).toContain("perform.js");
    expect(start).not.toContain("typescript.js");
    expect(sizeOf(files, start)).toBeLessThan(3_000_000);
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
