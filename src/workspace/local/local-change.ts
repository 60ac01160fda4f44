import { realpath, stat } from "node:fs/promises";
import { SallyportError } from "../../core/errors.ts";
import { changeSetOf, differenceOf } from "../change-set.ts";
import type { Difference } from "../change-set.ts";
import { blobMap } from "../read-blobs.ts";
import { readTree, textOf } from "../tree.ts";
import type { PinnedTree, TreeFile } from "../tree.ts";
import { applyDiff } from "./diff/apply-diff.ts";
import type { Checkout, Revision } from "./open-checkout.ts";

/** A change that somebody made, however, against a commit of a local checkout. */
export interface LocalChange extends Difference {
  readonly base: Revision;
  /** All paths of the base's tree. */
  readonly basePaths: readonly string[];
}

/** What GitHub takes as one blob; a larger one is left out of the bytes, which blocks. */
const LARGEST_BLOB = 40 * 1024 * 1024;
/** All new bytes together: they are held in memory. */
const ALL_AFTER = 256 * 1024 * 1024;

/** The difference of two commits' trees. */
export async function rangeChange(
  checkout: Checkout,
  { base, head }: { readonly base: Revision; readonly head: Revision },
): Promise<LocalChange> {
  const [tree, other] = await Promise.all([treeOf(checkout, base), treeOf(checkout, head)]);
  const after = new Map<string, TreeFile | undefined>();
  for (const [path, file] of other.files) if (!isSame(file, tree.files.get(path))) after.set(path, file);
  for (const path of tree.files.keys()) if (!other.files.has(path)) after.set(path, undefined);
  const files = [...after.values()].filter((file) => file !== undefined && file.mode !== "160000") as readonly TreeFile[];
  if (files.reduce((sum, { size }) => sum + size, 0) > ALL_AFTER) {
    throw new SallyportError(`The change holds more than ${ALL_AFTER} new bytes.`, { code: "change-too-large" });
  }
  return assemble(
    checkout,
    base,
    tree,
    after,
    await blobsOf(
      checkout,
      files.map(({ sha }) => sha),
    ),
  );
}

/** What a diff makes of the base. @throws {DiffError} */
export async function diffChange(checkout: Checkout, base: Revision, diff: Uint8Array): Promise<LocalChange> {
  const tree = await treeOf(checkout, base);
  const applied = await applyDiff({ diff, tree, readBlobs: (shas) => blobsOf(checkout, submodulesAside(tree, shas)) });
  const after = new Map([...applied.after].filter(([path, file]) => !isSame(file, tree.files.get(path))));
  return assemble(checkout, base, tree, after, applied.blobs);
}

/** A folder against the base: every file in it counts, ignored ones too, and every one that is not in it; `.git` is passed over. */
export async function directoryChange(checkout: Checkout, base: Revision, directory: string): Promise<LocalChange> {
  const stats = await stat(directory).catch(() => undefined);
  if (stats?.isDirectory() !== true) {
    throw new SallyportError(`There is no folder ${directory}.`, {
      code: "no-directory",
      hint: "Name the folder that holds the change with --dir.",
    });
  }
  const tree = await treeOf(checkout, base);
  const difference = await differenceOf({
    git: checkout.git,
    gitDir: checkout.gitDir,
    commit: base.commit,
    tree,
    stamps: new Map(),
    directory: await realpath(directory),
    // Nobody has said that these rules are the repository's: a folder could hide in them what it brings.
    rules: { ignored: () => Promise.resolve(new Set()), [Symbol.dispose]: () => undefined },
  });
  const problems = difference.problems.map((problem) => ({ ...problem, fix: "Remove it." }));
  return { ...difference, problems, base, basePaths: pathsOf(tree) };
}

/** A file of a revision; undefined when there is none. @throws {SallyportError} when a link or a submodule stands there. */
export async function fileAt(checkout: Checkout, revision: Revision, path: string): Promise<Uint8Array | undefined> {
  const call = { gitDir: checkout.gitDir };
  const listed = await checkout.git.text(["ls-tree", "-z", "--full-tree", revision.tree, path], call);
  if (listed === "") return undefined;
  const [, sha] = /^100\d{3} blob ([0-9a-f]{40})\t/.exec(listed) ?? [];
  if (sha === undefined) throw new SallyportError(`${path} is no regular file at ${revision.name}.`, { code: "not-a-file" });
  return checkout.git.run(["cat-file", "blob", sha], call);
}

/** The same; undefined as well when what stands there is no regular file. */
export async function regularFileAt(checkout: Checkout, revision: Revision, path: string): Promise<Uint8Array | undefined> {
  try {
    return await fileAt(checkout, revision, path);
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== "not-a-file") throw error;
    return undefined;
  }
}

function treeOf({ git, gitDir }: Checkout, { tree }: Revision): Promise<PinnedTree> {
  return readTree(git, gitDir, tree);
}

function blobsOf({ git, gitDir }: Checkout, shas: readonly string[]): Promise<Map<string, Uint8Array>> {
  return blobMap({ git, gitDir, shas, maxBytes: LARGEST_BLOB });
}

function submodulesAside(tree: PinnedTree, shas: readonly string[]): readonly string[] {
  const submodules = new Set([...tree.files.values()].flatMap(({ mode, sha }) => (mode === "160000" ? [sha] : [])));
  return shas.filter((sha) => !submodules.has(sha));
}

async function assemble(
  { git, gitDir }: Checkout,
  base: Revision,
  tree: PinnedTree,
  after: ReadonlyMap<string, TreeFile | undefined>,
  blobs: ReadonlyMap<string, Uint8Array>,
): Promise<LocalChange> {
  return { ...(await changeSetOf({ git, gitDir, commit: base.commit, tree }, after, blobs)), base, basePaths: pathsOf(tree) };
}

function isSame(a: TreeFile | undefined, b: TreeFile | undefined): boolean {
  return a?.sha === b?.sha && a?.mode === b?.mode;
}

function pathsOf(tree: PinnedTree): readonly string[] {
  return [...tree.files.keys()].flatMap((path) => textOf(path) ?? []);
}
