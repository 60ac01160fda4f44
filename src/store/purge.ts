import { setTimeout as sleep } from "node:timers/promises";
import { forget } from "./forget.ts";
import type { Ending } from "./runs.ts";
import type { Database, Executor } from "./sql.ts";

/** Milliseconds in which runs that are not over may say their last words; the command line waits for ten seconds in all. */
const LAST_WORDS_WITHIN = 8_000;
const LOOK_EVERY = 100;
const ENDING: Ending = { kind: "purged" };

/**
 * Forgets repositories that can still be seen. Runs that are not over end first, and say so: what stands on GitHub would say for ever that they
 * work, or wait. That takes a worker, and seconds; without one all goes at once. Answers the ids of the repositories that had something.
 */
export async function purgeRepositories(
  database: Database,
  ids: readonly number[],
  { withinMs = LAST_WORDS_WITHIN }: { readonly withinMs?: number } = {},
): Promise<readonly number[]> {
  await endRuns(database, ids);
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await hasMoreToSay(database, ids))) await sleep(LOOK_EVERY);
  return database.transaction((tx) => forget(tx, { repositoryIds: ids }));
}

async function endRuns(database: Executor, ids: readonly number[]): Promise<void> {
  await database.query(
    `update sallyport.runs set ending = $2::json, state = case when state = 'waiting' then 'queued' else state end, updated_at = now()
     where repository_id = any($1::bigint[]) and state in ('queued', 'working', 'waiting') and ending is null`,
    [ids, JSON.stringify(ENDING)],
  );
}

/** Whoever was not let in has said nothing. */
async function hasMoreToSay(database: Executor, ids: readonly number[]): Promise<boolean> {
  const rows = await database.query(
    `select 1 from sallyport.runs where repository_id = any($1::bigint[]) and state in ('queued', 'working') and accepted_at is not null
       and exists (select 1 from sallyport.workers where seen_at > now() - interval '1 minute') limit 1`,
    [ids],
  );
  return rows.length > 0;
}
