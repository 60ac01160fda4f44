import type { FileMode } from "../core/change-set.ts";
import type { Git } from "./git.ts";
import { isObjectId, objectId } from "./object-id.ts";

/**
 * A file of a tree. Names are bytes in git and on Linux: inside this room a name is kept as a `latin1` string, one character a byte,
 * and becomes text only where it leaves (`textOf`).
 */
export interface TreeFile {
  readonly mode: FileMode;
  readonly sha: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
}

/** A commit's tree, whole, by raw path; with the id of each folder (the root's is `""`). */
export interface PinnedTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly folders: ReadonlyMap<string, string>;
}

/** Reads a tree once, with all its folders. @throws {SallyportError} when git has it not. */
export async function readTree(git: Git, gitDir: string, tree: string, signal?: AbortSignal): Promise<PinnedTree> {
  const args = ["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", tree];
  const listing = (await git.run(args, { gitDir, signal, maxBytes: 1024 * 1024 * 1024 })).toString("latin1");
  const files = new Map<string, TreeFile>();
  const folders = new Map<string, string>([["", tree]]);
  for (const line of listing.split("\0")) {
    const tab = line.indexOf("\t");
    if (tab < 0) continue;
    const [mode = "", kind, sha = "", size = ""] = line.slice(0, tab).split(/ +/);
    const path = line.slice(tab + 1);
    if (kind === "tree") folders.set(path, sha);
    else files.set(path, { mode: fileMode(mode), sha, size: Number(size) || 0 });
  }
  return { files, folders };
}

/** Old trees hold modes such as 100664; git itself reads them as one of the four. Source: `canon_mode` in git's cache.h. */
export function fileMode(mode: string): FileMode {
  if (mode === "120000" || mode === "160000") return mode;
  return Number.parseInt(mode, 8) & 0o100 ? "100755" : "100644";
}

/** Text of a raw path; undefined when its bytes are no UTF-8. */
export function textOf(raw: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(raw, "latin1"));
  } catch {
    return undefined;
  }
}

/** The raw form of a path given as text. */
export function rawOf(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** A raw name's bytes, as the file system takes them. */
export function bytesOf(raw: string): Buffer {
  return Buffer.from(raw, "latin1");
}

/** What a tree becomes: new files by raw path, `undefined` where one is deleted. */
export type TreeChanges = ReadonlyMap<string, Pick<TreeFile, "mode" | "sha"> | undefined>;

/**
 * Git's id of the tree that a change makes, without writing an object: only folders on the way to a change are hashed again.
 * `onTree` receives the bytes of each new tree object, for those who want to keep them.
 */
export function resultingTree(pinned: PinnedTree, changes: TreeChanges, onTree?: (sha: string, bytes: Buffer) => void): string {
  if (changes.size === 0) return pinned.folders.get("") ?? "";
  const touched = new Set<string>([""]);
  for (const path of changes.keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) touched.add(path.slice(0, end));
  }
  const children = entriesOf(pinned, changes, touched);
  // Deepest first: a folder's id is needed by its parent.
  const order = [...touched].sort((a, b) => b.split("/").length - a.split("/").length || b.length - a.length);
  let root = "";
  for (const folder of order) {
    const entries = children.get(folder) ?? new Map<string, TreeEntry>();
    if (folder !== "" && entries.size === 0) continue;
    const bytes = treeBytes(entries);
    const sha = objectId("tree", bytes);
    onTree?.(sha, bytes);
    if (folder === "") root = sha;
    else child(children, folder).set(nameOf(folder), { mode: "40000", sha });
  }
  return root;
}

interface TreeEntry {
  readonly mode: string;
  readonly sha: string;
}

/** The entries of every touched folder, its touched folders aside: those follow when their own ids are known. */
function entriesOf(pinned: PinnedTree, changes: TreeChanges, touched: ReadonlySet<string>): Map<string, Map<string, TreeEntry>> {
  const children = new Map<string, Map<string, TreeEntry>>();
  for (const [path, file] of pinned.files) {
    if (touched.has(parentOf(path)) && !changes.has(path)) child(children, path).set(nameOf(path), file);
  }
  for (const [path, sha] of pinned.folders) {
    if (path !== "" && touched.has(parentOf(path)) && !touched.has(path)) child(children, path).set(nameOf(path), { mode: "40000", sha });
  }
  for (const [path, file] of changes) {
    if (file !== undefined) child(children, path).set(nameOf(path), file);
  }
  return children;
}

function child(children: Map<string, Map<string, TreeEntry>>, path: string): Map<string, TreeEntry> {
  const folder = parentOf(path);
  const known = children.get(folder);
  if (known !== undefined) return known;
  const made = new Map<string, TreeEntry>();
  children.set(folder, made);
  return made;
}

/** Git sorts a tree by bytes, a folder as though its name ended in a slash. Source: `base_name_compare` in git's read-cache.c. */
function treeBytes(entries: ReadonlyMap<string, TreeEntry>): Buffer {
  const sorted = [...entries].map(([name, entry]) => ({ name, entry, key: entry.mode === "40000" ? `${name}/` : name }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const parts = sorted.flatMap(({ name, entry }) => {
    if (!isObjectId(entry.sha)) throw new TypeError(`${entry.sha} is no object id`);
    return [Buffer.from(`${entry.mode} ${name}\0`, "latin1"), Buffer.from(entry.sha, "hex")];
  });
  return Buffer.concat(parts);
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
