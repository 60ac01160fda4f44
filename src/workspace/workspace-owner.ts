import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * The user and group that commands run as when this process is root: number limits do not hold for root, and much of `/proc` is root's
 * own even without capabilities. Neither a person nor a service has it (see systemd's UIDS-GIDS page: 65520 to 65533 are unused).
 */
const SANDBOX_USER = 65_533;

/** Who must own a workspace's files so that commands can change them; undefined where that is this process's own user anyway. */
export function workspaceOwner(): number | undefined {
  return process.getuid?.() === 0 ? SANDBOX_USER : undefined;
}

/** Gives what root wrote into a workspace since the check-out to the sandbox's user. Links themselves, never what they point to. */
export async function handOver(directory: string): Promise<void> {
  const owner = workspaceOwner();
  if (owner === undefined) return;
  const args = ["-hR", "--from=0", `${owner}:${owner}`, "--", directory];
  await promisify(execFile)("chown", args, { env: { PATH: "/usr/bin:/bin" } });
}
