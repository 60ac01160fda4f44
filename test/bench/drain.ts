import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Database } from "../../src/store/sql.ts";
import { mention } from "../unit/store/requests.ts";
import { steps } from "../unit/runs/engines.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import type { Measured, Target } from "./bench.ts";
import type { Told } from "./drain-worker.ts";
import { outOfOrder, overlapsOf } from "./intervals.ts";
import { familyOf, processorTimeOf } from "./processor-time.ts";

const RUNS = Number(process.env["SALLYPORT_BENCH_RUNS"] ?? 10_000);
const THREADS = Math.ceil(RUNS / 10);
const WORKERS = 4;
/** Seconds after which it is told how far the workers came: a benchmark has five minutes. */
const MOST_SECONDS = Number(process.env["SALLYPORT_BENCH_SECONDS"] ?? 240);

interface Drained {
  readonly runs: number;
  readonly threads: number;
  readonly workers: number;
  readonly seconds: number;
  readonly runsPerSecond: number;
  /** Milliseconds of processor time for one run: of the workers, and of the database's processes. */
  readonly cpuMs: number;
  readonly databaseCpuMs?: number;
  /** Runs that were not done when the time was over, of those that were queued. */
  readonly left: number;
  /** Runs at work while another one of their thread was; that worked before an older one of it; that worked more than once, or met an error. */
  readonly overlaps: number;
  readonly outOfOrder: number;
  readonly again: number;
}

/** Stores many runs, and measures how four worker processes get through them on PostgreSQL. Undefined where that is not installed. */
async function drain(): Promise<Drained | undefined> {
  if (postgresPrograms === undefined) return undefined;
  const postgres = await startPostgres({ isDurable: true });
  try {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ url, directory: "/nowhere", log: silent });
    const front = createEngine({ database, concurrency: 1, role: "web", log: silent, ...steps() });
    await front.start();
    await Promise.all(Array.from({ length: RUNS }, (_, at) => front.enqueue(mention({ number: (at % THREADS) + 1 }))));
    const family = await familyOf(database);
    const before = family === undefined ? undefined : processorTimeOf(family);
    const started = performance.now();
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(url)));
    let left = RUNS;
    const isOver = (): boolean => left === 0 || performance.now() - started > MOST_SECONDS * 1000;
    for (left = await unfinished(database); !isOver(); left = await unfinished(database)) await sleep(500);
    const seconds = (performance.now() - started) / 1000;
    const databaseCpu = family === undefined || before === undefined ? undefined : processorTimeOf(family) - before;
    const told = await Promise.all(workers.map(stopWorker));
    const intervals = told.flatMap((one) => one.intervals);
    const order = await database.query<{ id: string }>("select id from sallyport.runs order by position");
    const [failed] = await database.query<{ count: number }>(
      "select count(*)::integer as count from sallyport.runs where failures > 0 or losses > 0 or state not in ('queued', 'working', 'done')",
    );
    await front.stop({ graceMs: 0 });
    await database.close();
    const done = RUNS - left;
    return {
      runs: RUNS,
      threads: THREADS,
      workers: WORKERS,
      seconds,
      runsPerSecond: done / seconds,
      cpuMs: told.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / done,
      ...(databaseCpu !== undefined && { databaseCpuMs: databaseCpu / done }),
      left,
      overlaps: overlapsOf(intervals).length,
      outOfOrder: outOfOrder(
        intervals,
        order.map(({ id }) => id),
      ).length,
      again: intervals.length - new Set(intervals.map(({ run }) => run)).size + (failed?.count ?? 0),
    };
  } finally {
    await postgres.dispose();
  }
}

async function unfinished(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer as count from sallyport.runs where state in ('queued', 'working')",
  );
  return row?.count ?? RUNS;
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL("./drain-worker.ts", import.meta.url)));
  worker.send(url);
  await said(worker);
  return worker;
}

async function stopWorker(worker: ChildProcess): Promise<Told> {
  const ended = once(worker, "exit");
  worker.send("stop");
  const told = (await said(worker)) as Told;
  await ended;
  return told;
}

async function said(worker: ChildProcess): Promise<unknown> {
  const gone = once(worker, "exit").then(() => {
    throw new Error("a worker has ended without a word");
  });
  gone.catch(() => undefined);
  const [message] = (await Promise.race([once(worker, "message"), gone])) as [unknown];
  return message;
}

function drainText(drained: Drained): string {
  const { runs, threads, workers, seconds, runsPerSecond, cpuMs, databaseCpuMs, left, overlaps, again } = drained;
  return (
    `drain: ${runs - left} of ${runs} runs of ${threads} threads by ${workers} workers on PostgreSQL: ${seconds.toFixed(1)} s, ` +
    `${runsPerSecond.toFixed(0)} runs a second, ${cpuMs.toFixed(2)} ms of processor time a run, and ${databaseCpuMs?.toFixed(2) ?? "–"} ms of the ` +
    `database's; ${overlaps} at work beside another of their thread, ${drained.outOfOrder} before an older one, ${again} more than once or with an error`
  );
}

export async function bench(): Promise<Measured<Drained> | undefined> {
  const drained = await drain();
  if (drained === undefined) process.stdout.write("not run: PostgreSQL is not installed\n");
  return drained === undefined ? undefined : { result: drained, text: drainText(drained) };
}

export const targets: readonly Target<Drained>[] = [
  { name: `runs at work beside another of their thread, of ${RUNS}`, unit: "", atMost: 0, figure: ({ overlaps }) => overlaps },
  { name: "runs that worked before an older one of their thread", unit: "", atMost: 0, figure: (drained) => drained.outOfOrder },
  { name: "runs that worked more than once, or met an error", unit: "", atMost: 0, figure: ({ again }) => again },
  { name: `queued runs that 4 workers left in ${MOST_SECONDS} s`, unit: "", atMost: 0, figure: ({ left }) => left },
  { name: "runs drained a second by 4 workers", unit: "", figure: ({ runsPerSecond }) => runsPerSecond },
];
