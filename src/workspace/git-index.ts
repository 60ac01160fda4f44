import { createHash } from "node:crypto";
import { bytesOf } from "./tree.ts";
import type { PinnedTree } from "./tree.ts";
import type { FileStamp } from "./unpack.ts";

const FIXED = 62;
const LONGEST_NAME = 0xfff;
const SECOND = 1_000_000_000n;

/**
 * Git's index of a tree, version 2. A file that still carries its stamp is known to git as unchanged by a look at it; all others it reads.
 * `owner` is the user and group that the reader finds the files to belong to. Source: gitformat-index(5).
 */
export function gitIndex(tree: PinnedTree, stampOf: (path: string) => FileStamp | undefined, owner: number): Buffer {
  const head = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
  head.writeUInt32BE(tree.files.size, 8);
  const parts = [head];
  // One character is one byte, so this is git's own order.
  for (const [path, { mode, sha }] of [...tree.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = bytesOf(path);
    // Names end with one to eight zeros, up to a multiple of eight.
    const entry = Buffer.alloc((FIXED + name.length + 8) & ~7);
    const stamp = stampOf(path);
    if (stamp !== undefined) {
      for (const [index, time] of [stamp.ctimeNs, stamp.mtimeNs].entries()) {
        entry.writeUInt32BE(low(time / SECOND), index * 8);
        entry.writeUInt32BE(low(time % SECOND), index * 8 + 4);
      }
      entry.writeUInt32BE(low(stamp.ino), 20);
      entry.writeUInt32BE(owner, 28);
      entry.writeUInt32BE(owner, 32);
      entry.writeUInt32BE(low(stamp.size), 36);
    }
    entry.writeUInt32BE(Number.parseInt(mode, 8), 24);
    entry.write(sha, 40, "hex");
    entry.writeUInt16BE(Math.min(name.length, LONGEST_NAME), 60);
    name.copy(entry, FIXED);
    parts.push(entry);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Git keeps 32 bits of everything. */
const low = (value: bigint): number => Number(BigInt.asUintN(32, value));
