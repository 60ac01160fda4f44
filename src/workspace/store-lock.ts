import { execFile } from "node:child_process";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * One fetch at a time per store. Within the process by a queue; between processes by `flock`, which starts git and so lives exactly as
 * long as git does: a lock that outlives its process cannot happen, and a git that outlives its parent still holds it.
 */
export interface StoreLock {
  /** Runs `work` when all earlier work of this process on the store has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** What git is started under; empty where the machine has no `flock`. */
  readonly under: readonly string[];
  /** Removes git's own lock files and half packs that a killed git left behind. False when they may still be in use. */
  clearStale(): Promise<boolean>;
  /** Gives the store's folder another name while nobody fetches into it. False when it is gone already. */
  setAside(to: string): Promise<boolean>;
}

/** Without `flock` nobody can be asked: a lock file older than this belongs to no living fetch. */
const SURELY_DEAD_MS = 15 * 60_000;

export function openStoreLock({ gitDir, flock }: { readonly gitDir: string; readonly flock: string | undefined }): StoreLock {
  const lockFile = `${gitDir}.lock`;
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    under: flock === undefined ? [] : [flock, lockFile],
    async clearStale() {
      const files = await leftovers(gitDir);
      if (files.length === 0) return true;
      if (flock !== undefined) {
        // Whoever holds the lock is the only one at work, and `rm` holds it now: no git that made these files is alive.
        await promisify(execFile)(flock, [lockFile, "rm", "-f", "--", ...files], { env: { PATH: "/usr/bin:/bin" } });
        return true;
      }
      const ages = await Promise.all(
        files.map((file) =>
          stat(file).then(
            ({ mtimeMs }) => Date.now() - mtimeMs,
            () => SURELY_DEAD_MS,
          ),
        ),
      );
      if (ages.some((age) => age < SURELY_DEAD_MS)) return false;
      await Promise.all(files.map((file) => rm(file, { force: true })));
      return true;
    },
    async setAside(to) {
      try {
        if (flock === undefined) await rename(gitDir, to);
        else await promisify(execFile)(flock, [lockFile, "mv", "-T", "--", gitDir, to], { env: { PATH: "/usr/bin:/bin" } });
        return true;
      } catch (error) {
        const isThere = await stat(gitDir).catch(() => undefined);
        if (isThere !== undefined) throw error;
        return false;
      }
    },
  };
}

async function leftovers(gitDir: string): Promise<string[]> {
  const places = [
    { folder: gitDir, pattern: /\.lock$/ },
    { folder: join(gitDir, "refs", "runs"), pattern: /\.lock$/ },
    { folder: join(gitDir, "objects", "pack"), pattern: /^tmp_/ },
  ];
  const found: string[] = [];
  for (const { folder, pattern } of places) {
    const names = await readdir(folder).catch(() => []);
    found.push(...names.filter((name) => pattern.test(name)).map((name) => join(folder, name)));
  }
  return found;
}
