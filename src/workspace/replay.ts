import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BlobRef, ChangeSet, FileChange, FileMode } from "../core/change-set.ts";
import { changeSetOf } from "./change-set.ts";
import { GitError } from "./git-error.ts";
import { objectId } from "./object-id.ts";
import { blobMap } from "./read-blobs.ts";
import { openScratch } from "./scratch.ts";
import type { Remote, Store } from "./store.ts";
import { rawOf, readTree, textOf } from "./tree.ts";
import type { PinnedTree, TreeFile } from "./tree.ts";

export interface ReplayRequest {
  readonly store: Store;
  readonly remote: Remote;
  /** What is to be done once more, on another commit than its base. */
  readonly changes: ChangeSet;
  /** 40 hex digits. */
  readonly onto: string;
  readonly signal?: AbortSignal | undefined;
}

/** A file that both sides changed in a way that nobody can decide here. */
export interface Overlap {
  readonly path: string;
  /** As what follows the path in a sentence. */
  readonly why: string;
}

/** The files of the commit that a change was replayed on. */
export interface ReplayBase {
  /** Every path that is valid UTF-8. */
  paths(): readonly string[];
  /** A regular file's bytes; undefined for anything else. */
  file(path: string): Promise<Uint8Array | undefined>;
}

/** The same change on the other commit, empty where all of it stands there; or what is in its way. */
export type Replay =
  | { readonly status: "replayed"; readonly changes: ChangeSet; readonly base: ReplayBase }
  | { readonly status: "overlaps"; readonly overlaps: readonly Overlap[] };

/** Both sides of a larger file are not merged line by line. */
const LARGEST_MERGED = 4 * 1024 * 1024;

/**
 * Does a change once more on another commit, file by file: a file that the other side left alone becomes as the change has it; one that both
 * changed is merged by lines (`git merge-file`), and whatever does not merge cleanly is an overlap. Nothing of the other side is ever undone.
 * Neither attributes nor merge drivers of the repository are heard. @throws {FetchError} when the commit cannot be had.
 */
export async function replayChanges({ store, remote, changes, onto, signal }: ReplayRequest): Promise<Replay> {
  const { git, gitDir } = store;
  const { tree: sha } = await store.fetchCommit({ remote, sha: onto, signal });
  const tree = await readTree(git, gitDir, sha, signal);
  const after = new Map<string, TreeFile | undefined>();
  const blobs = new Map<string, Uint8Array>();
  const overlaps: Overlap[] = [];
  for (const change of changes.changes) {
    const raw = rawOf(change.path);
    const placed = await placeOne({ store, changes, signal }, change, tree.files.get(raw));
    if (placed.kind === "overlap") overlaps.push({ path: change.path, why: placed.why });
    if (placed.kind !== "taken") continue;
    const { file, bytes } = placed;
    after.set(raw, file);
    if (file !== undefined && bytes !== undefined) blobs.set(file.sha, bytes);
  }
  overlaps.push(...inTheWay(tree, after));
  if (overlaps.length > 0) return { status: "overlaps", overlaps };
  const { changes: replayed, problems } = await changeSetOf({ git, gitDir, commit: onto, tree }, after, blobs);
  if (problems.length > 0) {
    return { status: "overlaps", overlaps: problems.map(({ where, why }) => ({ path: where?.path ?? "", why })) };
  }
  return { status: "replayed", changes: replayed, base: baseOf(store, tree) };
}

type Placed =
  | { readonly kind: "taken"; readonly file: TreeFile | undefined; readonly bytes?: Uint8Array }
  /** It stands there already. */
  | { readonly kind: "there" }
  | { readonly kind: "overlap"; readonly why: string };

type Sides = Pick<ReplayRequest, "store" | "changes" | "signal">;

async function placeOne(sides: Sides, change: FileChange, theirs: TreeFile | undefined): Promise<Placed> {
  const { before, after } = change;
  if (isSame(theirs, after)) return { kind: "there" };
  if (isSame(theirs, before)) return taken(sides.changes, after);
  if (theirs === undefined) return { kind: "overlap", why: before === undefined ? "cannot be placed there" : "was removed or moved there" };
  if (after === undefined) return { kind: "overlap", why: "was changed there, and is removed or moved here" };
  if (before === undefined) return { kind: "overlap", why: "was added there with other contents" };
  if (![before, after, theirs].every(({ mode }) => isRegular(mode)))
    return { kind: "overlap", why: "is a link or a submodule on one of the sides" };
  // Each of the two modes is one bit: where both sides changed it, they agree.
  const mode = before.mode === after.mode ? theirs.mode : after.mode;
  if (before.sha === after.sha) return { kind: "taken", file: { ...theirs, mode } };
  if (before.sha === theirs.sha || after.sha === theirs.sha) return taken(sides.changes, { ...after, mode });
  return mergeLines(sides, { before, after, theirs, mode });
}

function taken({ blobs }: ChangeSet, after: BlobRef | undefined): Placed {
  if (after === undefined) return { kind: "taken", file: undefined };
  const bytes = blobs.get(after.sha);
  return { kind: "taken", file: after, ...(bytes === undefined ? {} : { bytes }) };
}

interface Versions {
  readonly before: BlobRef;
  readonly after: BlobRef;
  readonly theirs: TreeFile;
  readonly mode: FileMode;
}

async function mergeLines({ store, changes, signal }: Sides, { before, after, theirs, mode }: Versions): Promise<Placed> {
  const { git, gitDir } = store;
  const stored = await blobMap({ git, gitDir, shas: [theirs.sha], maxBytes: LARGEST_MERGED, signal });
  const three = [changes.blobs.get(after.sha), changes.before.get(before.sha), stored.get(theirs.sha)];
  if (!three.every((bytes) => bytes !== undefined && bytes.length <= LARGEST_MERGED))
    return { kind: "overlap", why: "was changed on both sides and is too large to be merged" };
  await using scratch = await openScratch(gitDir);
  try {
    const files = ["ours", "before", "theirs"].map((name) => join(scratch.folder, name));
    for (const [index, bytes] of three.entries()) await writeFile(files[index] ?? "", bytes ?? "", { mode: 0o600 });
    const bytes = await git.run(["merge-file", "-p", "-q", ...files], { gitDir, signal, maxBytes: 3 * LARGEST_MERGED });
    const sha = objectId("blob", bytes);
    if (sha === theirs.sha && mode === theirs.mode) return { kind: "there" };
    return { kind: "taken", file: { mode, sha, size: bytes.length }, bytes };
  } catch (error) {
    if (!(error instanceof GitError) || error.exitCode === undefined) throw error;
    // The status counts the conflicts; 255 stands for what has no lines.
    const why = error.exitCode === 255 ? "is binary and was changed on both sides" : "was changed on both sides in the same lines";
    return { kind: "overlap", why };
  }
}

/** Files that would stand where the other side has a folder, or below what is a file there. */
function inTheWay(tree: PinnedTree, after: ReadonlyMap<string, TreeFile | undefined>): Overlap[] {
  const found: Overlap[] = [];
  const stays = (path: string): boolean => tree.files.has(path) && !(after.has(path) && after.get(path) === undefined);
  for (const [path, file] of after) {
    if (file === undefined) continue;
    const text = textOf(path) ?? path;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (stays(path.slice(0, end))) found.push({ path: text, why: "lies in a folder that is a file there" });
    }
    const isFolder = tree.folders.has(path) && [...tree.files.keys()].some((other) => other.startsWith(`${path}/`) && stays(other));
    if (isFolder) found.push({ path: text, why: "is a folder there" });
  }
  return found;
}

function baseOf({ git, gitDir }: Store, tree: PinnedTree): ReplayBase {
  return {
    paths: () => [...tree.files.keys()].flatMap((path) => textOf(path) ?? []),
    async file(path) {
      const file = tree.files.get(rawOf(path));
      if (file === undefined || !isRegular(file.mode)) return undefined;
      return (await blobMap({ git, gitDir, shas: [file.sha], maxBytes: Number.MAX_SAFE_INTEGER })).get(file.sha);
    },
  };
}

const isRegular = (mode: FileMode): boolean => mode === "100644" || mode === "100755";

function isSame(a: Pick<BlobRef, "mode" | "sha"> | undefined, b: Pick<BlobRef, "mode" | "sha"> | undefined): boolean {
  return a?.sha === b?.sha && a?.mode === b?.mode;
}
