import { ASKED, MAY_ASK } from "./run-list.ts";
import type { Executor } from "./sql.ts";

/** Newest runs that are counted. */
const MOST = 20;

/** Dollars that a repository's runs which published something used on average; undefined where none tells. */
export async function usualCost(database: Executor, repositoryId: number): Promise<number | undefined> {
  const [row] = await database.query<{ usd: number | null }>(
    `select avg(t.usd)::float8 as usd from (
       select sum((${ASKED} ->> 'usd')::float8) as usd from sallyport.runs r join sallyport.journal j on j.run_id = r.id
       where r.repository_id = $1 and r.state = 'done' and ${MAY_ASK}
         and exists (select 1 from sallyport.journal p where p.run_id = r.id and p.kind = 'published')
       group by r.id order by r.id desc limit ${MOST}
     ) t`,
    [repositoryId],
  );
  return row?.usd ?? undefined;
}
