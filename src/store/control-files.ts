import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTarget, type PurgeTarget } from "./forget.ts";
import type { PauseScope } from "./pauses.ts";

/** What the command line asks of the process that holds the embedded database. */
export type Wish = { readonly scope: PauseScope; readonly paused: boolean } | { readonly purge: PurgeTarget };

const NAME = /^control-[0-9a-f-]{36}\.json$/;
/** Bytes; a longer file is none of ours. */
const LONGEST = 1000;

/** Leaves a wish in the data folder, whole from the first moment on; answers its file's path. */
export async function leaveWish(directory: string, wish: Wish): Promise<string> {
  const path = join(directory, `control-${randomUUID()}.json`);
  await writeFile(`${path}.new`, JSON.stringify(wish), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return path;
}

/** Takes the wishes that were left, oldest first; a file goes once `grant` has resolved. What is no wish is removed. */
export async function takeWishes(directory: string, grant: (wish: Wish) => Promise<void>): Promise<void> {
  const names = (await readdir(directory)).filter((name) => NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(directory, name), at: (await stat(join(directory, name))).mtimeMs })),
  );
  for (const { path } of files.toSorted((a, b) => a.at - b.at)) {
    const wish = wishIn(await readFile(path, "utf8"));
    if (wish !== undefined) await grant(wish);
    await rm(path, { force: true });
  }
}

function wishIn(text: string): Wish | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    const { scope, paused, purge } = JSON.parse(text) as { readonly scope?: unknown; readonly paused?: unknown; readonly purge?: unknown };
    if (typeof purge === "string" || typeof purge === "number") {
      const target = readTarget(String(purge));
      return target === undefined ? undefined : { purge: target };
    }
    if (typeof paused !== "boolean") return undefined;
    if (scope === "all" || (typeof scope === "number" && Number.isSafeInteger(scope) && scope > 0)) return { scope, paused };
    return undefined;
  } catch {
    return undefined;
  }
}
