import { randomBytes } from "node:crypto";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Git } from "./git.ts";
import { SCRATCH } from "./scratch.ts";
import type { StoreLock } from "./store-lock.ts";

/** What the stores of one data folder may take. */
export interface StoreLimits {
  /** Bytes of all stores together, 20 GiB by default; those that were not used for longest go first. */
  readonly maxBytes?: number;
  /** Days without a use after which a store is removed, 14 by default. */
  readonly maxDays?: number;
}

/** What an upkeep did. */
export interface Upkeep {
  /** Repository ids whose stores were removed. */
  readonly evicted: readonly number[];
  readonly pinsReleased: number;
  /** Repository ids whose packs were joined. */
  readonly repacked: readonly number[];
  /** Bytes of what is left. */
  readonly bytes: number;
}

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const DEFAULT_BYTES = 20 * 1024 ** 3;
const DEFAULT_DAYS = 14;
/** A pin, like a store, is in use by somebody of another process when it was used since then: whoever holds one says so every hour. */
const IN_USE = 3 * HOUR;
/** A pin that nobody holds is kept so long: whoever asks again, after a review or an approval, finds the commit there. */
const PIN_KEPT = DAY;
/** Each fetch leaves a pack, and git looks into each for each object. */
const MOST_PACKS = 20;
/** Objects that nothing pins are kept so long for whoever is reading them. */
const PRUNE = "1.day.ago";
const REPACK_TIMEOUT = 30 * 60_000;
/** Its modification time is when the store was used last. */
const USED = "used";
/** Names of what is on its way to be removed, or was never finished. */
const DEBRIS = ["new-store-", "broken-", "evicted-", SCRATCH];

/** A store as its upkeep sees it. */
export interface Tended {
  readonly id: number;
  readonly gitDir: string;
  readonly lock: StoreLock;
  /** Commits that runs of this process work on. */
  readonly held: ReadonlySet<string>;
}

/** Says that the store, and one commit of it, are in use now. */
export async function touch(gitDir: string, sha?: string): Promise<void> {
  const now = new Date();
  await utimes(join(gitDir, USED), now, now).catch(() => writeFile(join(gitDir, USED), "").catch(() => undefined));
  if (sha !== undefined) await utimes(join(gitDir, "refs", "runs", sha), now, now).catch(() => undefined);
}

/**
 * Releases the pins of ended runs, joins packs, and removes stores that are old or too many; whatever a run works on stays. Several processes
 * may do this at once. `tended` opens nothing: it only tells what is known of a store that is there.
 */
export async function tendStores(
  git: Git,
  folder: string,
  tended: (id: number) => Promise<Tended>,
  { maxBytes = DEFAULT_BYTES, maxDays = DEFAULT_DAYS }: StoreLimits,
): Promise<Upkeep> {
  await removeDebris(folder);
  const evicted: number[] = [];
  const repacked: number[] = [];
  let pinsReleased = 0;
  const kept: { readonly store: Tended; readonly used: number; readonly bytes: number }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const id = /^(\d+)\.git$/.exec(name)?.[1];
    if (id === undefined) continue;
    const store = await tended(Number(id));
    for (const sha of store.held) await touch(store.gitDir, sha);
    const used = await lastUse(store.gitDir);
    if (Date.now() - used > maxDays * DAY && (await evict(store))) {
      evicted.push(store.id);
      continue;
    }
    const released = await releasePins(git, store);
    pinsReleased += released;
    if (await compact(git, store, released > 0)) repacked.push(store.id);
    kept.push({ store, used, bytes: await bytesOf(store.gitDir) });
  }
  let bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  for (const one of kept.toSorted((a, b) => a.used - b.used)) {
    if (bytes <= maxBytes) break;
    if (Date.now() - one.used < IN_USE || !(await evict(one.store))) continue;
    evicted.push(one.store.id);
    bytes -= one.bytes;
  }
  return { evicted, repacked, pinsReleased, bytes };
}

/** Moves a store out of the way, so that nobody opens it any more, and removes it. False where it is in use, or gone. */
async function evict({ gitDir, held, lock }: Tended): Promise<boolean> {
  if (held.size > 0) return false;
  return removeStore(gitDir, lock, "evicted-");
}

/** Removes a store whole, whoever uses it. False when it is gone already. */
export async function removeStore(gitDir: string, lock: StoreLock, prefix: "evicted-" | "broken-"): Promise<boolean> {
  const aside = join(dirname(gitDir), `${prefix}${randomBytes(6).toString("hex")}`);
  if (!(await lock.setAside(aside))) return false;
  await rm(aside, { recursive: true, force: true });
  return true;
}

async function releasePins(git: Git, { gitDir, held }: Tended): Promise<number> {
  const pins = join(gitDir, "refs", "runs");
  const over: string[] = [];
  for (const sha of await readdir(pins).catch(() => [])) {
    if (!/^[0-9a-f]{40}$/.test(sha) || held.has(sha)) continue;
    const { mtimeMs } = await stat(join(pins, sha)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > PIN_KEPT) over.push(sha);
  }
  if (over.length === 0) return 0;
  const input = Buffer.from(over.map((sha) => `delete refs/runs/${sha}\n`).join(""));
  return git.run(["update-ref", "--stdin"], { gitDir, input }).then(
    () => over.length,
    // Whatever is wrong with the store is noticed by the next run that needs it.
    () => 0,
  );
}

async function compact(git: Git, { gitDir, lock }: Tended, hasReleased: boolean): Promise<boolean> {
  const names = await readdir(join(gitDir, "objects", "pack")).catch(() => []);
  const packs = names.filter((name) => name.endsWith(".pack")).length;
  if (packs <= (hasReleased ? 1 : MOST_PACKS)) return false;
  const call = { gitDir, under: lock.under, timeoutMs: REPACK_TIMEOUT };
  return lock.inTurn(async () => {
    try {
      // What nothing pins is kept loose for a day, for whoever reads it just now.
      await git.run(["repack", "-A", "-d", "-q", `--unpack-unreachable=${PRUNE}`], call);
      await git.run(["prune", `--expire=${PRUNE}`], call);
      return true;
    } catch {
      return false;
    }
  });
}

async function removeDebris(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!DEBRIS.some((prefix) => name.startsWith(prefix))) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > HOUR) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function lastUse(gitDir: string): Promise<number> {
  const stats = await stat(join(gitDir, USED)).catch(() => stat(gitDir).catch(() => undefined));
  return stats?.mtimeMs ?? Date.now();
}

async function bytesOf(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return sum;
}
