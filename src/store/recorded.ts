import type { JournalEntry } from "../core/journal.ts";
import type { RunRequest } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** A stored run with the rows by which its changes can be judged again. */
export interface RecordedRun {
  readonly id: string;
  readonly request: RunRequest;
  readonly createdAt: Date;
  /** Oldest first; of a whole run all rows, else those about settings, work and verdicts. */
  readonly entries: readonly JournalEntry[];
}

/** Runs that are read at once. */
const BATCH = 50;
const KINDS = ["phase", "settings", "decision", "snapshot", "published", "replayed"];
/** An operation that bears a change, as it stands in a stored row: inside a text every quotation mark has a backslash before it. */
const WITH_CHANGES = ['"operation":"commit"', '"operation":"open-pull-request"'];

interface Row {
  readonly id: string;
  readonly request: RunRequest;
  readonly created_at: Date;
  readonly position: string | number;
}

/** Runs since then of which the gate has judged a change, oldest first. */
export async function* runsWithChanges(database: Executor, since: Date): AsyncGenerator<RecordedRun> {
  for (let after = 0; ;) {
    const rows = await database.query<Row>(
      `select r.id, r.request, r.created_at, r.position from sallyport.runs r
       where r.position > $1 and r.created_at >= $2 and exists (
         select 1 from sallyport.journal j where j.run_id = r.id and j.kind = 'decision'
           and (strpos(j.entry::text, $3) > 0 or strpos(j.entry::text, $4) > 0)
       ) order by r.position limit ${BATCH}`,
      [after, since, ...WITH_CHANGES],
    );
    const entries = await database.query<{ run_id: string; entry: JournalEntry }>(
      "select run_id, entry from sallyport.journal where run_id = any($1::text[]) and kind = any($2::text[]) order by run_id, sequence",
      [rows.map(({ id }) => id), KINDS],
    );
    for (const { id, request, created_at: createdAt } of rows) {
      yield { id, request, createdAt, entries: entries.filter((row) => row.run_id === id).map(({ entry }) => entry) };
    }
    if (rows.length < BATCH) return;
    after = Number(rows.at(-1)?.position);
  }
}

/** Blobs of a run by their ids, in one question; those that are not there are left out. */
export async function readBlobs(database: Executor, runId: string, shas: readonly string[]): Promise<Map<string, Uint8Array>> {
  const rows = await database.query<{ sha: string; content: string }>(
    "select sha, encode(content, 'base64') as content from sallyport.blobs where run_id = $1 and sha = any($2::text[])",
    [runId, [...new Set(shas)]],
  );
  return new Map(rows.map(({ sha, content }) => [sha, new Uint8Array(Buffer.from(content, "base64"))]));
}
