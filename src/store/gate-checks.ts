import type { RunState } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** Another look of the gate's at the same head. */
export interface OtherLook {
  readonly id: string;
  readonly state: RunState;
  /** The pull request that it was about, and the branch that this was against; undefined where its event did not say. */
  readonly number: number;
  readonly baseRef: string | undefined;
  /** The base's commit. */
  readonly baseSha: string | undefined;
}

/** The gate's looks that came before `run` at the head that `slot` stands for, newest first. */
export async function earlierLooks(database: Executor, slot: string, run: string): Promise<readonly OtherLook[]> {
  const rows = await database.query<{ id: string; state: RunState; number: number; base: string | null; sha: string | null }>(
    `select id, state, (request #>> '{thread,number}')::integer as number, request #>> '{pull,baseRef}' as base,
       request #>> '{pull,baseSha}' as sha
     from sallyport.runs
     where thread = $1 and position < (select position from sallyport.runs where id = $2) and request ->> 'trigger' = 'gate'
     order by position desc limit 100`,
    [slot, run],
  );
  return rows.map(({ base, sha, ...row }) => ({ ...row, baseRef: base ?? undefined, baseSha: sha ?? undefined }));
}

/** What code scanning was told of a pull request, as one look at it sees that. */
export interface Uploads {
  /** A later look is there: what it tells is newer. */
  readonly isOvertaken: boolean;
  /** The key of the last step by which an earlier look, or an earlier attempt at this one, told it. */
  readonly last: string | undefined;
}

/** What code scanning was told of a pull request by the gate's looks at it, as the look of `run` sees that. */
export async function lookUploads(
  database: Executor,
  { repositoryId, number, run }: { readonly repositoryId: number; readonly number: number; readonly run: string },
): Promise<Uploads> {
  const rows = await database.query<{ later: boolean; key: string | null }>(
    `with looks as (
       select id, position, position > (select position from sallyport.runs where id = $3) as later from sallyport.runs
       where repository_id = $1 and trigger = 'gate' and request #>> '{thread,number}' = $2
     )
     select coalesce(bool_or(later), false) as later,
       (select entry ->> 'key' from sallyport.journal join looks on looks.id = run_id
        where not later and kind = 'outcome' and entry #>> '{outcome,operation}' = 'upload-sarif'
        order by position desc, sequence desc limit 1) as key
     from looks`,
    [repositoryId, String(number), run],
  );
  return { isOvertaken: rows[0]?.later === true, last: rows[0]?.key ?? undefined };
}

/** Runs on which people of a conversation are waited for, and which came before the run `before`, newest first. */
export async function waitingRuns(
  database: Executor,
  { repositoryId, number, before }: { readonly repositoryId: number; readonly number: number; readonly before: string },
): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(
    `select id from sallyport.runs
     where repository_id = $1 and state = 'waiting' and request #>> '{thread,number}' = $2
       and position < (select position from sallyport.runs where id = $3) order by position desc limit 100`,
    [repositoryId, String(number), before],
  );
  return rows.map(({ id }) => id);
}
