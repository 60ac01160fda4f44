import type { Boss } from "../store/boss.ts";
import type { Executor } from "../store/sql.ts";

/** Acts (eyes, permission, commands) run at once beside any run; runs hold one active slot per thread. */
export type LaneName = "acts" | "runs";

/** A job as a worker holds it. `retryCount` names the claim: what an older one still says about the job has no effect. */
export interface Claim {
  readonly id: string;
  readonly retryCount: number;
  readonly runId: string;
}

export interface NewJob {
  readonly runId: string;
  /** Jobs of the runs lane with one key are active one at a time. */
  readonly thread: string;
  readonly installationId: number;
}

/** The two lanes' jobs. Everything takes the transaction in which it happens, if any. */
export interface Queue {
  /**
   * The statement that `send` would run, as a part of another one: `parameter` is where that has the answered value, `runs` a query of run ids
   * in it. Of the jobs it makes those of these runs.
   */
  sending(
    lane: LaneName,
    jobs: readonly NewJob[],
    within: { readonly parameter: string; readonly runs: string },
  ): Promise<{ readonly text: string; readonly value: unknown }>;
  send(lane: LaneName, jobs: readonly NewJob[], tx: Executor): Promise<void>;
  /** Claims up to `limit` jobs, oldest first. Fewer do not mean that there are no more. */
  claim(lane: LaneName, limit: number): Promise<Claim[]>;
  /** Says that the jobs are being worked on. Answers the ids of those still held. */
  touch(lane: LaneName, claims: readonly Claim[]): Promise<ReadonlySet<string>>;
  complete(lane: LaneName, claim: Claim, tx: Executor): Promise<void>;
  /** Makes the job available again, after a delay in seconds. */
  putBack(lane: LaneName, claim: Claim, delay: number, tx: Executor): Promise<void>;
  /** Ends the delay of the thread's oldest waiting job in the runs lane. */
  hasten(thread: string, tx: Executor): Promise<void>;
  /** Makes every claimed job available at once: where no other process can hold one. */
  reclaimAll(): Promise<void>;
  /** Jobs that are not finished, delayed ones included. */
  pending(): Promise<number>;
  stop(): Promise<void>;
}

const QUEUES: Record<LaneName, string> = { acts: "sallyport-acts", runs: "sallyport-runs" };
const LANES = Object.keys(QUEUES) as LaneName[];

/** Seconds without a sign of life after which a job is taken from its worker; pg-boss takes no less. */
const HEARTBEAT = 10;

const SHARED = {
  heartbeatSeconds: HEARTBEAT,
  // The engine counts failures in the run itself: a handover or a dead worker must not use up a run's tries.
  retryLimit: 1_000_000_000,
  retryDelay: 0,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 30 * 86_400,
  // Unused by workers that ask for jobs themselves, but its default of 15 minutes would end long runs.
  expireInSeconds: 86_400,
} as const;

/**
 * Makes the lanes' queues on a started pg-boss. This must end before the first transaction that sends a job: on the embedded database
 * an unknown queue would be looked up beside the transaction that waits for it.
 */
export async function openQueue(boss: Boss, database: Executor): Promise<Queue> {
  // Under `key_strict_fifo` a job that failed for good would block its thread for ever.
  for (const lane of LANES) {
    const name = QUEUES[lane];
    const policy = lane === "runs" ? "singleton" : "standard";
    if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...SHARED, policy });
    else await boss.updateQueue(name, SHARED);
  }
  const insert = (lane: LaneName, jobs: readonly NewJob[], db: Pick<Executor, "executeSql">) => {
    const rows = jobs.map(({ runId, thread, installationId }) => ({
      data: { runId },
      group: { id: String(installationId) },
      ...(lane === "runs" ? { singletonKey: thread } : {}),
    }));
    return boss.insert(QUEUES[lane], rows, { db });
  };
  return {
    async send(lane, jobs, tx) {
      await insert(lane, jobs, tx);
    },
    async sending(lane, jobs, within) {
      const asked = Promise.withResolvers<{ text: string; values: readonly unknown[] }>();
      await insert(lane, jobs, {
        executeSql(text, values = []) {
          asked.resolve({ text, values });
          return Promise.resolve({ rows: [] });
        },
      });
      const { text, values } = await asked.promise;
      if (values.length !== 1) throw new Error(`pg-boss inserts jobs by ${values.length} values; one was expected`);
      // Its one value is a list of jobs as JSON: instead of a parameter it gets what the database makes of it.
      const chosen = `(
        select coalesce(json_agg(j.value order by j.place), '[]')::text
        from json_array_elements(${within.parameter}::text::json) with ordinality j (value, place)
        where j.value #>> '{data,runId}' in (${within.runs})
      )`;
      return { text: text.replaceAll("$1", () => chosen), value: values[0] };
    },
    async claim(lane, limit) {
      const jobs = await boss.fetch<{ runId: string }>(QUEUES[lane], { batchSize: limit });
      return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, runId: data.runId }));
    },
    async touch(lane, claims) {
      // Its types do not name what it answers.
      const { settled } = (await boss.touch(QUEUES[lane], claims.map(attempt))) as { settled?: readonly string[] };
      return new Set(settled ?? claims.map(({ id }) => id));
    },
    async complete(lane, claim, tx) {
      await boss.complete(QUEUES[lane], attempt(claim), undefined, { db: tx });
    },
    async putBack(lane, claim, delay, tx) {
      await boss.fail(QUEUES[lane], attempt(claim), undefined, { db: tx });
      if (delay > 0) await boss.update(QUEUES[lane], undefined, { id: claim.id, startAfter: delay, db: tx });
    },
    async hasten(thread, tx) {
      await boss.update(QUEUES.runs, undefined, { singletonKey: thread, match: "oldest", startAfter: 0, db: tx });
    },
    async reclaimAll() {
      for (const lane of LANES) {
        const rows = await database.query<{ id: string }>("select id from pgboss.job where name = $1 and state = 'active'", [QUEUES[lane]]);
        if (rows.length > 0)
          await boss.fail(
            QUEUES[lane],
            rows.map(({ id }) => id),
          );
      }
    },
    async pending() {
      const [row] = await database.query<{ count: number }>(
        "select count(*)::integer as count from pgboss.job where name = any($1::text[]) and state < 'completed'",
        [Object.values(QUEUES)],
      );
      return row?.count ?? 0;
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

function attempt({ id, retryCount }: Claim): { id: string; retryCount: number } {
  return { id, retryCount };
}
