import { ConfigurationError, SallyportError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { RunRequest } from "../core/run.ts";
import { startBoss } from "../store/boss.ts";
import { openSchedules, type Schedules, type Tick } from "../store/schedules.ts";
import { scheduledRequest } from "./scheduled.ts";
import type { Database } from "../store/sql.ts";
import { listWithoutJob, type Acceptance } from "../store/runs.ts";
import { createIngress, jobOf, type Ingress } from "./ingress.ts";
import { createLane, type Lane } from "./lane.ts";
import { openQueue, type Claim, type LaneName, type Queue } from "./queue.ts";
import { createTending, type Tending } from "./tend.ts";
import { createWorker, type Steps, type Worker } from "./worker.ts";

/** Acts at once in one process: they wait for GitHub, not for this machine. */
const ACTS_AT_ONCE = 32;
/** Milliseconds between looks at the queue: what other processes send, and what was delayed, is found by looking. */
const POLL_EVERY = 500;

type Role = "all" | "web" | "worker";

export interface EngineOptions extends Steps {
  readonly database: Database;
  /** Runs at work at once in this process. */
  readonly concurrency: number;
  readonly log: Logger;
  /** `web` takes deliveries only, `worker` works too; both need PostgreSQL. */
  readonly role?: Role;
}

export interface Engine extends Schedules {
  /** Resolves only once the run is durable. A delivery id makes one run, whoever brings it how often. */
  enqueue(request: RunRequest): Promise<Acceptance>;
  start(): Promise<void>;
  /** Hands running work back within `graceMs` and some database time; nothing is failed. `enqueue` rejects from now on. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** Whether deliveries can be stored now. */
  isReady(): Promise<boolean>;
  /** Resolves when no job is left, delayed ones included: for tests. */
  idle(): Promise<void>;
}

/** What exists between `start` and `stop`. */
interface Running {
  readonly queue: Queue;
  readonly ingress: Ingress;
  readonly worker: Worker;
  readonly lanes: ReadonlyMap<LaneName, Lane>;
  readonly tending: Tending;
  readonly schedules: Schedules;
}

/** @throws {ConfigurationError} for a role that the kind of database cannot serve. */
export function refuseRole(role: Role, kind: Database["kind"]): void {
  if (role === "all" || kind !== "embedded") return;
  throw new ConfigurationError(`--role ${role} needs PostgreSQL: the embedded database serves one process.`, {
    code: "role-needs-postgres",
    hint: "Set DATABASE_URL, or start without --role.",
  });
}

/** The durable engine of one process. @throws {ConfigurationError} for a role that the embedded database cannot serve. */
export function createEngine(options: EngineOptions): Engine {
  const { database, role = "all" } = options;
  refuseRole(role, database.kind);
  let running: Running | undefined;
  return {
    async start() {
      running = await begin(options, role);
    },
    enqueue(request) {
      if (running === undefined) return Promise.reject(new SallyportError("The engine is not running.", { code: "engine-stopped" }));
      return running.ingress.enqueue(request);
    },
    async stop({ graceMs }) {
      const now = running;
      running = undefined;
      if (now !== undefined) await end(now, graceMs);
    },
    async sync(repository, wanted) {
      await running?.schedules.sync(repository, wanted);
    },
    isReady: async () => running !== undefined && (await database.isReady()),
    async idle() {
      for (;;) {
        const now = running;
        if (now === undefined) return;
        const isBusy = (): boolean => [...now.lanes.values()].some((lane) => lane.isBusy());
        // The database is asked only when nothing is at work here: runs would share it with whoever waits for them.
        if (!isBusy()) {
          if (now.lanes.size > 0) await now.tending.look();
          if (!isBusy() && (await now.queue.pending()) === 0) return;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

async function begin(options: EngineOptions, role: Role): Promise<Running> {
  const { database, log } = options;
  const isWorker = role !== "web";
  const boss = await startBoss(database, { log, supervise: isWorker, clock: isWorker });
  try {
    const running = await open(options, role, await openQueue(boss, database));
    const onTick = async (tick: Tick): Promise<void> => void (await running.ingress.enqueue(scheduledRequest(tick)));
    return { ...running, schedules: await openSchedules(boss, database, { log, ...(isWorker ? { onTick } : {}) }) };
  } catch (error) {
    await boss.stop({ graceful: false, close: false });
    throw error;
  }
}

async function open(options: EngineOptions, role: Role, queue: Queue): Promise<Omit<Running, "schedules">> {
  const { database, concurrency, log } = options;
  // No other process can be at work on it: what is claimed there, a dead one held.
  if (database.kind === "embedded") await queue.reclaimAll();
  await sendMissingJobs(database, queue);
  const lanes = new Map<LaneName, Lane>();
  const wake = (name: LaneName): void => lanes.get(name)?.wake();
  const tending = createTending({ database, queue, log, wake });
  const worker = createWorker({ ...options, queue, wake, follow: tending.follow });
  if (role !== "web") {
    for (const [name, limit] of [["acts", ACTS_AT_ONCE] as const, ["runs", concurrency] as const]) {
      const perform = (claim: Claim, signal: AbortSignal): Promise<void> => worker.perform(name, claim, signal);
      lanes.set(name, createLane({ name, queue, limit, pollEvery: POLL_EVERY, log, perform }));
    }
  }
  for (const lane of lanes.values()) lane.start();
  if (role !== "web") tending.start();
  return { queue, worker, lanes, tending, ingress: createIngress({ database, queue, onAccepted: () => wake("acts") }) };
}

async function sendMissingJobs(database: Database, queue: Queue): Promise<void> {
  for (const run of await listWithoutJob(database)) {
    const lane = run.acceptedAt === undefined ? "acts" : "runs";
    await database.transaction((tx) => queue.send(lane, [jobOf(run.id, run.request)], tx));
  }
}

async function end({ queue, ingress, worker, lanes, tending }: Running, graceMs: number): Promise<void> {
  await ingress.close();
  await tending.stop();
  const reason = new SallyportError("This process is stopping; its runs go on in the next one.", { code: "engine-stopped" });
  await Promise.all(
    [...lanes].map(async ([name, lane]) => {
      for (const claim of await lane.stop(reason, graceMs)) await worker.handBack(name, claim);
    }),
  );
  await queue.stop();
}
