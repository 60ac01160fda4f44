import type { Executor } from "./sql.ts";

/** All installations, or one by its id. */
export type PauseScope = "all" | number;

/** From now on, or no more, runs wait: what is at work is put back within seconds, what comes queues. Answers whether that is new. */
export async function setPaused(database: Executor, scope: PauseScope, paused: boolean): Promise<boolean> {
  const rows = paused
    ? await database.query("insert into sallyport.pauses (scope) values ($1) on conflict (scope) do nothing returning scope", [
        String(scope),
      ])
    : await database.query("delete from sallyport.pauses where scope = $1 returning scope", [String(scope)]);
  return rows.length > 0;
}

/** Those of these runs whose installation, or everything, is paused. */
export async function pausedOf(database: Executor, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(
    `select r.id from sallyport.runs r where r.id = any($1::text[])
       and exists (select 1 from sallyport.pauses p where p.scope in ('all', r.installation_id::text))`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
