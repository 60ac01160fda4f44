import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { objectHeader } from "./object-id.ts";
import { openScratch } from "./scratch.ts";

/** A folder of loose git objects over a store's own, for one question: the store itself is never written to for a workspace's sake. */
export interface ScratchObjects extends AsyncDisposable {
  /** What makes git look here first and in the store after. */
  readonly env: Readonly<Record<string, string>>;
  add(kind: "blob" | "tree", sha: string, bytes: Uint8Array): Promise<void>;
}

export async function openScratchObjects(gitDir: string): Promise<ScratchObjects> {
  const scratch = await openScratch(gitDir);
  const { folder } = scratch;
  await mkdir(join(folder, "info"));
  // A file, not GIT_ALTERNATE_OBJECT_DIRECTORIES: that one splits paths at colons.
  await writeFile(join(folder, "info", "alternates"), `${join(gitDir, "objects")}\n`);
  return {
    env: { GIT_OBJECT_DIRECTORY: folder },
    async add(kind, sha, bytes) {
      const packed = await promisify(deflate)(Buffer.concat([objectHeader(kind, bytes.length), bytes]));
      await mkdir(join(folder, sha.slice(0, 2)), { recursive: true });
      await writeFile(join(folder, sha.slice(0, 2), sha.slice(2)), packed);
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}
