import { NOTED_DAYS } from "./memory.ts";
import type { Database } from "./sql.ts";

/** Rows of one statement: a lock on more would hold up those at work. */
const BATCH = 200;
/** Deliveries are remembered for as long as GitHub can bring them again, and some more. */
const DELIVERIES = "30 days";
const ASKED_AGAIN = "7 days";
/** Each machine has removed its copies by then, or its upkeep has. */
const FORGOTTEN = "30 days";

/** What was removed. */
export interface Pruned {
  readonly runs: number;
  readonly audit: number;
  readonly deliveries: number;
}

export interface PruneOptions {
  /** Days for which runs are kept; a repository's own configuration can make it less. */
  readonly days: number;
  readonly signal?: AbortSignal;
}

/**
 * Removes what is kept no longer, in small steps: ended runs with their transcripts, audit rows after 400 days, delivery ids. Begun anew it
 * goes on where it stopped.
 */
export async function prune(database: Database, { days, signal }: PruneOptions): Promise<Pruned> {
  const inBatches = async (statement: string, values: readonly unknown[] = []): Promise<number> => {
    for (let removed = 0; ;) {
      signal?.throwIfAborted();
      const { length } = await database.query(statement, values);
      removed += length;
      if (length < BATCH) return removed;
    }
  };
  const old = await inBatches(
    `delete from sallyport.runs where id in (
       select id from sallyport.runs where state not in ('queued', 'working', 'waiting') and updated_at < now() - $1 * interval '1 day'
       order by updated_at limit ${BATCH}
     ) returning 1`,
    [days],
  );
  // What the configuration said when the run was let in. Inside a JSON string every quotation mark has a backslash before it.
  const older = await inBatches(
    `delete from sallyport.runs where id in (
       select r.id from sallyport.runs r join sallyport.journal j on j.run_id = r.id and j.kind = 'settings'
       where r.state not in ('queued', 'working', 'waiting') and r.updated_at < now() - interval '1 day'
         and r.updated_at < now() - substring(j.entry::text from '"retention":[{]"days":([0-9]{1,4})[}]')::integer * interval '1 day'
       limit ${BATCH}
     ) returning 1`,
  );
  // The log's own trigger refuses whatever is younger, or would leave a hole.
  const audit = await inBatches(
    `delete from sallyport.audit where position in (
       select position from sallyport.audit a where at < now() - interval '400 days' and not exists (
         select 1 from sallyport.audit b where b.position < a.position and b.at >= now() - interval '400 days'
       ) order by position limit ${BATCH}
     ) returning 1`,
  );
  const deliveries = await inBatches(
    `delete from sallyport.deliveries where id in (
       select id from sallyport.deliveries where received_at < now() - interval '${DELIVERIES}' limit ${BATCH}
     ) returning 1`,
  );
  await database.query(`delete from sallyport.redeliveries where asked_at < now() - interval '${ASKED_AGAIN}'`);
  await database.query(`delete from sallyport.forgotten where forgotten_at < now() - interval '${FORGOTTEN}'`);
  await database.query("delete from sallyport.gate_days where day < now() - interval '400 days'");
  await database.query("delete from sallyport.workers where seen_at < now() - interval '1 day'");
  await database.query("delete from sallyport.facts where state = 'noted' and noted_at < now() - $1 * interval '1 day'", [NOTED_DAYS]);
  return { runs: old + older, audit, deliveries };
}
