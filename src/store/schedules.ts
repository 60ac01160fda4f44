import { createHash } from "node:crypto";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { RepositoryRef } from "../core/run.ts";
import type { Boss } from "./boss.ts";
import type { Executor } from "./sql.ts";

/** What the clock starts in one repository: five fields of cron, in UTC, and what is to be done. */
export interface Schedule {
  readonly cron: string;
  readonly task: string;
}

/** A schedule whose time has come. */
export interface Tick extends Schedule {
  /** Names this occurrence for ever, in all processes. */
  readonly id: string;
  /** Names the schedule within its repository. */
  readonly key: string;
  readonly repository: RepositoryRef;
}

/** What the clock starts, kept in the database; each occurrence is told to one process. */
export interface Schedules {
  /** Brings the repository's schedules to what its configuration says now. */
  sync(repository: RepositoryRef, wanted: readonly Schedule[]): Promise<void>;
}

const QUEUE = "sallyport-schedules";
/** Seconds between looks for occurrences; the clock itself counts minutes. */
const LOOK_EVERY = 2;
/** An occurrence that could not be taken over an hour is over. */
const TRIES = 120;
const TRY_EVERY = 30;

/**
 * Opens the schedules on a started pg-boss. With `onTick` this process carries occurrences out: one that rejects is told again, and one that
 * two processes are told of must come to the same.
 */
export async function openSchedules(
  boss: Boss,
  database: Executor,
  { log, onTick }: { readonly log: Logger; readonly onTick?: (tick: Tick) => Promise<void> },
): Promise<Schedules> {
  if ((await boss.getQueue(QUEUE)) === null)
    await boss.createQueue(QUEUE, { retryLimit: TRIES, retryDelay: TRY_EVERY, deleteAfterSeconds: 86_400 });
  if (onTick !== undefined) {
    await boss.work<Omit<Tick, "id">>(QUEUE, { pollingIntervalSeconds: LOOK_EVERY }, async (jobs) => {
      for (const { id, data } of jobs) await onTick({ ...data, id });
    });
  }
  return {
    async sync(repository, wanted) {
      const there = await database.query<{ key: string; data: { repository?: RepositoryRef } | null }>(
        "select key, data from pgboss.schedule where name = $1 and key like $2",
        [QUEUE, `${repository.id}.%`],
      );
      const known = new Map(there.map(({ key, data }) => [key, JSON.stringify(data?.repository)]));
      const keys = new Set<string>();
      for (const { cron, task } of wanted) {
        const key = keyOf(repository, { cron, task });
        keys.add(key);
        if (sameRepository(known.get(key), repository)) continue;
        try {
          await boss.schedule(QUEUE, cron.trim(), { key, repository, cron, task }, { tz: "UTC", key });
        } catch (error) {
          log.warn({ repo: `${repository.owner}/${repository.name}`, cron, why: messageOf(error) }, "a schedule cannot be read");
        }
      }
      for (const key of known.keys()) if (!keys.has(key)) await boss.unschedule(QUEUE, key);
    },
  };
}

/** By id, since names change; what has changed is written anew. */
function sameRepository(known: string | undefined, repository: RepositoryRef): boolean {
  if (known === undefined) return false;
  const there = JSON.parse(known) as Partial<RepositoryRef>;
  return (Object.keys(repository) as (keyof RepositoryRef)[]).every((field) => there[field] === repository[field]);
}

function keyOf({ id }: RepositoryRef, { cron, task }: Schedule): string {
  return `${id}.${createHash("sha256")
    .update(JSON.stringify([cron, task]))
    .digest("hex")
    .slice(0, 24)}`;
}
