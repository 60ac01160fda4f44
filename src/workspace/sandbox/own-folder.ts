import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** A new folder of this process, by whose name a later one sees that its owner is gone. */
export function makeOwnFolder(temporary: string, kind: "probe" | "home"): Promise<string> {
  return mkdtemp(join(temporary, `sallyport-${kind}-${process.pid}-`));
}

/** Removes what killed processes of this user left. Answers the names. */
export async function sweepOwnFolders(temporary: string, isAlive: (pid: number) => boolean): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of await readdir(temporary).catch(() => [])) {
    const owner = /^sallyport-(?:probe|home)-(\d+)-\w{6}$/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const stats = await lstat(join(temporary, name)).catch(() => undefined);
    // Everybody may make names in there.
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    await rm(join(temporary, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}
