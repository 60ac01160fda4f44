import { StaleAttemptError } from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Run } from "../core/run.ts";
import type { Database, Executor } from "./sql.ts";
import { isUniqueViolation } from "./runs.ts";
import { ADD_USAGE, answerIn, usageValues } from "./usage.ts";

/** One row to append, at its place in the run's journal (1-based). */
export interface NewRow {
  readonly run: Pick<Run, "id" | "attempt">;
  readonly sequence: number;
  readonly entry: JournalEntry;
  /** By git blob id. */
  readonly blobs?: ReadonlyMap<string, Uint8Array>;
}

/** All rows of a run's journal, oldest first. */
export async function readJournal(database: Executor, runId: string): Promise<JournalEntry[]> {
  const rows = await database.query<{ entry: JournalEntry }>("select entry from sallyport.journal where run_id = $1 order by sequence", [
    runId,
  ]);
  return rows.map(({ entry }) => entry);
}

/**
 * Appends a row and its blobs, all or nothing; durable once resolved.
 * @throws {StaleAttemptError} when the attempt is not the run's current one, or the run has ended.
 */
export async function appendRow(database: Database, row: NewRow): Promise<void> {
  const { blobs } = row;
  try {
    if (blobs === undefined || blobs.size === 0) return await insertRow(database, row);
    await database.transaction(async (tx) => {
      await insertRow(tx, row);
      for (const [sha, content] of blobs) await insertBlob(tx, row.run.id, sha, content);
    });
  } catch (error) {
    // Somebody else wrote this place of the journal.
    if (isUniqueViolation(error)) throw new StaleAttemptError(row.run.id, row.run.attempt);
    throw error;
  }
}

/**
 * The lock on the run's row makes a takeover and this insert wait for each other: whoever comes second sees the first. What an answer of a
 * model used is added to its run's day in the same statement.
 */
async function insertRow(database: Executor, { run, sequence, entry }: NewRow): Promise<void> {
  const row = [run.id, run.attempt, sequence, entry.kind, JSON.stringify(entry)];
  const answer = answerIn(entry);
  const rows =
    answer === undefined
      ? await database.query(`with ${INSERT} select sequence from written`, row)
      : await database.query(`with ${INSERT}, used as (${ADD_USAGE}) select sequence from written`, [...row, ...usageValues(answer)]);
  if (rows.length === 0) throw new StaleAttemptError(run.id, run.attempt);
}

const INSERT = `fence as (select 1 from sallyport.runs where id = $1 and attempt = $2 and state in ('queued', 'working') for share),
  written as (
    insert into sallyport.journal (run_id, attempt, sequence, kind, entry)
    select $1, $2, $3::integer, $4::text, $5::text::json from fence returning sequence
  )`;

/** @throws {StaleAttemptError} when the attempt is not the run's current one, or the run has ended. */
export async function assertAttempt(database: Executor, { id, attempt }: Pick<Run, "id" | "attempt">): Promise<void> {
  const rows = await database.query("select 1 from sallyport.runs where id = $1 and attempt = $2 and state in ('queued', 'working')", [
    id,
    attempt,
  ]);
  if (rows.length === 0) throw new StaleAttemptError(id, attempt);
}

/** Base 64 both ways: the embedded driver's own coding of bytes is a hundred times slower. */
async function insertBlob(database: Executor, runId: string, sha: string, content: Uint8Array): Promise<void> {
  await database.query(
    "insert into sallyport.blobs (run_id, sha, content) values ($1, $2, decode($3, 'base64')) on conflict (run_id, sha) do nothing",
    [runId, sha, Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")],
  );
}

/** Bytes stored with a row of this run. */
export async function readBlob(database: Executor, runId: string, sha: string): Promise<Uint8Array | undefined> {
  const [row] = await database.query<{ content: string }>(
    "select encode(content, 'base64') as content from sallyport.blobs where run_id = $1 and sha = $2",
    [runId, sha],
  );
  return row === undefined ? undefined : new Uint8Array(Buffer.from(row.content, "base64"));
}
