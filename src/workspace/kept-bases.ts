import { stat } from "node:fs/promises";
import { join } from "node:path";
import { SallyportError } from "../core/errors.ts";
import type { Git } from "./git.ts";
import { isObjectId } from "./object-id.ts";
import { openObjectReader, type ObjectReader } from "./object-reader.ts";
import { openTreeReader } from "./read-trees.ts";
import { textOf, rawOf, type PinnedTree } from "./tree.ts";

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

/** Copies whose gits and folders are held at once. */
const MOST_COPIES = 8;

/** Bases in the bare copies below the data folder's `stores`. The gits that read them end by themselves when nothing is asked any more. */
export function openKeptBases({ git, folder }: { readonly git: Git; readonly folder: string }): KeptBases {
  const bases = newest<Promise<KeptBase | undefined>>(MOST_TREES);
  const copies = newest<Copy>(MOST_COPIES);
  return (repositoryId, commit) =>
    bases(`${repositoryId} ${commit}`, () => {
      const gitDir = join(folder, `${repositoryId}.git`);
      return readBase(
        copies(gitDir, () => openCopy(git, gitDir)),
        commit,
      );
    });
}

/** Makes what is asked for, and keeps so many of the last. */
function newest<T>(most: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const found = known.get(key) ?? make();
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
    return found;
  };
}

interface Copy {
  readonly git: Git;
  readonly gitDir: string;
  readonly objects: ObjectReader;
  readonly readTree: (root: string) => Promise<PinnedTree>;
}

function openCopy(git: Git, gitDir: string): Copy {
  const objects = openObjectReader({ git, gitDir });
  return { git, gitDir, objects, readTree: openTreeReader(objects) };
}

async function readBase({ git, gitDir, objects, readTree }: Copy, commit: string): Promise<KeptBase | undefined> {
  const isThere = await stat(gitDir).then(
    () => true,
    () => false,
  );
  if (!isThere || !isObjectId(commit)) return undefined;
  const [root] = await objects.look([`${commit}^{tree}`]);
  if (root?.kind !== "tree") return undefined;
  const tree = await readTree(root.sha);
  const blobs = async (wanted: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
    const shas = [...new Set(wanted)];
    const found = new Map<string, Uint8Array>();
    for (const [index, object] of (await objects.read(shas, LARGEST_BLOB)).entries()) {
      if (object?.kind !== "blob") throw new SallyportError(`The store holds no blob ${shas[index]}.`, { code: "blob-missing" });
      if (object.bytes !== undefined) found.set(object.sha, object.bytes);
    }
    return found;
  };
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
