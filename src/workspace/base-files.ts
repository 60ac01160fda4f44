import type { FileMode } from "../core/change-set.ts";
import { isObjectId } from "./object-id.ts";
import { blobMap } from "./read-blobs.ts";
import type { Stores } from "./store.ts";

/** A file as a commit has it. */
export interface BaseFile {
  readonly mode: FileMode;
  /** Absent where it is larger than was asked for. */
  readonly content?: Uint8Array;
}

export interface BaseFilesWish {
  readonly repositoryId: number;
  readonly commit: string;
  readonly paths: readonly string[];
  /** Of one file. */
  readonly maxBytes: number;
}

/** Git gives all of an answer up for one path that leads out, and takes a dot segment for what it leads to. */
function isName(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

const LINE = /^(\d{6}) blob ([0-9a-f]{40,64})\t([\s\S]+)$/;
/** Milliseconds: whoever looks at a page waits for it. */
const WITHIN = 5_000;

/**
 * Files of a commit out of what this machine keeps of its repository; nothing is fetched. A path that the commit does not have is missing from
 * the map. Undefined when the commit is not kept here.
 */
export async function readBaseFiles(
  stores: Pick<Stores, "open">,
  { repositoryId, commit, paths, maxBytes }: BaseFilesWish,
): Promise<ReadonlyMap<string, BaseFile> | undefined> {
  if (!isObjectId(commit)) return undefined;
  const { git, gitDir } = await stores.open(repositoryId);
  const exists = await git.text(["cat-file", "-t", commit], { gitDir, exitCodes: [0, 1, 128], timeoutMs: WITHIN });
  if (exists.trim() !== "commit") return undefined;
  const named = paths.filter(isName);
  if (named.length === 0) return new Map();
  const listed = await git.text(["ls-tree", "-z", "--full-tree", commit, "--", ...named], { gitDir, timeoutMs: WITHIN });
  const found = listed.split("\0").flatMap((line) => {
    const [, mode = "", sha = "", path = ""] = LINE.exec(line) ?? [];
    return path === "" ? [] : [{ mode: mode as FileMode, sha, path }];
  });
  const blobs = await blobMap({ git, gitDir, shas: found.map(({ sha }) => sha), maxBytes, signal: AbortSignal.timeout(WITHIN) });
  return new Map(
    found.map(({ mode, sha, path }) => {
      const content = blobs.get(sha);
      return [path, { mode, ...(content === undefined ? {} : { content }) }];
    }),
  );
}
