import type { Executor } from "./sql.ts";

/** What one process does for all of them. */
export type Chore = "redeliveries" | "retention";

/** The database's clock, by which chores are told apart. */
export async function databaseNow(database: Executor): Promise<Date> {
  const [row] = await database.query<{ now: Date }>("select now() as now");
  if (row === undefined) throw new TypeError("the database tells no time");
  return row.now;
}

/**
 * Begins a chore unless some process has begun it since `since`: of several that want it, one gets it. Answers how far it came the last time;
 * undefined when there is nothing to do.
 */
export async function beginChore(
  database: Executor,
  chore: Chore,
  since: Date,
): Promise<{ readonly reached: Date | undefined } | undefined> {
  const [row] = await database.query<{ reached: Date | null }>(
    `insert into sallyport.chores as c (name, begun_at) values ($1, now())
     on conflict (name) do update set begun_at = now() where c.begun_at < $2 returning reached`,
    [chore, since],
  );
  return row === undefined ? undefined : { reached: row.reached ?? undefined };
}

/** Notes how far a chore came; never less far than before. */
export async function endChore(database: Executor, chore: Chore, reached: Date): Promise<void> {
  await database.query("update sallyport.chores set reached = greatest(reached, $2) where name = $1", [chore, reached]);
}
