import { objectId } from "../../object-id.ts";
import type { PinnedTree, TreeFile } from "../../tree.ts";
import { applyBinary, applyHunks } from "./apply-hunks.ts";
import { DiffError, quoted } from "./diff-error.ts";
import type { FilePatch, NameStyle } from "./file-patch.ts";
import { parseDiff } from "./parse-diff.ts";
import { type BaseNames, isGone, type PatchPaths, resolveNames } from "./resolve-names.ts";

export interface DiffRequest {
  /** The diff's bytes. */
  readonly diff: Uint8Array;
  /** What it is applied to. */
  readonly tree: PinnedTree;
  /** Blobs of the base by id; fewer when some are too large to be patched. */
  readonly readBlobs: (shas: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** What a diff makes of its base: new files by raw path, `undefined` for a deleted one, and their bytes by blob id. */
export interface AppliedDiff {
  readonly after: ReadonlyMap<string, TreeFile | undefined>;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

const EMPTY_BLOB = objectId("blob", new Uint8Array());
/** All new bytes together: they are held in memory. */
const ALL_AFTER = 256 * 1024 * 1024;

/**
 * Applies a diff to a tree in memory, exactly or not at all. Where a diff does not tell whether its names bear a prefix, it is applied both
 * ways: whatever it would become in other hands is judged.
 * @throws {DiffError}
 */
export async function applyDiff({ diff, tree, readBlobs }: DiffRequest): Promise<AppliedDiff> {
  const patches = parseDiff(Buffer.from(diff.buffer, diff.byteOffset, diff.byteLength).toString("latin1"));
  const base: BaseNames = { has: (path) => tree.files.has(path), hasFolder: (path) => tree.folders.has(path) };
  const after = new Map<string, TreeFile | undefined>();
  const blobs = new Map<string, Uint8Array>();
  for (const paths of readings(patches, base)) {
    const wanted = paths.flatMap(({ from }) => (from === undefined ? [] : [tree.files.get(from)?.sha ?? ""]));
    const steps = patches.map((patch, index) => ({ patch, paths: paths[index] ?? {} }));
    const reading = applyReading(steps, tree, await readBlobs([...new Set(wanted)]));
    for (const [path, file] of reading.after) {
      if (after.has(path) && after.get(path)?.sha !== file?.sha)
        throw new DiffError(`can be read in two ways, which clash in ${quoted(path)}`);
      after.set(path, file);
    }
    for (const [sha, bytes] of reading.blobs) blobs.set(sha, bytes);
  }
  refuseClashes(tree, after);
  return { after, blobs };
}

interface Step {
  readonly patch: FilePatch;
  readonly paths: PatchPaths;
}

function applyReading(steps: readonly Step[], tree: PinnedTree, old: ReadonlyMap<string, Uint8Array>): AppliedDiff {
  const after = new Map<string, TreeFile | undefined>();
  const blobs = new Map<string, Uint8Array>();
  let total = 0;
  // Deletions first: a file may be made where another one goes away.
  for (const { patch, paths } of steps) {
    if (paths.from === undefined || !isGone(patch)) continue;
    if (after.has(paths.from)) throw twice(patch, paths.from);
    after.set(paths.from, undefined);
  }
  for (const { patch, paths } of steps) {
    const { from, to } = paths;
    const file = from === undefined ? undefined : tree.files.get(from);
    const bytes = resultOf(patch, file, file === undefined ? undefined : bytesOf(file, old));
    if (to === undefined) {
      if (bytes.length > 0 && (patch.hunks.length > 0 || patch.binary !== undefined)) {
        throw new DiffError("deletes a file and keeps a part of it", { line: patch.line });
      }
      continue;
    }
    if (from === to ? after.has(to) : after.get(to) !== undefined) throw twice(patch, to);
    const made = fileOf(patch, file, bytes);
    total += made.size;
    if (total > ALL_AFTER) throw new DiffError(`makes files of more than ${ALL_AFTER} bytes`, { line: patch.line });
    after.set(to, made);
    if (made.mode !== "160000") blobs.set(made.sha, bytes);
  }
  return { after, blobs };
}

/** The paths of all patches, in each style in which the diff can be meant. */
function readings(patches: readonly FilePatch[], base: BaseNames): readonly (readonly PatchPaths[])[] {
  const found: (readonly PatchPaths[])[] = [];
  let why: unknown;
  for (const style of ["whole", "prefixed"] as const satisfies readonly NameStyle[]) {
    try {
      found.push(resolveNames(patches, style, base));
    } catch (error) {
      if (!(error instanceof DiffError)) throw error;
      why = error;
    }
  }
  if (found.length === 0) throw why;
  // Renames alone name the same files in both styles.
  return found.length === 2 && JSON.stringify(found[0]) === JSON.stringify(found[1]) ? found.slice(1) : found;
}

function twice({ line }: FilePatch, path: string): DiffError {
  return new DiffError(`changes ${quoted(path)} twice`, { line, hint: "Give one diff for the whole change, with each file once." });
}

function bytesOf({ sha, mode, size }: TreeFile, old: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // How git shows a submodule's commit as though it were a file.
  if (mode === "160000") return Buffer.from(`Subproject commit ${sha}\n`);
  const bytes = old.get(sha);
  if (bytes === undefined) throw new DiffError(`changes a file of ${size} bytes, more than can be patched`);
  return bytes;
}

function resultOf(patch: FilePatch, file: TreeFile | undefined, before: Uint8Array = new Uint8Array()): Uint8Array {
  const { binary, hunks, index, line } = patch;
  if (binary === undefined) {
    if (hunks.length > 0) return applyHunks(before, hunks);
    // The index line of a file without a body tells whether one was left out.
    const left =
      patch.action === "delete" || (file === undefined ? isEmptyId(index?.after) : index === undefined || index.before === index.after);
    if (!left) throw new DiffError("leaves the content of a file out", { line });
    return before;
  }
  if (index === undefined || index.before.length !== 40 || index.after.length !== 40) {
    throw new DiffError("has a binary patch without full ids", { line, hint: "Make it with git diff --binary --full-index." });
  }
  if (index.before !== (file?.sha ?? "0".repeat(40))) {
    throw new DiffError("has a binary patch for another file than the base's", {
      line,
      hint: "Give the commit that it was made against with --base.",
    });
  }
  const after = applyBinary(before, binary);
  const id = patch.action === "delete" ? "0".repeat(40) : objectId("blob", after);
  if (index.after !== id) throw new DiffError("has a binary patch that makes another file than it says", { line });
  return after;
}

function isEmptyId(id: string | undefined): boolean {
  return id === undefined || EMPTY_BLOB.startsWith(id);
}

function fileOf({ newMode, line }: FilePatch, before: TreeFile | undefined, bytes: Uint8Array): TreeFile {
  const mode = newMode ?? before?.mode ?? "100644";
  if (mode !== "160000") return { mode, sha: objectId("blob", bytes), size: bytes.length };
  const [, commit] = /^Subproject commit ([0-9a-f]{40})\n?$/.exec(Buffer.from(bytes).toString("latin1")) ?? [];
  if (commit === undefined) throw new DiffError("makes a submodule without a commit", { line });
  return { mode, sha: commit, size: 0 };
}

/** A tree holds a file or a folder under one name. */
function refuseClashes({ files }: PinnedTree, after: AppliedDiff["after"]): void {
  const stays = (path: string): boolean => (after.has(path) ? after.get(path) !== undefined : files.has(path));
  for (const path of new Set([...files.keys(), ...after.keys()])) {
    if (!stays(path)) continue;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (stays(folder)) throw new DiffError(`needs ${quoted(folder)} to be a file and a folder`);
    }
  }
}
