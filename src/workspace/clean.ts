import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const SYSTEM_PATH = "/usr/bin:/bin";

/** Removes a workspace's folder, whatever was made in it: folders without permissions, and paths longer than one system call takes. */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    const call = promisify(execFile);
    const env = { PATH: SYSTEM_PATH };
    await call("chmod", ["-R", "u+rwX", "--", directory], { env }).catch(() => undefined);
    await call("rm", ["-rf", "--", directory], { env });
  }
}

/**
 * Removes what killed runs left below the folder of workspaces; `keep` names the entries of runs that live. Only for whoever owns the
 * folder alone. Answers the names that were removed. No mount needs undoing: the sandbox's mounts end with its processes.
 */
export async function sweepWorkspaces(folder: string, keep: ReadonlySet<string>): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => !keep.has(name));
  for (const name of old) await removeTree(join(folder, name));
  return old;
}
