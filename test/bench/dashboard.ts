import { silent } from "../../src/core/log.ts";
import { startBoss } from "../../src/store/boss.ts";
import { openDatabase } from "../../src/store/database.ts";
import { openQueue } from "../../src/runs/queue.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import type { Measured, Target } from "./bench.ts";
import { storeMany } from "../unit/web/many-runs.ts";
import { openSite } from "../unit/web/site.ts";

const RUNS = Number(process.env["SALLYPORT_BENCH_RUNS"] ?? 10_000);
const TIMES = 15;

interface MeasuredPage {
  readonly page: string;
  readonly kilobytes: number;
  /** Milliseconds from request to the last byte of the middle one. */
  readonly medianMs: number;
  /** Processor time of this process for one page; the database's is not in it. */
  readonly cpuMs: number;
}

const PAGES = [
  "/sallyport",
  "/sallyport?state=failed",
  "/sallyport?repository=octo/repository-7",
  "/sallyport?kind=review",
  `/sallyport/runs/${"7".padStart(26, "0")}`,
  "/sallyport/queue",
  "/sallyport/spend",
  "/sallyport/spend?days=90",
  "/sallyport/gate",
  "/sallyport/audit",
  "/sallyport/audit?show=held-back",
  "/sallyport/audit?show=held-back&repository=octo/repository-7",
  "/sallyport/audit?show=answered",
] as const;

/** Reads every page of the dashboard on PostgreSQL with many runs in it. Undefined where that is not installed. */
async function dashboardRows(): Promise<readonly MeasuredPage[] | undefined> {
  if (postgresPrograms === undefined) return undefined;
  const postgres = await startPostgres();
  try {
    const database = await openDatabase({ url: await postgres.createDatabase(), directory: "/nowhere", log: silent });
    const boss = await startBoss(database, { log: silent, supervise: false });
    await openQueue(boss, database);
    await storeMany(database, RUNS);
    await using site = await openSite(database);
    const measured: MeasuredPage[] = [];
    for (const page of PAGES) {
      const first = await site.get(page);
      if (first.status !== 200) throw new Error(`${page} answers ${first.status}`);
      const times: number[] = [];
      const before = process.cpuUsage();
      for (let at = 0; at < TIMES; at += 1) {
        const started = performance.now();
        await site.get(page);
        times.push(performance.now() - started);
      }
      const cpu = process.cpuUsage(before);
      measured.push({
        page,
        kilobytes: Buffer.byteLength(first.text) / 1000,
        medianMs: times.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0,
        cpuMs: (cpu.user + cpu.system) / 1000 / TIMES,
      });
    }
    await boss.stop({ graceful: false, close: false });
    await database.close();
    return measured;
  } finally {
    await postgres.dispose();
  }
}

/** The results as a table for people. */
function dashboardTable(rows: readonly MeasuredPage[]): string {
  const width = Math.max(...rows.map(({ page }) => page.length));
  const lines = rows.map(
    ({ page, kilobytes, medianMs, cpuMs }) =>
      `${page.padEnd(width)}  ${kilobytes.toFixed(1).padStart(6)} kB  ${medianMs.toFixed(1).padStart(7)} ms  ${cpuMs.toFixed(1).padStart(6)} ms cpu`,
  );
  return [`\ndashboard: pages with ${RUNS} runs on PostgreSQL (targets: 100 kB, 200 ms)`, ...lines].join("\n");
}

export async function bench(): Promise<Measured<readonly MeasuredPage[]> | undefined> {
  const rows = await dashboardRows();
  if (rows === undefined) process.stdout.write("not run: PostgreSQL is not installed\n");
  return rows === undefined ? undefined : { result: rows, text: dashboardTable(rows) };
}

const slowest = (rows: readonly MeasuredPage[], of: "medianMs" | "kilobytes"): number => Math.max(...rows.map((row) => row[of]));

export const targets: readonly Target<readonly MeasuredPage[]>[] = [
  { name: `slowest page of the dashboard with ${RUNS} runs`, unit: "ms", atMost: 200, figure: (rows) => slowest(rows, "medianMs") },
  { name: "largest page of the dashboard", unit: "kB", atMost: 100, figure: (rows) => slowest(rows, "kilobytes") },
];
