import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { BigIntStats } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SallyportError } from "../core/errors.ts";
import { isGitInternals } from "../core/repository-path.ts";
import type { Git } from "./git.ts";
import { objectHeader } from "./object-id.ts";
import { readBlobs } from "./read-blobs.ts";
import type { BlobSink } from "./read-blobs.ts";
import { workspaceOwner } from "./workspace-owner.ts";
import { bytesOf, rawOf } from "./tree.ts";
import type { PinnedTree, TreeFile } from "./tree.ts";

/** What a file looked like when its bytes were known: while all of this is the same, so are they. */
export interface FileStamp {
  readonly size: bigint;
  readonly mode: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  /** The change time cannot be set by a program, so a rewrite of the same size under an old modification time shows here. */
  readonly ctimeNs: bigint;
}

export interface UnpackRequest {
  readonly git: Git;
  readonly gitDir: string;
  readonly tree: PinnedTree;
  /** Absolute; made here, must not exist. */
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a tree to a new folder, byte for byte: every blob is hashed as it is written. Submodules become empty folders, links stay links
 * and are made last, so that nothing is ever written through one. Answers each regular file's stamp, by raw path.
 * @throws {SallyportError} when the tree names git's own folders or leaves itself, or a blob is missing or damaged.
 */
export async function unpack({ git, gitDir, tree, directory, signal }: UnpackRequest): Promise<Map<string, FileStamp>> {
  const owner = workspaceOwner();
  const makeFolder = (folder: Buffer): void => {
    mkdirSync(folder, { mode: 0o755 });
    if (owner !== undefined) lchownSync(folder, owner, owner);
  };
  makeFolder(Buffer.from(directory));
  const root = rawOf(directory);
  const at = (path: string): Buffer => bytesOf(`${root}/${path}`);
  for (const path of [...tree.folders.keys(), ...tree.files.keys()]) refuseUnsafe(path);
  for (const folder of [...tree.folders.keys()].sort()) if (folder !== "") makeFolder(at(folder));
  const blobs: (readonly [path: string, file: TreeFile])[] = [];
  for (const [path, file] of tree.files) {
    if (file.mode === "160000") makeFolder(at(path));
    else blobs.push([path, file]);
  }
  const stamps = new Map<string, FileStamp>();
  const links: (() => void)[] = [];
  const open = new Set<number>();
  let next = 0;
  const sink = (sha: string, size: number): BlobSink => {
    const [path = "", file] = blobs[next] ?? [];
    next += 1;
    if (file?.mode === "120000") return verified(sha, size, linkWriter(at(path), links));
    const writer = fileWriter({
      file: at(path),
      executable: file?.mode === "100755",
      owner,
      open,
      done: (stamp) => stamps.set(path, stamp),
    });
    return verified(sha, size, writer);
  };
  try {
    await readBlobs({ git, gitDir, shas: blobs.map(([, { sha }]) => sha), sink, signal });
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
  for (const link of links) link();
  await outliveClockTick(directory, stamps);
  return stamps;
}

/** git's own checks (fsck at the fetch) refuse such trees; whoever writes files does not rely on that. */
function refuseUnsafe(path: string): void {
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (path === "") return;
  if (last === "" || last === "." || last === ".." || isGitInternals(Buffer.from(last, "latin1").toString("utf8"))) {
    throw new SallyportError(`The tree holds the path ${JSON.stringify(path)}, which cannot be unpacked.`, { code: "unsafe-tree" });
  }
}

interface FileWriting {
  readonly file: Buffer;
  readonly executable: boolean;
  readonly owner: number | undefined;
  /** Descriptors to close when the stream breaks off. */
  readonly open: Set<number>;
  readonly done: (stamp: FileStamp) => void;
}

/** Works without waiting: a chunk of the pipe is a few files, and two reads of the pipe give everybody else their turn. */
function fileWriter({ file, executable, owner, open, done }: FileWriting): BlobSink {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const permissions = executable ? 0o755 : 0o644;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions);
  open.add(descriptor);
  return {
    chunk: (bytes) => writeAll(descriptor, bytes),
    end() {
      // The process's umask is none of the tree's business.
      fchmodSync(descriptor, permissions);
      if (owner !== undefined) fchownSync(descriptor, owner, owner);
      done(stampOf(fstatSync(descriptor, { bigint: true })));
      open.delete(descriptor);
      closeSync(descriptor);
    },
  };
}

function linkWriter(link: Buffer, links: (() => void)[]): BlobSink {
  const parts: Buffer[] = [];
  return {
    chunk: (bytes) => void parts.push(Buffer.from(bytes)),
    end: () => void links.push(() => symlinkSync(Buffer.concat(parts), link)),
  };
}

function verified(sha: string, size: number, sink: BlobSink): BlobSink {
  const hash = createHash("sha1").update(objectHeader("blob", size));
  return {
    chunk(bytes) {
      hash.update(bytes);
      sink.chunk(bytes);
    },
    end() {
      sink.end();
      if (hash.digest("hex") !== sha) throw new SallyportError(`Blob ${sha} is damaged in the store.`, { code: "blob-damaged" });
    },
  };
}

/** File systems stamp by the tick (4 ms on ext4): within the one of the last write, a rewrite would carry the same stamp. */
const LONGEST_TICK_MS = 2500;

/** Waits until the clock that stamps files has left the newest stamp behind, so that every later write differs from it. */
async function outliveClockTick(directory: string, stamps: ReadonlyMap<string, FileStamp>): Promise<void> {
  let newest = 0n;
  for (const { ctimeNs } of stamps.values()) if (ctimeNs > newest) newest = ctimeNs;
  const probe = `${directory}.tick`;
  try {
    for (const end = performance.now() + LONGEST_TICK_MS; performance.now() < end; await sleep(2)) {
      writeFileSync(probe, "");
      if (statSync(probe, { bigint: true }).ctimeNs > newest) return;
    }
  } finally {
    rmSync(probe, { force: true });
  }
  throw new SallyportError("The file system's clock stands still.", { code: "clock-stuck", hint: "Use a local folder for workspaces." });
}

/** `write` may take less than it was given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

export function stampOf({ size, mode, ino, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return { size, mode, ino, mtimeNs, ctimeNs };
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mode === b.mode && a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
