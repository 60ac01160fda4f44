import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import { headHunks, type FindEnclosing } from "../../review/read/head-hunks.ts";
import { byRisk } from "../../review/read/plan-reading.ts";
import { readBlobs } from "../../workspace/read-blobs.ts";
import type { Store } from "../../workspace/store.ts";

/** Bytes of a file that is looked through, and files: more than a review has room for. */
const LARGEST = 512 * 1024;
const MOST_FILES = 500;

export interface NameOptions {
  readonly store: Store;
  /** Who knows what stands around a line; light rules for each language when left out. */
  readonly find?: FindEnclosing | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Names over each hunk what it stands in, by the files as they are now. One file at a time is in memory; where they cannot be read, git's own
 * headings stay.
 */
export async function nameHunks(files: readonly DiffFile[], { store, find, signal, log }: NameOptions): Promise<readonly DiffFile[]> {
  const wanted = byRisk(files.filter(isReadable)).slice(0, MOST_FILES);
  const named = new Map<DiffFile, DiffFile>();
  const bySha = Map.groupBy(wanted, ({ blobs }) => blobs[1]);
  const { git, gitDir } = store;
  try {
    await readBlobs({
      git,
      gitDir,
      shas: [...bySha.keys()],
      signal,
      sink(sha, size) {
        const chunks: Buffer[] = [];
        return {
          chunk: (bytes) => void (size <= LARGEST && chunks.push(bytes)),
          end() {
            if (size > LARGEST) return;
            const text = Buffer.concat(chunks).toString("utf8");
            for (const file of bySha.get(sha) ?? []) named.set(file, headHunks(file, text, find));
          },
        };
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ error: messageOf(error) }, "the files under review could not be looked through for headings");
  }
  return files.map((file) => named.get(file) ?? file);
}

/** Files that were there before and are there still: of a new one all is shown anyway. */
function isReadable({ status, modes, hunks }: DiffFile): boolean {
  return hunks.length > 0 && status !== "added" && status !== "removed" && modes[1].startsWith("100");
}
