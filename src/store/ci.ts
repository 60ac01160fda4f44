import type { FailedRun } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** A run about failed CI, as later ones of its thread see it. */
export interface EarlierCi {
  readonly id: string;
  readonly ci: FailedRun;
  /** A model was asked. */
  readonly asked: boolean;
  /** It said that it stops trying. */
  readonly gaveUp: boolean;
  /** The issue that it opened. */
  readonly issue?: number;
  /** The pull request that it opened. */
  readonly pull?: number;
}

/** More of one thread are not looked at. */
const MOST = 100;

/** Runs about failed CI of a thread that came before the run `before`, newest first. */
export async function earlierCi(database: Executor, thread: string, before: string): Promise<readonly EarlierCi[]> {
  const rows = await database.query<{
    id: string;
    ci: FailedRun;
    asked: boolean;
    gave_up: boolean;
    issue: number | null;
    pull: number | null;
  }>(
    `select r.id, r.request -> 'ci' as ci,
       exists (select 1 from sallyport.journal j where j.run_id = r.id and j.kind = 'opening') as asked,
       exists (select 1 from sallyport.journal j where j.run_id = r.id and j.kind = 'phase' and j.entry ->> 'phase' = 'report'
         and j.entry -> 'result' ->> 'gaveUp' = 'true') as gave_up,
       (select (j.entry -> 'outcome' ->> 'id')::integer from sallyport.journal j where j.run_id = r.id and j.kind = 'outcome'
         and j.entry -> 'outcome' ->> 'operation' = 'open-issue' limit 1) as issue,
       (select (j.entry -> 'outcome' ->> 'id')::integer from sallyport.journal j where j.run_id = r.id and j.kind = 'outcome'
         and j.entry -> 'outcome' ->> 'operation' = 'open-pull-request' and j.entry ->> 'key' like '%/pull-request' limit 1) as pull
     from sallyport.runs r
     where r.thread = $1 and r.position < (select position from sallyport.runs where id = $2) and r.request ->> 'trigger' = 'ci'
     order by r.position desc limit ${MOST}`,
    [thread, before],
  );
  return rows.map(({ id, ci, asked, gave_up: gaveUp, issue, pull }) => ({
    id,
    ci,
    asked,
    gaveUp,
    ...(issue === null ? {} : { issue }),
    ...(pull === null ? {} : { pull }),
  }));
}
