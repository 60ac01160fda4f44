import { randomBytes } from "node:crypto";
import { StaleAttemptError } from "../core/errors.ts";
import type { Run, RunEnd, RunRequest, RunState } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** A stored run with what the engine alone needs to know of it. */
export interface StoredRun extends Run {
  /** The thread it holds while it works: one run at a time. */
  readonly thread: string;
  /** Set once the acts lane let it in. */
  readonly acceptedAt: Date | undefined;
  /** Engine errors so far. */
  readonly failures: number;
  /** Tries so far that found GitHub, or the database, away. */
  readonly setbacks: number;
  /** Workers that died with it. */
  readonly losses: number;
  /** Set once people, or time, have ended it: it is to be concluded, whatever it was about to do. */
  readonly ending?: Ending;
}

/** How a run is ended from outside. */
export type Ending =
  | { readonly kind: "stopped"; readonly by: string }
  | { readonly kind: "denied"; readonly approval: string; readonly by: string }
  /** A review of an older head than the one that is read now. */
  | { readonly kind: "overtaken"; readonly head: string }
  /** Nobody answered in time. */
  | { readonly kind: "expired"; readonly approval: string }
  /** All that is kept of its repository is about to be deleted. */
  | { readonly kind: "purged" };

interface RunRow {
  id: string;
  request: RunRequest;
  thread: string;
  state: RunState;
  attempt: number;
  failures: number;
  setbacks: number;
  losses: number;
  accepted_at: Date | null;
  created_at: Date;
  ending: Ending | null;
}
interface TakenRow extends RunRow {
  /** By the database's clock. */
  taken_at: Date;
}

const COLUMNS = "id, request, thread, state, attempt, failures, setbacks, losses, accepted_at, created_at, ending";
const TAKEN = `${COLUMNS}, clock_timestamp() as taken_at`;

/** Digits of run ids: Crockford's base 32 in lower case, without i, l, o, u. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new run id: 26 digits, the first ten a time in milliseconds, so that ids sort by age; the rest random. */
export function newRunId(now: number = Date.now()): string {
  let id = "";
  for (let rest = now, digit = 0; digit < 10; digit += 1, rest = Math.floor(rest / 32)) id = DIGITS.charAt(rest % 32) + id;
  for (const byte of randomBytes(16)) id += DIGITS.charAt(byte % 32);
  return id;
}

/**
 * The thread whose one active slot a run takes: an issue or pull request, its review threads included; without one, and for the gate's looks
 * at pull requests, which wait for nobody, what it says itself.
 */
export function threadKey(request: Pick<RunRequest, "repository" | "thread" | "slot" | "trigger">): string {
  const { repository, thread, slot, trigger } = request;
  return thread.kind === "none" || trigger === "gate" ? `${repository.id}#${slot ?? "none"}` : conversationKey(request);
}

/** Where people talk about a run, whatever slot it takes. */
export function conversationKey({ repository, thread }: Pick<RunRequest, "repository" | "thread">): string {
  return `${repository.id}#${thread.number}`;
}

export type Acceptance = { readonly status: "accepted"; readonly runId: string } | { readonly status: "duplicate" };

/** Makes a statement of a part: given the next parameter and a query of run ids, a statement that makes these runs' jobs. */
export type JobsOf = (
  runs: readonly NewRun[],
  within: { readonly parameter: string; readonly runs: string },
) => Promise<{ readonly text: string; readonly value: unknown }>;

interface NewRun {
  readonly id: string;
  readonly request: RunRequest;
}

/**
 * Stores deliveries, their runs, and the jobs that `jobsOf` says, in one statement: all of it or nothing, in one round trip. One answer for each
 * request, in order. A delivery id that is there already, or comes twice in one call, makes no second run and no job.
 */
export async function acceptDeliveries(database: Executor, requests: readonly RunRequest[], jobsOf?: JobsOf): Promise<Acceptance[]> {
  const runs = new Map<string, NewRun>();
  for (const request of requests) if (!runs.has(request.deliveryId)) runs.set(request.deliveryId, { id: newRunId(), request });
  const made = [...runs.values()];
  const jobs = await jobsOf?.(made, { parameter: "$7", runs: "select id from stored" });
  // Deliveries in one order everywhere, or two processes with the same ones would wait for each other.
  const rows = await database.query<{ id: string }>(
    `with fresh as (
       insert into sallyport.deliveries (id) select d from unnest($2::text[]) d order by d on conflict (id) do nothing returning id
     ), stored as (
       insert into sallyport.runs (id, delivery_id, request, thread, installation_id, repository_id)
       select r.id, r.delivery_id, r.request::json, r.thread, r.installation_id, r.repository_id
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
         with ordinality as r (id, delivery_id, request, thread, installation_id, repository_id, place)
         join fresh on fresh.id = r.delivery_id
       order by r.place returning id
     )${jobs === undefined ? "" : `, jobs as (${jobs.text})`}
     select id from stored`,
    [
      made.map(({ id }) => id),
      made.map(({ request }) => request.deliveryId),
      made.map(({ request }) => JSON.stringify(request)),
      made.map(({ request }) => threadKey(request)),
      made.map(({ request }) => request.repository.installationId),
      made.map(({ request }) => request.repository.id),
      ...(jobs === undefined ? [] : [jobs.value]),
    ],
    { isKept: true },
  );
  const stored = new Set(rows.map(({ id }) => id));
  return requests.map(({ deliveryId }) => {
    const id = runs.get(deliveryId)?.id;
    // The first request of its delivery has the run; a later one of the same call is a duplicate of it.
    return id !== undefined && stored.delete(id) ? { status: "accepted", runId: id } : { status: "duplicate" };
  });
}

/** The stored run, if there is one. */
export async function readRun(database: Executor, id: string): Promise<StoredRun | undefined> {
  const [row] = await database.query<RunRow>(`select ${COLUMNS} from sallyport.runs where id = $1`, [id]);
  return row === undefined ? undefined : runOf(row);
}

/** Runs that are queued or working, oldest first. */
export async function listUnfinished(database: Executor): Promise<StoredRun[]> {
  const rows = await database.query<RunRow>(`select ${COLUMNS} from sallyport.runs where state in ('queued', 'working') order by position`);
  return rows.map(runOf);
}

/** `gone`: there is no such run, or it needs no such step any more. `busy`: an earlier run of its thread goes first. */
export type Taken = { readonly status: "taken"; readonly run: StoredRun } | { readonly status: "gone" } | { readonly status: "busy" };

/** Unfinished runs without a job in the queue, oldest first: what somebody else removed from the queue is not lost. */
export async function listWithoutJob(database: Executor): Promise<StoredRun[]> {
  const rows = await database.query<RunRow>(
    `select ${COLUMNS} from sallyport.runs r where state in ('queued', 'working')
       and not exists (select 1 from pgboss.job j where j.state < 'completed' and j.data ->> 'runId' = r.id)
     order by position`,
  );
  return rows.map(runOf);
}

/** Takes a run for its first step, before it was let in. It becomes the current attempt; all earlier ones can write no more. */
export async function takeForAcceptance(database: Executor, id: string): Promise<Taken> {
  const [row] = await database.query<TakenRow>(
    `update sallyport.runs set attempt = attempt + 1, updated_at = now()
     where id = $1 and state = 'queued' and accepted_at is null returning ${TAKEN}`,
    [id],
  );
  return row === undefined ? { status: "gone" } : { status: "taken", run: takenOf(row) };
}

/** Takes a queued run that was ended from outside, to say so, at once beside the run that is at work on its thread. */
export async function takeForConclusion(database: Executor, id: string): Promise<Taken> {
  const [row] = await database.query<TakenRow>(
    `update sallyport.runs set attempt = attempt + 1, updated_at = now()
     where id = $1 and state = 'queued' and accepted_at is not null and ending is not null returning ${TAKEN}`,
    [id],
  );
  return row === undefined ? { status: "gone" } : { status: "taken", run: takenOf(row) };
}

/**
 * Takes a run that was let in, for work; none that is paused. Runs of one thread work one at a time, in the order of their acceptance; a run found working
 * here has lost its worker, which is counted.
 */
export async function takeForWork(database: Executor, id: string): Promise<Taken> {
  try {
    const [row] = await database.query<TakenRow>(
      `update sallyport.runs r set attempt = attempt + 1, losses = losses + (state = 'working')::integer, state = 'working', updated_at = now()
       where id = $1 and state in ('queued', 'working') and accepted_at is not null
         and not exists (select 1 from sallyport.runs o where o.thread = r.thread and o.position < r.position and o.state in ('queued', 'working'))
         and not exists (select 1 from sallyport.pauses p where p.scope in ('all', r.installation_id::text))
       returning ${TAKEN}`,
      [id],
    );
    if (row !== undefined) return { status: "taken", run: takenOf(row) };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return { status: "busy" };
  }
  const run = await readRun(database, id);
  return { status: run !== undefined && isUnfinished(run.state) && run.acceptedAt !== undefined ? "busy" : "gone" };
}

function isUnfinished(state: RunState): boolean {
  return state === "queued" || state === "working";
}

/** What an attempt may record about its run as a whole. */
export type Verdict =
  /** Let in: it may now be taken for work. */
  | { readonly kind: "accepted" }
  /** Ended; nothing is written about it any more. */
  | { readonly kind: "ended"; readonly state: RunEnd }
  /** Given back unharmed, for any worker. */
  | { readonly kind: "released" }
  /** Given back after an engine error. */
  | { readonly kind: "failed-attempt" }
  /** Given back because GitHub, or the database, was away. */
  | { readonly kind: "setback" };

const ASSIGNMENTS: Record<Verdict["kind"], string> = {
  accepted: "accepted_at = now()",
  ended: "state = $3",
  // A new attempt number: what the attempt that gives it back still has in flight can write no more.
  released: "state = 'queued', attempt = attempt + 1",
  "failed-attempt": "state = 'queued', attempt = attempt + 1, failures = failures + 1",
  setback: "state = 'queued', attempt = attempt + 1, setbacks = setbacks + 1",
};

/** Gives a run another request, while the attempt that settles it is the current one: a command that has become a run. */
export async function changeRequest(database: Executor, run: Pick<Run, "id" | "attempt">, request: RunRequest): Promise<void> {
  await database.query("update sallyport.runs set request = $3::json, thread = $4 where id = $1 and attempt = $2", [
    run.id,
    run.attempt,
    JSON.stringify(request),
    threadKey(request),
  ]);
}

/** Records a verdict of the current attempt. @throws {StaleAttemptError} when it is not the current one any more. */
export async function settle(database: Executor, run: Pick<Run, "id" | "attempt">, verdict: Verdict): Promise<void> {
  const rows = await database.query(
    `update sallyport.runs set ${ASSIGNMENTS[verdict.kind]}, updated_at = now()
     where id = $1 and attempt = $2 and state in ('queued', 'working') returning id`,
    verdict.kind === "ended" ? [run.id, run.attempt, verdict.state] : [run.id, run.attempt],
  );
  if (rows.length === 0) throw new StaleAttemptError(run.id, run.attempt);
}

/** Forgets a run that was not let in, its journal included; its delivery stays known. @throws {StaleAttemptError} */
export async function forgetRun(database: Executor, run: Pick<Run, "id" | "attempt">): Promise<void> {
  const rows = await database.query("delete from sallyport.runs where id = $1 and attempt = $2 returning id", [run.id, run.attempt]);
  if (rows.length === 0) throw new StaleAttemptError(run.id, run.attempt);
}

function takenOf(row: TakenRow): StoredRun {
  return { ...runOf(row), clockAheadMs: row.taken_at.getTime() - Date.now() };
}

function runOf(row: RunRow): StoredRun {
  return {
    id: row.id,
    request: row.request,
    thread: row.thread,
    state: row.state,
    attempt: row.attempt,
    failures: row.failures,
    setbacks: row.setbacks,
    losses: row.losses,
    acceptedAt: row.accepted_at ?? undefined,
    createdAt: row.created_at,
    ...(row.ending === null ? {} : { ending: row.ending }),
  };
}

/** SQLSTATE 23505, as both drivers carry it. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}
