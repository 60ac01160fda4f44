import type { RunRequest } from "../core/run.ts";
import type { Ending } from "./runs.ts";
import type { Executor } from "./sql.ts";
import { ASKED_BY_CALLS } from "./approvals.ts";

/** What a job needs to know of a run. */
export interface CalledRun {
  readonly id: string;
  readonly request: RunRequest;
}

/** A run that one of its own thread's commands ends. */
export interface StoppedRun extends CalledRun {
  readonly wasWorking: boolean;
}

/**
 * Ends every run of the thread that came before the run `by` whom it is asked: at work, queued or waiting for people. Durable once resolved;
 * who works on them is told within a second, in whatever process.
 */
export async function stopThread(
  database: Executor,
  { thread, before, by }: { readonly thread: string; readonly before: string; readonly by: string },
): Promise<StoppedRun[]> {
  const ending: Ending = { kind: "stopped", by };
  const rows = await database.query<{ id: string; request: RunRequest; old_state: string }>(
    `with old as (
       select id, state as old_state from sallyport.runs
       where thread = $1 and position < (select position from sallyport.runs where id = $2)
         and state in ('queued', 'working', 'waiting') and ending is null for update
     )
     update sallyport.runs r set ending = $3::json, state = case when r.state = 'waiting' then 'queued' else r.state end, updated_at = now()
     from old where r.id = old.id returning r.id, r.request, old.old_state`,
    [thread, before, JSON.stringify(ending)],
  );
  return rows
    .filter(({ request }) => request.command === undefined || request.trigger !== "command")
    .map(({ id, request, old_state }) => ({ id, request, wasWorking: old_state === "working" }));
}

/** Those of these runs that were ended from outside. */
export async function endingsOf(database: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, Ending>> {
  const rows = await database.query<{ id: string; ending: Ending }>(
    "select id, ending from sallyport.runs where id = any($1::text[]) and ending is not null",
    [ids],
  );
  return new Map(rows.map(({ id, ending }) => [id, ending]));
}

/** Queued runs that were ended and that nobody was called for yet; they count as called once the transaction is committed. */
export async function callEnded(tx: Executor): Promise<CalledRun[]> {
  return tx.query<{ id: string; request: RunRequest }>(
    `update sallyport.runs set ending_called = true
     where ending is not null and state = 'queued' and accepted_at is not null and not ending_called returning id, request`,
  );
}

/**
 * Runs whose question was answered, or whose time is over: approved ones, and those in which a call had asked, are queued for work again, the
 * others are ended. To be called in a transaction that makes the jobs of the former.
 */
export async function releaseAnswered(tx: Executor): Promise<CalledRun[]> {
  const rows = await tx.query<{ id: string; approval: string; operation: string; answer: string | null; login: string | null }>(
    `select r.id, a.id as approval, a.operation, a.answer, a.answered_by ->> 'login' as login
     from sallyport.runs r
     join lateral (
       select id, operation, answer, answered_by, expires_at from sallyport.approvals
       where run_id = r.id and voided_at is null and operation in ('open-pull-request', 'commit', 'comment', '${ASKED_BY_CALLS}')
       order by requested_at desc, id limit 1
     ) a on true
     where r.state = 'waiting' and (a.answer is not null or a.expires_at <= now())
     order by r.position for update of r`,
  );
  const released: CalledRun[] = [];
  for (const { id, approval, operation, answer, login } of rows) {
    // A call is told of a no like of a yes, and goes on with it.
    const goesOn = answer === "approved" || (answer !== null && operation === ASKED_BY_CALLS);
    const [run] = await tx.query<{ id: string; request: RunRequest }>(
      "update sallyport.runs set state = 'queued', ending = $2::json, updated_at = now() where id = $1 and state = 'waiting' returning id, request",
      [id, goesOn ? null : JSON.stringify(endingOf(approval, answer, login ?? "somebody"))],
    );
    if (run !== undefined && goesOn) released.push(run);
  }
  return released;
}

function endingOf(approval: string, answer: string | null, by: string): Ending {
  return answer === "denied" ? { kind: "denied", approval, by } : { kind: "expired", approval };
}
