import { SallyportError } from "../core/errors.ts";
import type { ObjectReader } from "./object-reader.ts";
import { fileMode, type PinnedTree, type TreeFile } from "./tree.ts";

/** An entry of one tree object; its name as in {@link TreeFile}. */
interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly sha: string;
}

/** Entries of trees, and sizes, that are remembered; beyond it all is forgotten. */
const MOST_REMEMBERED = 1_000_000;
/** No tree of a repository that GitHub holds comes near it. */
const LARGEST_TREE = 256 * 1024 * 1024;

/**
 * Reads whole trees as `readTree` does, and each folder and each size only once: one commit differs from the next in few of them.
 * Rejects when git has not all of one.
 */
export function openTreeReader(reader: ObjectReader): (root: string) => Promise<PinnedTree> {
  const trees = new Map<string, readonly Entry[]>();
  const sizes = new Map<string, number>();
  let remembered = 0;

  const entriesOf = (sha: string): readonly Entry[] => trees.get(sha) ?? [];
  const readAll = async (root: string): Promise<void> => {
    let level = [root];
    while (level.length > 0) {
      const unknown = [...new Set(level)].filter((sha) => !trees.has(sha));
      const found = await reader.read(unknown, LARGEST_TREE);
      for (const [index, sha] of unknown.entries()) {
        const object = found[index];
        if (object?.kind !== "tree" || object.bytes === undefined) throw missing(sha);
        const entries = parseTree(object.bytes);
        trees.set(sha, entries);
        remembered += entries.length;
      }
      level = level.flatMap((sha) => entriesOf(sha).flatMap((entry) => (isFolder(entry) ? [entry.sha] : [])));
    }
  };
  const sizeAll = async (blobs: readonly string[]): Promise<void> => {
    const unknown = [...new Set(blobs)].filter((sha) => !sizes.has(sha));
    const found = await reader.look(unknown);
    for (const [index, sha] of unknown.entries()) {
      const object = found[index];
      if (object?.kind !== "blob") throw missing(sha);
      sizes.set(sha, object.size);
    }
    remembered += unknown.length;
  };

  return async (root) => {
    if (remembered > MOST_REMEMBERED) {
      trees.clear();
      sizes.clear();
      remembered = 0;
    }
    await readAll(root);
    const listed: (readonly [path: string, entry: Entry])[] = [];
    const list = (sha: string, before: string): void => {
      for (const entry of entriesOf(sha)) {
        listed.push([before + entry.name, entry]);
        if (isFolder(entry)) list(entry.sha, `${before}${entry.name}/`);
      }
    };
    list(root, "");
    await sizeAll(listed.flatMap(([, entry]) => (isFolder(entry) || isSubmodule(entry) ? [] : [entry.sha])));
    const files = new Map<string, TreeFile>();
    const folders = new Map([["", root]]);
    for (const [path, entry] of listed) {
      if (isFolder(entry)) folders.set(path, entry.sha);
      else files.set(path, { mode: fileMode(entry.mode), sha: entry.sha, size: sizes.get(entry.sha) ?? 0 });
    }
    return { files, folders };
  };
}

const isFolder = ({ mode }: Entry): boolean => mode === "40000";
const isSubmodule = ({ mode }: Entry): boolean => mode === "160000";

function missing(sha: string): SallyportError {
  return new SallyportError(`The store holds no object ${sha}.`, { code: "object-missing" });
}

/** `<mode> <name>\0<20 bytes>` again and again. Source: gitformat-pack(5), and `decode_tree_entry` in git's tree-walk.c. */
function parseTree(bytes: Uint8Array): readonly Entry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  for (let at = 0; at < buffer.length;) {
    const blank = buffer.indexOf(0x20, at);
    const end = buffer.indexOf(0, blank + 1);
    if (blank < 0 || end < 0 || end + 21 > buffer.length) throw new SallyportError("A tree is cut off.", { code: "object-missing" });
    const sha = buffer.toString("hex", end + 1, end + 21);
    entries.push({ mode: buffer.toString("latin1", at, blank), name: buffer.toString("latin1", blank + 1, end), sha });
    at = end + 21;
  }
  return entries;
}
