import type { PullPin, RunState } from "../core/run.ts";
import type { Ending } from "./runs.ts";
import type { Executor } from "./sql.ts";

/** A review of a pull request that nobody asked for, beside another one. */
export interface OtherReview {
  readonly id: string;
  readonly state: RunState;
  readonly head: string;
  /** It was asked for after the other one. */
  readonly isNewer: boolean;
}

/** The reviews of a pull request that nobody asked for, but for `run` itself, oldest first. */
export async function otherReviews(database: Executor, thread: string, run: string): Promise<readonly OtherReview[]> {
  return database.query<OtherReview & object>(
    `select id, state, request -> 'pull' ->> 'headSha' as head, position > (select position from sallyport.runs where id = $2) as "isNewer"
     from sallyport.runs where thread = $1 and id <> $2 and request ->> 'trigger' = 'review' and request ->> 'unasked' = 'true'
     order by position`,
    [thread, run],
  );
}

/** Ends the unasked reviews of a thread that came before `run`: it reads a newer head. Durable once resolved. */
export async function overtakeReviews(
  database: Executor,
  { thread, run, head }: { readonly thread: string; readonly run: string; readonly head: string },
): Promise<readonly string[]> {
  const ending: Ending = { kind: "overtaken", head };
  const rows = await database.query<{ id: string }>(
    `update sallyport.runs set ending = $3::json, updated_at = now()
     where thread = $1 and position < (select position from sallyport.runs where id = $2) and state in ('queued', 'working')
       and ending is null and request ->> 'trigger' = 'review' and request ->> 'unasked' = 'true' returning id`,
    [thread, run, JSON.stringify(ending)],
  );
  return rows.map(({ id }) => id);
}

/** The two ends of the pull request as the last review that was finished before `run` has read them; undefined when there was none. */
export async function lastReviewed(database: Executor, thread: string, run: string): Promise<PullPin | undefined> {
  const [row] = await database.query<{ pull: PullPin | null }>(
    `select j.entry -> 'result' -> 'pin' -> 'pull' as pull from sallyport.runs r join sallyport.journal j on j.run_id = r.id
     where r.thread = $1 and r.position < (select position from sallyport.runs where id = $2) and r.state = 'done'
       and r.request ->> 'trigger' = 'review' and j.kind = 'phase' and j.entry ->> 'phase' = 'authorize'
     order by r.position desc limit 1`,
    [thread, run],
  );
  return row?.pull ?? undefined;
}
