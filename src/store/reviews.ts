import type { PullPin, RunState } from "../core/run.ts";
import type { Ending } from "./runs.ts";
import type { Executor } from "./sql.ts";

/** A review of a pull request, beside another one. */
export interface OtherReview {
  readonly id: string;
  readonly state: RunState;
  /** Undefined as long as it is not known. */
  readonly head: string | undefined;
  readonly isAsked: boolean;
  /** It was asked for after the other one. */
  readonly isNewer: boolean;
}

/** What is a review of a pull request's head; a merge group's is none. */
const IS_REVIEW = "r.request ->> 'trigger' = 'review' and r.request -> 'mergeGroup' is null";
/** The row that tells which head a review was let in for. */
const PINNED =
  "select j.entry from sallyport.journal j where j.run_id = r.id and j.kind = 'phase' and j.entry ->> 'phase' = 'authorize' limit 1";
/** The row of its last words. */
const REPORTED =
  "select j.entry from sallyport.journal j where j.run_id = r.id and j.kind = 'phase' and j.entry ->> 'phase' = 'report' order by j.sequence desc limit 1";

/** The reviews of a pull request but for `run` itself, oldest first. */
export async function otherReviews(database: Executor, thread: string, run: string): Promise<readonly OtherReview[]> {
  const rows = await database.query<Omit<OtherReview, "head"> & { head: string | null }>(
    `select r.id, r.state, coalesce(r.request #>> '{pull,headSha}', (${PINNED}) #>> '{result,pin,pull,headSha}') as head,
       r.position > (select position from sallyport.runs where id = $2) as "isNewer",
       coalesce(r.request ->> 'unasked', 'false') <> 'true' as "isAsked"
     from sallyport.runs r where r.thread = $1 and r.id <> $2 and ${IS_REVIEW} order by r.position`,
    [thread, run],
  );
  return rows.map(({ head, ...row }) => ({ ...row, head: head ?? undefined }));
}

/** Ends the unasked reviews of a thread that came before `run`: it reads a newer head. Durable once resolved. */
export async function overtakeReviews(
  database: Executor,
  { thread, run, head }: { readonly thread: string; readonly run: string; readonly head: string },
): Promise<readonly string[]> {
  const ending: Ending = { kind: "overtaken", head };
  const rows = await database.query<{ id: string }>(
    `update sallyport.runs r set ending = $3::json, updated_at = now()
     where r.thread = $1 and r.position < (select position from sallyport.runs where id = $2) and r.state in ('queued', 'working')
       and r.ending is null and ${IS_REVIEW} and r.request ->> 'unasked' = 'true' returning r.id`,
    [thread, run, JSON.stringify(ending)],
  );
  return rows.map(({ id }) => id);
}

/** A review that was finished: the two ends of the pull request that it read, and files between them that it did not read to their end. */
export interface LastReview {
  readonly pull: PullPin;
  readonly unread: readonly string[];
}

/** The last review that was finished before `run`; undefined when there was none. */
export async function lastReviewed(database: Executor, thread: string, run: string): Promise<LastReview | undefined> {
  const [row] = await database.query<{ pull: PullPin | null; unread: readonly string[] | null }>(
    `select (${PINNED}) #> '{result,pin,pull}' as pull, (${REPORTED}) #> '{result,unread}' as unread from sallyport.runs r
     where r.thread = $1 and r.position < (select position from sallyport.runs where id = $2) and r.state = 'done' and ${IS_REVIEW}
     order by r.position desc limit 1`,
    [thread, run],
  );
  return row === undefined || row.pull === null ? undefined : { pull: row.pull, unread: row.unread ?? [] };
}
