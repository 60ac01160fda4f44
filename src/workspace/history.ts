import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Remote, Store } from "./store.ts";

/** Whoever asks about history: the store holds only what was needed so far, and the rest comes from the remote. */
export interface History {
  readonly store: Store;
  /** Absent where nothing can be fetched: answers then end at what is there. */
  readonly remote?: Remote | undefined;
}

export interface HistoryWish {
  readonly sha: string;
  readonly count: number;
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Generations that are brought at once at the least; a question is rarely alone. */
const STEP = 50;
/** Steps that are tried before all of the history is fetched. */
const STEPS = 3;
/** Whoever needs more than this is served by all of it. */
const MOST_MORE = 100_000;

/**
 * Makes sure that `count` commits before and with `sha` are there, each with its parents, so that each can be shown as a change.
 * With `path` only commits that touch it count, which may take the whole history. Answers whether something was fetched. @throws {FetchError}
 */
export function ensureHistory(history: History, { sha, count, path, signal }: HistoryWish): Promise<boolean> {
  return deepenUntil(history, { sha, signal }, () => missingGenerations(history.store, { sha, count, path }));
}

/**
 * Brings history in growing steps until `missing`, which is asked before each and answers a least number of generations, answers 0, or all
 * is there. Answers whether something was fetched. @throws {FetchError}
 */
export async function deepenUntil(
  { store, remote }: History,
  { sha, signal }: Pick<HistoryWish, "sha" | "signal">,
  missing: () => Promise<number>,
): Promise<boolean> {
  if (remote === undefined) return false;
  for (let step = 0; ; step += 1) {
    const least = await missing();
    if (least === 0) return step > 0;
    const more = step < STEPS && least < MOST_MORE ? Math.max(least, STEP * 4 ** step) : "all";
    await store.deepen({ remote, sha, more, signal });
    if (more === "all") return true;
  }
}

async function missingGenerations({ git, gitDir }: Store, { sha, count, path }: HistoryWish): Promise<number> {
  const shallow = await shallowCommits(gitDir);
  if (shallow.size === 0) return 0;
  const args = ["rev-list", `--max-count=${count}`, sha, ...(path === undefined ? [] : ["--", path])];
  const found = (await git.text(args, { gitDir })).split("\n").filter(Boolean);
  // A commit whose parents are not there looks as though it had made everything.
  if (!found.some((commit) => shallow.has(commit)) && found.length === count) return 0;
  const reached = path === undefined ? found : (await git.text(["rev-list", sha], { gitDir })).split("\n").filter(Boolean);
  return reached.some((commit) => shallow.has(commit)) ? Math.max(1, count + 1 - found.length) : 0;
}

/** Commits whose parents were left out. */
export async function shallowCommits(gitDir: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(gitDir, "shallow"), "utf8").catch(() => "");
  return new Set(text.split("\n").filter(Boolean));
}
