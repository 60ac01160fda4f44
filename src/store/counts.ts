import type { Executor } from "./sql.ts";

/** Jobs of one lane in one state, and how long the oldest that could be taken has waited. */
export interface LaneCount {
  readonly lane: string;
  readonly state: "queued" | "delayed" | "active";
  readonly jobs: number;
  readonly oldestSeconds: number;
}

/** What all processes have to do. Reads what is unfinished alone, so that it costs the same however many runs are kept. */
export async function countWork(database: Executor) {
  const lanes = await database.query<LaneCount>(
    `select replace(name, 'sallyport-', '') as lane,
       case when state = 'active' then 'active' when start_after > now() then 'delayed' else 'queued' end as state,
       count(*)::integer as jobs,
       greatest(0, extract(epoch from now() - min(greatest(created_on, start_after))))::float8 as "oldestSeconds"
     from pgboss.job where name in ('sallyport-acts', 'sallyport-runs') and state < 'completed' group by 1, 2`,
  );
  // A request's texts may hold what SQL cannot reach into as JSON; inside them every quotation mark has a backslash before it.
  const runs = await database.query<{ kind: string; state: string; runs: number }>(
    `select coalesce(substring(request::text from '"trigger":"([a-z-]+)"'), 'unknown') as kind, state, count(*)::integer as runs
     from sallyport.runs where state in ('queued', 'working') or state = 'waiting' group by 1, 2`,
  );
  return { lanes, runs };
}
