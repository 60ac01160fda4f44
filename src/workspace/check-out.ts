import { SallyportError } from "../core/errors.ts";
import type { ChangeSet } from "../core/change-set.ts";
import type { SnapshotEntry } from "../core/journal.ts";
import { differenceOf, UnpublishableError } from "./change-set.ts";
import { removeTree } from "./clean.ts";
import { isDamage } from "./damage.ts";
import { moveWorkspaceFile, pruneEmpty, readWorkspaceFile, removeWorkspaceFile, writeWorkspaceFile, WorkspaceWriteError } from "./files.ts";
import { openGitReads } from "./git-reads.ts";
import { listFiles } from "./list-files.ts";
import { nearMisses } from "./near.ts";
import { isObjectId } from "./object-id.ts";
import { blobMap } from "./read-blobs.ts";
import { restoreEntries } from "./restore.ts";
import { openRunHistory } from "./run-history.ts";
import { baseSources, currentSources } from "./sources.ts";
import type { Remote, Store, StoredCommit } from "./store.ts";
import { whyEmpty } from "./submodules.ts";
import { parentOf, rawOf, readTree, textOf } from "./tree.ts";
import type { PinnedTree } from "./tree.ts";
import { unpack } from "./unpack.ts";
import type { Workspace } from "./workspace.ts";

export interface CheckOutRequest {
  readonly store: Store;
  /** Where the commit, and later its history, is fetched from. Without one the commit must be in the store. */
  readonly remote?: Remote;
  /** 40 hex digits. */
  readonly commit: string;
  /** Absolute; made here, must not exist. Its parent must, and belongs to the product alone. */
  readonly directory: string;
  readonly signal?: AbortSignal;
}

/**
 * Unpacks one commit byte for byte into a new folder without `.git`, and answers the workspace over it. Leaves nothing when it fails.
 * @throws {FetchError} when the commit cannot be had; {SallyportError} when its tree cannot be unpacked.
 */
export async function checkOut(request: CheckOutRequest): Promise<Workspace> {
  const { store, remote, commit } = request;
  const holding = store.keeping?.hold(commit);
  try {
    const unpacked = await unpackCommit(request).catch(async (error: unknown) => {
      // A full disk or a killed machine leaves stores that look whole: what is missing is seen when it is read.
      if (remote === undefined || store.keeping === undefined || !isDamage(error)) throw error;
      await store.keeping.renew();
      return unpackCommit(request);
    });
    return openWorkspace({ ...request, remote, ...unpacked, holding });
  } catch (error) {
    holding?.[Symbol.dispose]();
    throw error;
  }
}

async function unpackCommit({ store, remote, commit, directory, signal }: CheckOutRequest): Promise<Pick<Opened, "tree" | "stamps">> {
  const { git, gitDir } = store;
  const stored = remote === undefined ? await held(store, commit) : await store.fetchCommit({ remote, sha: commit, signal });
  const tree = await readTree(git, gitDir, stored.tree, signal);
  try {
    return { tree, stamps: await unpack({ git, gitDir, tree, directory, signal }) };
  } catch (error) {
    await removeTree(directory);
    throw error;
  }
}

async function held({ git, gitDir }: Store, commit: string): Promise<StoredCommit> {
  const rev = `${commit}^{tree}`;
  const tree = isObjectId(commit)
    ? (await git.text(["rev-parse", "--quiet", "--verify", rev], { gitDir, exitCodes: [0, 1, 128] })).trim()
    : "";
  if (!isObjectId(tree)) throw new SallyportError(`The store holds no commit ${JSON.stringify(commit)}.`, { code: "commit-missing" });
  return { commit, tree };
}

interface Opened {
  readonly store: Store;
  readonly remote: Remote | undefined;
  readonly commit: string;
  readonly directory: string;
  readonly tree: PinnedTree;
  readonly stamps: Awaited<ReturnType<typeof unpack>>;
  /** Released with the workspace. */
  readonly holding: Disposable | undefined;
}

function openWorkspace({ store, remote, commit, directory, tree, stamps, holding }: Opened): Workspace {
  const { git, gitDir } = store;
  const near = (path: string): string[] => nearMisses(path, texts(tree.files.keys()));
  const nearFolder = (path: string): string[] => nearMisses(path, texts(new Set([...tree.files.keys()].map(parentOf))));
  /** What stands in a submodule is another repository's: it could not be published from here. */
  const outside = (paths: readonly string[], work: () => void): Promise<void> =>
    now(() => {
      const why = paths.map((path) => whyEmpty(tree, path)).find((one) => one !== undefined);
      if (why !== undefined) throw new WorkspaceWriteError(`${why}.`, { code: "submodule" });
      work();
    });
  const changeSet = async (): Promise<ChangeSet> => {
    const { changes, problems } = await differenceOf({ git, gitDir, commit, tree, stamps, directory });
    if (problems.length > 0) throw new UnpublishableError(problems, changes);
    return changes;
  };
  const fromStore = async (sha: string): Promise<Uint8Array | undefined> =>
    (await blobMap({ git, gitDir, shas: [sha], maxBytes: Number.MAX_SAFE_INTEGER })).get(sha);
  const baseBlob = async (sha: string): Promise<Uint8Array> => {
    const bytes = await fromStore(sha);
    if (bytes === undefined) throw new SallyportError(`The store holds no blob ${sha}.`, { code: "blob-missing" });
    return bytes;
  };
  const history = openRunHistory({ store, remote, commit, tree, stamps, directory });
  return {
    directory,
    commit,
    history: history.folder,
    async read(path) {
      const why = whyEmpty(tree, path);
      return why === undefined ? readWorkspaceFile(directory, path, near) : { status: "refused", why };
    },
    write: (path, bytes) => outside([path], () => writeWorkspaceFile(directory, path, bytes)),
    remove: (path) => outside([path], () => removeWorkspaceFile(directory, path)),
    move: (from, to) => outside([from, to], () => moveWorkspaceFile(directory, from, to)),
    list: (path, depth) => listFiles({ git, gitDir, directory, tree, path, depth, near: nearFolder }),
    changeSet,
    async restore(entries, blob) {
      const wanted = new Set(entries.map(({ path }) => path));
      const undone = (await changeSet()).changes
        .filter(({ path }) => !wanted.has(path))
        .map(({ path, before }): SnapshotEntry => (before === undefined ? { path } : { path, mode: before.mode, blob: before.sha }));
      const bytesOf = async (sha: string): Promise<Uint8Array | undefined> => (await blob(sha)) ?? fromStore(sha);
      await restoreEntries(directory, [...undone, ...entries], bytesOf, (path) => removeIfThere(directory, path));
    },
    baseBlob,
    async baseFile(path) {
      const file = tree.files.get(rawOf(path));
      return file === undefined || !file.mode.startsWith("100") ? undefined : fromStore(file.sha);
    },
    basePaths: () => [...texts(tree.files.keys())],
    sources: async (state) => {
      const request = { directory, tree, baseBlob, changeSet };
      return state === "base" ? baseSources(request) : currentSources(request);
    },
    git: openGitReads({ store, remote, commit, tree, changeSet }),
    async dispose() {
      holding?.[Symbol.dispose]();
      await history[Symbol.asyncDispose]();
      await removeTree(directory);
    },
  };
}

/** The file work is done at once, without giving way between looking and acting; its failures are rejections all the same. */
async function now<T>(work: () => T): Promise<T> {
  return work();
}

function removeIfThere(directory: string, path: string): void {
  try {
    removeWorkspaceFile(directory, path, { exact: true });
  } catch (error) {
    if (!(error instanceof WorkspaceWriteError) || !["missing", "barred", "is-a-folder"].includes(error.code)) throw error;
    // A folder that becomes empty on the way makes room for a file; a submodule's is its deletion.
    if (error.code === "is-a-folder") pruneEmpty(directory, `${path}/inside`);
  }
}

function* texts(paths: Iterable<string>): Generator<string> {
  for (const path of paths) {
    const text = textOf(path);
    if (text !== undefined && text !== "") yield text;
  }
}
