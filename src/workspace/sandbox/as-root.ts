import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { workspaceOwner } from "../workspace-owner.ts";

/** The programs that start a sandbox, by absolute path. */
export interface Programs {
  readonly unshare?: string | undefined;
  readonly setpriv?: string | undefined;
  readonly prlimit?: string | undefined;
  readonly bwrap?: string | undefined;
  readonly pivotRoot?: string | undefined;
}

/** A launch before it is known under which names its host files can be reached. */
export interface Staged {
  /** The command line in front of the backend's own. */
  readonly prefix: readonly string[];
  /** Where a host path is found by whoever runs after the prefix. */
  readonly reach: (source: string) => string;
  /** An existing folder that nothing is read from, for a new root to be built on. */
  readonly stand: string;
}

/** Exists on every Linux, and nothing is ever taken from it into a sandbox. */
const STAND = "/sys";

/** Runs as root, in a mount namespace of its own; each argument up to `--` is bound under its number. */
const STAGE = `set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 022
mount -n -t tmpfs -o mode=755,size=1m,nosuid,nodev sallyport ${STAND}
folders=${STAND}/root
number=0
for source; do
  if [ "$source" = -- ]; then break; fi
  if [ -d "$source" ]; then folders="$folders ${STAND}/$number"; else : > ${STAND}/$number; fi
  number=$((number + 1))
done
mkdir $folders
number=0
while [ "$1" != -- ]; do
  mount -n --rbind "$1" ${STAND}/$number
  number=$((number + 1))
  shift
done
shift
exec "$@"
`;

/**
 * Root gives itself up first: what follows runs as a user that owns nothing but workspaces, for whom process limits hold and `/proc` is
 * somebody else's. That user may not walk all of the host's folders (`/root` is closed to it), so what it cannot reach is bound where it can.
 */
export async function stageForUser(programs: Programs, sources: readonly string[]): Promise<Staged> {
  const user = workspaceOwner();
  if (user === undefined || programs.unshare === undefined || programs.setpriv === undefined) {
    return { prefix: [], reach: (source) => source, stand: STAND };
  }
  const drop = [programs.setpriv, `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--"];
  const open = await Promise.all(sources.map(isOpen));
  const closed = sources.filter((_, index) => open[index] !== true);
  if (closed.length === 0) return { prefix: drop, reach: (source) => source, stand: STAND };
  const numbers = new Map(closed.map((source, index) => [source, index]));
  const stage = [programs.unshare, "--mount", "--propagation", "private", "--", "/bin/sh", "-c", STAGE, "sh", ...closed, "--"];
  return {
    prefix: [...stage, ...drop],
    reach: (source) => (numbers.has(source) ? `${STAND}/${numbers.get(source)}` : source),
    stand: `${STAND}/root`,
  };
}

/** Whether everybody may go all the way to a path. Its own permissions count inside, wherever it is bound. */
async function isOpen(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = await stat(folder).catch(() => undefined);
    if (stats === undefined || (stats.mode & 0o001) === 0) return false;
    if (folder === "/") return true;
  }
}
