import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { openDatabase } from "../../src/store/database.ts";
import { mention } from "../unit/store/requests.ts";
import { steps } from "../unit/runs/engines.ts";
import type { Measured, Target } from "./bench.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";

const RUNS = Number(process.env["SALLYPORT_BENCH_RUNS"] ?? 10_000);
const THREADS = 1000;
const WORKERS = 4;

interface Drained {
  readonly runs: number;
  readonly threads: number;
  readonly workers: number;
  readonly seconds: number;
  readonly runsPerSecond: number;
  /** Processor time of the workers for one run; the database's is not in it. */
  readonly cpuMs: number;
  /** Runs that met another one of their thread at work, or one of them that came before an older one: none may. */
  readonly overlaps: number;
  readonly outOfOrder: number;
}

/** Stores many runs, and measures how four workers get through them on PostgreSQL. Undefined where that is not installed. */
async function drain(): Promise<Drained | undefined> {
  if (postgresPrograms === undefined) return undefined;
  const postgres = await startPostgres({ isDurable: true });
  try {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ url, directory: "/nowhere", log: silent });
    await database.executeSql(`
      create table bench_at_work (thread integer primary key, run text not null);
      create table bench_done (run text primary key, place bigint not null);
      create sequence bench_places;
    `);
    const front = createEngine({ database, concurrency: 1, role: "web", log: silent, ...steps() });
    await front.start();
    await Promise.all(Array.from({ length: RUNS }, (_, at) => front.enqueue(mention({ number: (at % THREADS) + 1 }))));
    const before = process.cpuUsage();
    const started = performance.now();
    const workers = Array.from(
      { length: WORKERS },
      () => new Worker(new URL("./drain-worker.ts", import.meta.url), { workerData: { url } }),
    );
    for (let left = RUNS; left > 0; await sleep(200)) {
      const [row] = await database.query<{ left: number }>(
        "select count(*)::integer as left from sallyport.runs where state in ('queued', 'working')",
      );
      left = row?.left ?? RUNS;
    }
    const seconds = (performance.now() - started) / 1000;
    const cpu = process.cpuUsage(before);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    for (const worker of workers) worker.postMessage("stop");
    await Promise.all(workers.map((worker) => once(worker, "exit")));
    const [found] = await database.query<{ failed: number; late: number }>(
      `select (select count(*)::integer from sallyport.runs where state <> 'done' or failures > 0) as failed,
         (select count(*)::integer from (
           select d.place < lag(d.place) over (partition by r.thread order by r.position) as is_late
           from sallyport.runs r join bench_done d on d.run = r.id
         ) t where is_late) as late`,
    );
    await front.stop({ graceMs: 0 });
    await database.close();
    return {
      runs: RUNS,
      threads: THREADS,
      workers: WORKERS,
      seconds,
      runsPerSecond: RUNS / seconds,
      cpuMs: (cpu.user + cpu.system) / 1000 / RUNS,
      overlaps: found?.failed ?? -1,
      outOfOrder: found?.late ?? -1,
    };
  } finally {
    await postgres.dispose();
  }
}

function drainText({ runs, threads, workers, seconds, runsPerSecond, cpuMs, overlaps, outOfOrder }: Drained): string {
  return (
    `\ndrain: ${runs} runs of ${threads} threads by ${workers} workers on PostgreSQL: ${seconds.toFixed(1)} s, ${runsPerSecond.toFixed(0)} runs a second, ` +
    `${cpuMs.toFixed(2)} ms of processor time a run; ${overlaps} met another of their thread at work, ${outOfOrder} came before an older one`
  );
}

export async function bench(): Promise<Measured<Drained> | undefined> {
  const drained = await drain();
  if (drained === undefined) process.stdout.write("not run: PostgreSQL is not installed\n");
  return drained === undefined ? undefined : { result: drained, text: drainText(drained) };
}

export const targets: readonly Target<Drained>[] = [
  { name: `runs that met another of their thread at work, of ${RUNS}`, unit: "", atMost: 0, figure: ({ overlaps }) => overlaps },
  { name: "runs that came before an older one of their thread", unit: "", atMost: 0, figure: ({ outOfOrder }) => outOfOrder },
  { name: "runs drained a second by 4 workers", unit: "", figure: ({ runsPerSecond }) => runsPerSecond },
];
