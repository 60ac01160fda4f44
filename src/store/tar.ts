import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const BLOCK = 512;

/** A file or folder of an archive; a folder has no bytes. */
interface TarEntry {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Writes an archive's files and folders below `into`. Takes the plain subset of POSIX ustar that the prepared database is made of: regular
 * files and folders with names in the header, taken as relative. Blocks while it writes: five hundred small files take a tenth of the time
 * that as many trips to the thread pool take. @throws for anything else, and for names that lead outside.
 */
export function untar(archive: Uint8Array, into: string): void {
  const folders = new Set<string>();
  for (const { path, mode, bytes } of entriesOf(archive)) {
    const target = join(into, path);
    const folder = bytes === undefined ? target : dirname(target);
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
    }
    if (bytes !== undefined) writeNew(target, mode, bytes);
  }
}

function writeNew(path: string, mode: number, bytes: Uint8Array): void {
  const file = openSync(path, "wx", mode);
  try {
    // Database files end in long runs of zeros, which need not be written.
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    for (let at = 0; at < end;) at += writeSync(file, bytes, at, end - at);
    ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}

function* entriesOf(archive: Uint8Array): Generator<TarEntry> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const text = (from: number, length: number): string => {
    const field = bytes.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.toString("utf8", 0, end < 0 ? length : end).trim();
  };
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const prefix = text(at + 345, 155);
    // PGlite names its files from its own root.
    const path = (prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`).replace(/^\/+/, "");
    const size = Number.parseInt(text(at + 124, 12) || "0", 8);
    const kind = text(at + 156, 1);
    if (path.split("/").includes("..")) throw new Error(`The archive names a path outside: ${path}`);
    const isFolder = kind === "5";
    if (!isFolder && kind !== "0" && kind !== "") throw new Error(`The archive holds an entry of kind ${kind}: ${path}`);
    if (!(size >= 0) || at + BLOCK + size > bytes.length) throw new Error(`The archive ends within ${path}`);
    const start = at + BLOCK;
    yield {
      path,
      mode: Number.parseInt(text(at + 100, 8) || "600", 8) & 0o777,
      bytes: isFolder ? undefined : bytes.subarray(start, start + size),
    };
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
