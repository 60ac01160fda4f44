import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { isObjectId } from "./object-id.ts";
import { blobMap } from "./read-blobs.ts";
import { readTree, textOf, rawOf, type PinnedTree } from "./tree.ts";

/** A commit that a kept copy of its repository still has. */
export interface KeptBase {
  readonly git: Git;
  readonly gitDir: string;
  readonly commit: string;
  readonly tree: PinnedTree;
  readonly paths: readonly string[];
  /** A regular file; undefined where there is none. */
  file(path: string): Promise<Uint8Array | undefined>;
  blobs(shas: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** The base of a run's work; undefined where no copy has it any more. Nothing is fetched. */
export type KeptBases = (repositoryId: number, commit: string) => Promise<KeptBase | undefined>;

/** Trees that are held at once, each with all its paths. */
const MOST_TREES = 32;
const LARGEST_BLOB = 40 * 1024 * 1024;

/** Bases in the bare copies below the data folder's `stores`. */
export function openKeptBases({ git, folder }: { readonly git: Git; readonly folder: string }): KeptBases {
  const known = new Map<string, Promise<KeptBase | undefined>>();
  return (repositoryId, commit) => {
    const key = `${repositoryId} ${commit}`;
    const found = known.get(key) ?? readBase(git, join(folder, `${repositoryId}.git`), commit);
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_TREES) break;
      known.delete(oldest);
    }
    return found;
  };
}

async function readBase(git: Git, gitDir: string, commit: string): Promise<KeptBase | undefined> {
  const isThere = await stat(gitDir).then(
    () => true,
    () => false,
  );
  if (!isThere || !isObjectId(commit)) return undefined;
  const said = await git.text(["rev-parse", "--quiet", "--verify", `${commit}^{tree}`], { gitDir, exitCodes: [0, 1, 128] });
  if (!isObjectId(said.trim())) return undefined;
  const tree = await readTree(git, gitDir, said.trim());
  const blobs = (shas: readonly string[]) => blobMap({ git, gitDir, shas, maxBytes: LARGEST_BLOB });
  return {
    git,
    gitDir,
    commit,
    tree,
    paths: [...tree.files.keys()].flatMap((raw) => textOf(raw) ?? []),
    async file(path) {
      const entry = tree.files.get(rawOf(path));
      return entry === undefined || !entry.mode.startsWith("100") ? undefined : (await blobs([entry.sha])).get(entry.sha);
    },
    blobs,
  };
}
