import type { FileMode } from "../core/change-set.ts";
import type { JournalEntry, SnapshotEntry } from "../core/journal.ts";
import type { Executor } from "./sql.ts";

/** A path of a run's change set with what is stored of it. */
export interface ChangedPath {
  readonly path: string;
  /** Absent for a deletion. */
  readonly mode?: FileMode;
  /** Absent for a deletion, and where it is larger than was asked for, or not stored. */
  readonly content?: Uint8Array;
  readonly isDeleted: boolean;
}

/** What a run has changed, as it was journalled last. */
export interface StoredChanges {
  /** The commit that the change set is against; absent before the run was let in. */
  readonly commit?: string;
  readonly paths: readonly ChangedPath[];
  /** Paths beyond those that were asked for. */
  readonly more: number;
}

/** Most paths, and bytes of one and of all of them. */
export interface ChangesLimits {
  readonly paths: number;
  readonly bytes: number;
  readonly total: number;
}

/** The change set of a run; undefined when no workspace of it was saved. */
export async function readChanges(database: Executor, id: string, limits: ChangesLimits): Promise<StoredChanges | undefined> {
  const entries = await lastEntries(database, id);
  if (entries === undefined) return undefined;
  const shown = entries.slice(0, limits.paths);
  const contents = await readContents(database, id, shown, limits);
  const commit = await pinnedCommit(database, id);
  return {
    ...(commit === undefined ? {} : { commit }),
    paths: shown.map(({ path, mode, blob }) => {
      const content = blob === undefined ? undefined : contents.get(blob);
      return {
        path,
        isDeleted: blob === undefined,
        ...(mode === undefined ? {} : { mode }),
        ...(content === undefined ? {} : { content }),
      };
    }),
    more: entries.length - shown.length,
  };
}

async function lastEntries(database: Executor, id: string): Promise<readonly SnapshotEntry[] | undefined> {
  const [row] = await database.query<{ entry: Extract<JournalEntry, { kind: "snapshot" }> }>(
    "select entry from sallyport.journal where run_id = $1 and kind = 'snapshot' order by sequence desc limit 1",
    [id],
  );
  return row?.entry.entries;
}

/** The blobs of the first paths, as long as there is room for them. */
async function readContents(
  database: Executor,
  id: string,
  entries: readonly SnapshotEntry[],
  { bytes, total }: ChangesLimits,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const shas = [...new Set(entries.flatMap(({ blob }) => (blob === undefined ? [] : [blob])))];
  const sizes = await database.query<{ sha: string; size: number }>(
    "select sha, octet_length(content) as size from sallyport.blobs where run_id = $1 and sha = any($2) and octet_length(content) <= $3",
    [id, shas, bytes],
  );
  const sizeOf = new Map(sizes.map(({ sha, size }) => [sha, size]));
  let room = total;
  const wanted = shas.filter((sha) => {
    const size = sizeOf.get(sha);
    if (size === undefined || size > room) return false;
    room -= size;
    return true;
  });
  const rows = await database.query<{ sha: string; content: string }>(
    "select sha, encode(content, 'base64') as content from sallyport.blobs where run_id = $1 and sha = any($2)",
    [id, wanted],
  );
  return new Map(rows.map(({ sha, content }) => [sha, new Uint8Array(Buffer.from(content, "base64"))]));
}

async function pinnedCommit(database: Executor, id: string): Promise<string | undefined> {
  const rows = await database.query<{ entry: Extract<JournalEntry, { kind: "phase" }> }>(
    "select entry from sallyport.journal where run_id = $1 and kind = 'phase' order by sequence limit 5",
    [id],
  );
  const result = rows.find(({ entry }) => entry.phase === "authorize")?.entry.result as { pin?: { commit?: string } } | undefined;
  return result?.pin?.commit;
}
