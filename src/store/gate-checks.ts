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
