import type { RunRequest } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** What was used; dollars of the United States, of the answers whose price was known. */
export interface Used {
  readonly usd: number;
  /** Input and output together. */
  readonly tokens: number;
  /** Answers of models whose price was not known. */
  readonly unpriced: number;
}

export interface UsedDay extends Used {
  /** `2026-12-01`, of UTC. */
  readonly day: string;
}

/** What one repository, person or installation used. */
export interface UsedBy extends Used {
  readonly id: number;
  /** The newest run among those counted: it knows how people call them. */
  readonly request: RunRequest;
  readonly runs: number;
}

const SUMS = "sum(usd)::float8 as usd, sum(input + output)::float8 as tokens, sum(unpriced)::float8 as unpriced";

/** What was used on each day from `since` (`2026-12-01`, of UTC) on, oldest first; days without a run are left out. */
export async function usedByDay(database: Executor, since: string): Promise<readonly UsedDay[]> {
  return database.query<UsedDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, ${SUMS} from sallyport.usage where day >= $1::date group by sallyport.usage.day order by 1`,
    [since],
  );
}

const OWNERS = { repository: "repository_id", user: "actor_id", organisation: "installation_id" } as const;
export type Owner = keyof typeof OWNERS;

/** Who used most from that day on, in dollars, then in tokens. */
export async function usedMost(database: Executor, owner: Owner, { since, limit }: { readonly since: string; readonly limit: number }) {
  const rows = await database.query<Omit<UsedBy, "id"> & { readonly id: string | number }>(
    `select t.*, r.request from (
       select ${OWNERS[owner]} as id, max(run_id) as newest, count(distinct run_id)::integer as runs, ${SUMS}
       from sallyport.usage where day >= $1::date group by 1 order by usd desc, tokens desc, 1 limit $2
     ) t join sallyport.runs r on r.id = t.newest order by t.usd desc, t.tokens desc, t.id`,
    [since, limit],
  );
  return rows.map(({ id, request, runs, usd, tokens, unpriced }): UsedBy => ({ id: Number(id), request, runs, usd, tokens, unpriced }));
}
