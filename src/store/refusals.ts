import type { Executor } from "./sql.ts";

/** Who may have been told what on which thread. */
export interface Refused {
  readonly thread: string;
  readonly actorId: number;
  /** The run that asks: only those before it count. */
  readonly before: string;
  readonly since: Date;
}

/** Whether a run that this person asked for on the thread ended, since then, out of a budget without having begun: of the day's, that is. */
export async function hasRefusedToday(database: Executor, { thread, actorId, before, since }: Refused): Promise<boolean> {
  const rows = await database.query(
    `select 1 from sallyport.runs r where thread = $1 and state = 'out-of-budget' and updated_at >= $2
       and request -> 'actor' ->> 'id' = $3 and position < (select position from sallyport.runs where id = $4)
       and not exists (select 1 from sallyport.journal j where j.run_id = r.id and j.kind = 'opening') limit 1`,
    [thread, since.toISOString(), String(actorId), before],
  );
  return rows.length > 0;
}
