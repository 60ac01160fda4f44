import type { Usage } from "../core/conversation.ts";
import type { RunRequest, RunState } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** Whether nothing but commands is heard on the thread. */
export async function isMuted(database: Executor, thread: string): Promise<boolean> {
  const rows = await database.query("select 1 from sallyport.muted_threads where thread = $1", [thread]);
  return rows.length > 0;
}

/** From now on, or no more, nothing but commands is heard on the thread. Answers whether that is new. */
export async function setMuted(
  database: Executor,
  thread: string,
  wanted: { readonly repositoryId: number; readonly by: { readonly id: number; readonly login: string } } | undefined,
): Promise<boolean> {
  const rows =
    wanted === undefined
      ? await database.query("delete from sallyport.muted_threads where thread = $1 returning thread", [thread])
      : await database.query(
          `insert into sallyport.muted_threads (thread, repository_id, muted_by) values ($1, $2, $3::json)
           on conflict (thread) do nothing returning thread`,
          [thread, wanted.repositoryId, JSON.stringify({ id: wanted.by.id, login: wanted.by.login })],
        );
  return rows.length > 0;
}

/** A run of a thread as its commands see it. */
export interface ThreadRun {
  readonly id: string;
  readonly state: RunState;
  readonly request: RunRequest;
}

/** Runs of the thread that came before the run `before`, newest first, commands that were answered aside; the newest hundred are looked at. */
export async function threadRuns(database: Executor, thread: string, before: string): Promise<ThreadRun[]> {
  const rows = await database.query<ThreadRun>(
    `select id, state, request from sallyport.runs
     where thread = $1 and position < (select position from sallyport.runs where id = $2) order by position desc limit 100`,
    [thread, before],
  );
  return rows.filter(({ request }) => request.trigger !== "command");
}

/** What model turns used. */
export interface Spent {
  readonly runs: number;
  readonly usage: Usage;
  /** United States dollars, of the turns whose price was known. */
  readonly usd: number;
  /** Turns whose price was not known. */
  readonly unpriced: number;
}

/** Whose use is counted, from the day of that moment on: a person's, a repository's, an installation's (which is one account's, or organisation's). */
type Since = { readonly since: Date } & (
  | { readonly repositoryId: number }
  | { readonly installationId: number }
  | { readonly actorId: number }
);

/** What the runs of a thread have used, ever; or those of a repository, an installation or a person since some day (of UTC), itself included. */
export async function spentOn(database: Executor, what: { readonly thread: string } | Since): Promise<Spent> {
  const [condition, values] =
    "thread" in what
      ? (["run_id in (select id from sallyport.runs where thread = $1)", [what.thread]] as const)
      : ([`${whose(what)} = $1 and day >= ($2::timestamptz at time zone 'utc')::date`, [idOf(what), what.since.toISOString()]] as const);
  const [row] = await database.query<Spent & Usage>(
    `select count(distinct run_id)::integer as runs, coalesce(sum(usd), 0)::float8 as usd, coalesce(sum(unpriced), 0)::integer as unpriced,
       coalesce(sum(input), 0)::float8 as input, coalesce(sum(output), 0)::float8 as output, coalesce(sum(cached), 0)::float8 as cached
     from sallyport.usage where ${condition}`,
    values,
  );
  const { runs = 0, usd = 0, unpriced = 0, input = 0, output = 0, cached = 0 } = row ?? {};
  return { runs, usd, unpriced, usage: { input, output, cached } };
}

function whose(what: Since): string {
  return "repositoryId" in what ? "repository_id" : "installationId" in what ? "installation_id" : "actor_id";
}

function idOf(what: Since): number {
  return "repositoryId" in what ? what.repositoryId : "installationId" in what ? what.installationId : what.actorId;
}

/** Whether a run of the thread that came earlier goes before the run `before`. */
export async function isThreadBusy(database: Executor, thread: string, before: string): Promise<boolean> {
  const rows = await database.query(
    `select 1 from sallyport.runs where thread = $1 and position < (select position from sallyport.runs where id = $2)
       and state in ('queued', 'working') and accepted_at is not null limit 1`,
    [thread, before],
  );
  return rows.length > 0;
}
