import { addUsage, NO_USAGE, type Usage } from "../core/conversation.ts";
import type { RunRequest, RunState } from "../core/run.ts";
import { ASKED, MAY_ASK } from "./run-list.ts";
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

/** Whose use is counted since some moment: a person's, a repository's, an installation's (which is one account's, or organisation's). */
type Since = { readonly since: Date } & (
  | { readonly repositoryId: number }
  | { readonly installationId: number }
  | { readonly actorId: number }
);

/** What the runs of a thread have used, ever; or those of a repository, an installation or a person since some moment. */
export async function spentOn(database: Executor, what: { readonly thread: string } | Since): Promise<Spent> {
  const [condition, values] = "thread" in what ? (["r.thread = $1", [what.thread]] as const) : since(what);
  const rows = await database.query<{ run_id: string; usage: Usage | null; usd: string | null }>(
    `select t.run_id, t.turn -> 'usage' as usage, t.turn ->> 'usd' as usd from (
       select j.run_id, ${ASKED} as turn from sallyport.journal j join sallyport.runs r on r.id = j.run_id
       where ${MAY_ASK} and ${condition}
     ) t where t.turn -> 'usage' is not null`,
    values,
  );
  return {
    runs: new Set(rows.map(({ run_id }) => run_id)).size,
    usage: rows.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE),
    usd: rows.reduce((sum, { usd }) => sum + Number(usd ?? 0), 0),
    unpriced: rows.filter(({ usd }) => usd === null).length,
  };
}

function since(what: Since): readonly [string, readonly unknown[]] {
  const whose =
    "repositoryId" in what
      ? (["r.repository_id = $1", what.repositoryId] as const)
      : "installationId" in what
        ? (["r.installation_id = $1", what.installationId] as const)
        : (["r.request -> 'actor' ->> 'id' = $1", String(what.actorId)] as const);
  return [`${whose[0]} and j.created_at >= $2`, [whose[1], what.since.toISOString()]];
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
