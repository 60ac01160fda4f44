import type { Executor } from "./sql.ts";

/** What a page can be about: the list of runs, the open questions, or one run by its id. */
export type Topic = "runs" | "approvals" | `run ${string}`;

/** Newest runs whose changes are noticed on the list. */
const LOOKED_AT = 200;

/**
 * A short text for each topic that is another one once there is something new to be shown. It says nothing else: no text of a run is in it. A
 * topic that is not there, such as a run that was deleted, is missing.
 */
export async function readVersions(database: Executor, topics: readonly Topic[]): Promise<ReadonlyMap<Topic, string>> {
  const ids = topics.flatMap((topic) => (topic.startsWith("run ") ? [topic.slice(4)] : []));
  const versions = new Map<Topic, string>();
  if (ids.length > 0) {
    const rows = await database.query<{ id: string; version: string }>(
      `select r.id, concat_ws('.', r.state, r.attempt, (select max(sequence) from sallyport.journal j where j.run_id = r.id)) as version
       from sallyport.runs r where r.id = any($1)`,
      [ids],
    );
    for (const { id, version } of rows) versions.set(`run ${id}`, version);
  }
  if (topics.includes("runs")) versions.set("runs", await one(database, `select ${RUNS} as version`));
  if (topics.includes("approvals")) versions.set("approvals", await one(database, `select ${APPROVALS} as version`));
  return versions;
}

const RUNS = `(select concat_ws('.', max(position), (extract(epoch from max(updated_at)) * 1000)::bigint)
  from (select position, updated_at from sallyport.runs order by position desc limit ${LOOKED_AT}) newest)`;
const APPROVALS = `(select concat_ws('.', count(*), (extract(epoch from max(requested_at)) * 1000)::bigint)
  from sallyport.approvals where answer is null and voided_at is null and expires_at > now())`;

async function one(database: Executor, query: string): Promise<string> {
  const [row] = await database.query<{ version: string | null }>(query);
  return row?.version ?? "";
}
