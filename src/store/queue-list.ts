import type { RunRequest, RunState } from "../core/run.ts";
import { countWork, type LaneCount } from "./counts.ts";
import type { PauseScope } from "./pauses.ts";
import type { Executor } from "./sql.ts";
import { listWorkers, type SeenWorker } from "./workers.ts";

/** What an installation has to do. */
export interface InstallationWork {
  readonly id: number;
  /** The account of its newest run that is not over. */
  readonly owner: string;
  readonly queued: number;
  readonly working: number;
  readonly waiting: number;
  /** When the oldest of those that are queued was made. */
  readonly oldest?: Date;
}

/** A run that a worker was lost with, or that met errors of the engine. */
export interface TroubledRun {
  readonly id: string;
  readonly state: RunState;
  readonly request: RunRequest;
  readonly createdAt: Date;
  readonly losses: number;
  readonly failures: number;
}

export interface QueueState {
  readonly lanes: readonly LaneCount[];
  /** Those with most to do first. */
  readonly installations: readonly InstallationWork[];
  readonly paused: readonly { readonly scope: PauseScope; readonly since: Date }[];
  readonly workers: readonly SeenWorker[];
  /** Newest first. */
  readonly troubled: readonly TroubledRun[];
}

/** What all processes have to do, who does it, and what went wrong; at most `limit` of each. Reads what is unfinished, not all that is kept. */
export async function readQueue(database: Executor, limit: number): Promise<QueueState> {
  const { lanes } = await countWork(database);
  return {
    lanes,
    installations: await listInstallations(database, limit),
    paused: await listPauses(database, limit),
    workers: await listWorkers(database, limit),
    troubled: await listTroubled(database, limit),
  };
}

async function listInstallations(database: Executor, limit: number): Promise<readonly InstallationWork[]> {
  const rows = await database.query<InstallationRow>(
    `select t.*, (select request from sallyport.runs where position = t.newest) as request from (
       select installation_id as id, max(position) as newest,
         count(*) filter (where state = 'queued')::integer as queued,
         count(*) filter (where state = 'working')::integer as working,
         count(*) filter (where state = 'waiting')::integer as waiting,
         min(created_at) filter (where state = 'queued') as oldest
       from sallyport.runs where state in ('queued', 'working') or state = 'waiting'
       group by installation_id order by count(*) desc, installation_id limit $1
     ) t`,
    [limit],
  );
  return rows.map(({ id, request, queued, working, waiting, oldest }) => ({
    id: Number(id),
    owner: request.repository.owner,
    queued,
    working,
    waiting,
    ...(oldest === null ? {} : { oldest }),
  }));
}

interface InstallationRow extends Omit<InstallationWork, "id" | "owner" | "oldest"> {
  readonly id: string | number;
  readonly request: RunRequest;
  readonly oldest: Date | null;
}

async function listPauses(database: Executor, limit: number) {
  const rows = await database.query<{ scope: string; since: Date }>(
    "select scope, paused_at as since from sallyport.pauses order by paused_at, scope limit $1",
    [limit],
  );
  return rows.map(({ scope, since }) => ({ scope: scope === "all" ? ("all" as const) : Number(scope), since }));
}

async function listTroubled(database: Executor, limit: number): Promise<readonly TroubledRun[]> {
  return database.query<TroubledRun>(
    `select id, state, request, created_at as "createdAt", losses, failures from sallyport.runs
     where failures > 0 or losses > 0 order by position desc limit $1`,
    [limit],
  );
}
