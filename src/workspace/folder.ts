import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { SallyportError } from "../core/errors.ts";

/**
 * An open folder. Names below it are reached through its descriptor (`/proc/self/fd/<n>/<name>`, Linux's `openat` for those who have none),
 * so nobody who swaps a folder for a link in the meantime can lead a read or a write out of the workspace.
 * Where there is no `/proc` the path itself is used, after each parent has been looked at.
 */
export interface Folder extends Disposable {
  /** The path of one name in it, for one system call. */
  at(name: Buffer): Buffer;
  names(): Buffer[];
}

const DESCRIPTORS = "/proc/self/fd";
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const SLASH = Buffer.from("/");

/** Opens the root of a workspace. */
export function openRoot(directory: string): Folder {
  return openFolderAt(Buffer.from(directory));
}

/** Opens a folder inside another one. @throws the system's error; ENOTDIR or ELOOP where a link stands. */
export function openFolder(parent: Folder, name: Buffer): Folder {
  return openFolderAt(parent.at(name));
}

function openFolderAt(path: Buffer): Folder {
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const base = Buffer.concat([existsSync(DESCRIPTORS) ? Buffer.from(`${DESCRIPTORS}/${descriptor}`) : path, SLASH]);
  return {
    at: (name) => Buffer.concat([base, name]),
    names: () => readdirSync(base, { encoding: "buffer" }),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** What stands under a name, itself, not what it points to; undefined when nothing does. */
export function lookAt(folder: Folder, name: Buffer): BigIntStats | undefined {
  return lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
}

export type EntryKind = "file" | "folder" | "link" | "special";

export function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "special";
}

/** An open regular file, known to be one by its descriptor. */
export interface OpenFile extends Disposable {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/**
 * Opens a regular file by its name in an open folder, not following a link and not waiting for a pipe.
 * @throws {SallyportError} `not-a-file` when it is something else; the system's error otherwise.
 */
export function openFile(folder: Folder, name: Buffer, flags: number, mode = 0o644): OpenFile {
  const descriptor = openSync(folder.at(name), flags | O_NOFOLLOW | constants.O_NONBLOCK, mode);
  const stats = fstatSync(descriptor, { bigint: true });
  if (!stats.isFile()) {
    closeSync(descriptor);
    throw new SallyportError("It is no regular file.", { code: "not-a-file" });
  }
  return { descriptor, stats, [Symbol.dispose]: () => closeSync(descriptor) };
}
