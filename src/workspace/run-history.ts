import { lstatSync, readlinkSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { removeTree } from "./clean.ts";
import { gitIndex } from "./git-index.ts";
import { ensureHistory, type History } from "./history.ts";
import { objectId } from "./object-id.ts";
import { borderOf } from "./reach.ts";
import { INNER_ID, WORKSPACE } from "./sandbox/layout.ts";
import { bytesOf, rawOf } from "./tree.ts";
import type { PinnedTree } from "./tree.ts";
import { sameStamp, stampOf, type FileStamp } from "./unpack.ts";
import type { Workspace } from "./workspace.ts";
import { handOver } from "./workspace-owner.ts";

export interface RunHistoryRequest extends History {
  readonly commit: string;
  readonly tree: PinnedTree;
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** The workspace; the git folders are made beside it. */
  readonly directory: string;
}

export interface RunHistory extends AsyncDisposable {
  readonly folder: Workspace["history"];
}

/** How far back a command can look, as far as the store holds it. */
const GENERATIONS = 50;
/** Milliseconds that a command waits for history that it may not need. */
const FETCH_MS = 30_000;
const PACK_MS = 60_000;
const LOOKED_AT_ONCE = 500;

/** All that git is told in there. No remote, no credential, and nothing that runs. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tworktree = ${WORKSPACE}
\thooksPath = /dev/null
\tfsmonitor = false
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

/** The files of the workspace are the bytes of the blobs, whatever the repository's own attributes say. */
const ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding\n";

/**
 * Makes git folders for a run's commands to read, when they are first asked for: the pinned commit as a detached head, the commits before
 * it that the store holds, and their objects, copied; nothing else of the store, and no way to it.
 */
export function openRunHistory(request: RunHistoryRequest): RunHistory {
  const { store, remote, commit, directory } = request;
  const made: string[] = [];
  let folder: Promise<string | undefined> | undefined;
  let deepened: Promise<void> | undefined;

  const make = async (signal: AbortSignal | undefined): Promise<string | undefined> => {
    const path = `${directory}.git-${made.length + 1}`;
    made.push(path);
    try {
      await makeFolder(path, request, signal);
      return path;
    } catch {
      // Whoever asks next has a signal of its own.
      if (signal?.aborted === true) folder = undefined;
      // A command without history is better than none; what is wrong with the store is noticed by whoever must read it.
      return undefined;
    }
  };
  const deepen = async (signal: AbortSignal | undefined): Promise<void> => {
    const until = AbortSignal.any([AbortSignal.timeout(FETCH_MS), ...(signal === undefined ? [] : [signal])]);
    const hasMore = await ensureHistory({ store, remote }, { sha: commit, count: GENERATIONS, signal: until }).catch(() => {
      if (signal?.aborted === true) deepened = undefined;
      return false;
    });
    if (hasMore) folder = undefined;
  };

  return {
    async folder({ isAsked, signal }) {
      if (isAsked) await (deepened ??= deepen(signal));
      return (folder ??= make(signal));
    },
    async [Symbol.asyncDispose]() {
      await deepened;
      await folder;
      for (const path of made) await removeTree(path);
    },
  };
}

async function makeFolder(path: string, request: RunHistoryRequest, signal: AbortSignal | undefined): Promise<void> {
  const { store, commit } = request;
  for (const folder of ["", "info", "refs", "objects", "objects/pack"]) await makeReadable(join(path, folder));
  const border = await borderOf(store, { sha: commit, generations: GENERATIONS, signal });
  const input = Buffer.from([...border.map((sha) => `--shallow ${sha}\n`), `${commit}\n`].join(""));
  // Deltas are taken over as they are; looking for better ones would take longer than the copy.
  const args = ["pack-objects", "--revs", "--quiet", "--delta-base-offset", "--window=0", join(path, "objects", "pack", "pack")];
  await store.git.run(args, { gitDir: store.gitDir, input, signal, timeoutMs: PACK_MS });
  for (const name of await readdir(join(path, "objects", "pack"))) await chmod(join(path, "objects", "pack", name), 0o444);
  const files: Readonly<Record<string, string | Uint8Array>> = {
    HEAD: `${commit}\n`,
    config: CONFIG,
    "info/attributes": ATTRIBUTES,
    ...(border.length === 0 ? {} : { shallow: border.map((sha) => `${sha}\n`).join("") }),
    index: await indexOf(request),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(path, name), text);
    await chmod(join(path, name), 0o444);
  }
}

/** The reader may be another user, and this process's umask strict. */
async function makeReadable(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
}

/**
 * Files that were written since the check-out are left without a stamp: git compares whole seconds, and would not see a change that was made
 * within the second of the stamp, before the index was there.
 */
async function indexOf({ directory, tree, stamps }: RunHistoryRequest): Promise<Buffer> {
  // A change of hands is a change of times.
  await handOver(directory);
  const root = rawOf(directory);
  const held = new Map<string, FileStamp>();
  let looked = 0;
  for (const [path, { mode, sha }] of tree.files) {
    if ((looked += 1) % LOOKED_AT_ONCE === 0) await setImmediate();
    const file = bytesOf(`${root}/${path}`);
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) continue;
    const now = stampOf(stats);
    const stamp = stamps.get(path);
    const isHeld =
      mode === "120000" ? stats.isSymbolicLink() && objectId("blob", readlinkSync(file, "buffer")) === sha : isSame(now, stamp);
    if (isHeld) held.set(path, now);
  }
  return gitIndex(tree, (path) => held.get(path), INNER_ID);
}

const isSame = (now: FileStamp, then: FileStamp | undefined): boolean => then !== undefined && sameStamp(now, then);
