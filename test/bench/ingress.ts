import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createNodeMiddleware, Probot } from "probot";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { createServer } from "../../src/server.ts";
import { openDatabase } from "../../src/store/database.ts";
import { steps } from "../unit/runs/engines.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import { familyOf, processorTimeOf } from "./processor-time.ts";
import type { Measured, Target } from "./bench.ts";
import type { Load, Measured as Loaded } from "./ingress-load.ts";

const SECRET = "bench-secret";
const PATH = "/api/github/webhooks";
const CONNECTIONS = 20;
/** Deliveries that count, after as many as a fifth of them that do not. */
const DELIVERIES = Number(process.env["SALLYPORT_BENCH_DELIVERIES"] ?? 3000);
const ROUNDS = Number(process.env["SALLYPORT_BENCH_ROUNDS"] ?? 3);

interface Site extends AsyncDisposable {
  readonly url: string;
  /** Milliseconds of processor time that the database's own processes have taken, where there are some and the system tells. */
  readonly databaseCpu?: () => number | undefined;
}

interface IngressRow {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of processor time for one delivery: of the server, of the database's processes, and of what sends. */
  readonly cpuMs: number;
  readonly databaseCpuMs?: number;
  readonly loadCpuMs: number;
  /** Times the rate of the first row. */
  readonly ratio: number;
  /** Times its processor time, the server's alone. */
  readonly cpuRatio: number;
}

type Row = Omit<IngressRow, "ratio" | "cpuRatio">;

/**
 * Deliveries that are acknowledged a second at 20 connections: a bare Probot that keeps nothing, and the product's server, which stores delivery,
 * run and job before it answers, on both databases. All of them in each of several rounds; the middle one by its rate is told. Where sender, server
 * and database share few processors the rate is that of all three: the processor time tells them apart.
 */
async function ingressRows(): Promise<readonly IngressRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-ingress-"));
  const postgres = postgresPrograms === undefined ? undefined : await startPostgres({ isDurable: true });
  try {
    const sites: [string, () => Promise<Site>][] = [["bare Probot, nothing kept", bareProbot]];
    if (postgres !== undefined)
      sites.push(["PostgreSQL (fsync)", async () => product({ url: await postgres.createDatabase(), directory: folder })]);
    sites.push(["PGlite", () => product({ directory: join(folder, "embedded") })]);
    const rounds: Row[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows: Row[] = [];
      for (const [name, open] of sites) {
        await using site = await open();
        rows.push(await measureSite(name, site));
      }
      await rm(join(folder, "embedded"), { recursive: true, force: true });
      rounds.push(rows);
    }
    const middle = sites.map((_, at) => middleOf(rounds.flatMap((rows) => rows[at] ?? [])));
    const [reference] = middle;
    if (reference === undefined) throw new Error("nothing was measured");
    return middle.map((row) => ({ ...row, ratio: row.perSecond / reference.perSecond, cpuRatio: row.cpuMs / reference.cpuMs }));
  } finally {
    await postgres?.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

function middleOf<T extends { readonly perSecond: number }>(rows: readonly T[]): T {
  const middle = rows.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rows.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}

async function measureSite(name: string, { url, databaseCpu }: Site): Promise<Row> {
  await load(url, "warm-up", DELIVERIES / 5);
  const before = process.cpuUsage();
  const databaseBefore = databaseCpu?.();
  const { latencies, seconds, refused, cpuMs: loadCpuMs } = await load(url, "counted", DELIVERIES);
  const cpu = process.cpuUsage(before);
  const databaseAfter = databaseCpu?.();
  if (refused > 0) throw new Error(`${name}: ${refused} deliveries were not acknowledged`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    name,
    perSecond: DELIVERIES / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: (cpu.user + cpu.system) / 1000 / DELIVERIES,
    ...(databaseBefore !== undefined && databaseAfter !== undefined && { databaseCpuMs: (databaseAfter - databaseBefore) / DELIVERIES }),
    loadCpuMs: loadCpuMs / DELIVERIES,
  };
}

async function load(url: string, name: string, deliveries: number): Promise<Loaded> {
  const sender = fork(fileURLToPath(new URL("./ingress-load.ts", import.meta.url)));
  const ended = once(sender, "exit");
  const asked: Load = { url: url + PATH, name, secret: SECRET, deliveries, connections: CONNECTIONS };
  sender.send(asked);
  const [measured] = (await Promise.race([once(sender, "message"), ended.then(() => [])])) as [Loaded?];
  await ended;
  if (measured === undefined) throw new Error("the process that sends deliveries has ended without a word");
  return measured;
}

async function bareProbot(): Promise<Site> {
  const probot = new Probot({ githubToken: "none", secret: SECRET, logLevel: "fatal" });
  const middleware = await createNodeMiddleware((app) => app.on("issue_comment.created", () => Promise.resolve()), {
    probot,
    webhooksPath: PATH,
  });
  const server = createHttpServer((request, response) => {
    void middleware(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function product(where: { readonly url?: string; readonly directory: string }): Promise<Site> {
  const database = await openDatabase({ ...where, log: silent });
  // Nothing is worked on: the role of a web process, which the embedded database has none of.
  const engine = createEngine({
    database,
    concurrency: 1,
    log: silent,
    role: where.url === undefined ? "all" : "web",
    ...steps(() => new Promise(() => undefined)),
  });
  await engine.start();
  const server = createServer({
    environment: { host: "127.0.0.1", port: 0, webhookPath: PATH, webhookSecrets: [SECRET] },
    app: {
      identity: () => Promise.resolve({ appSlug: "sallyport", appId: 42, botLogin: "sallyport[bot]" }),
      enqueue: engine.enqueue,
      isReady: engine.isReady,
    },
    log: silent,
  });
  const { url } = await server.listen();
  const processes = where.url === undefined ? undefined : await familyOf(database);
  return {
    url,
    ...(processes !== undefined && { databaseCpu: () => processorTimeOf(processes) }),
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 100 });
      await engine.stop({ graceMs: 0 });
      await database.close();
    },
  };
}

function ingressTable(rows: readonly IngressRow[]): string {
  const line = (name: string, cells: readonly string[]): string => [name.padEnd(28), ...cells.map((cell) => cell.padStart(8))].join("  ");
  const lines = rows.map(({ name, perSecond, p50Ms, p99Ms, cpuMs, databaseCpuMs, loadCpuMs, ratio, cpuRatio }) =>
    line(name, [
      perSecond.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      cpuMs.toFixed(2),
      databaseCpuMs?.toFixed(2) ?? "–",
      loadCpuMs.toFixed(2),
      ratio.toFixed(2),
      cpuRatio.toFixed(2),
    ]),
  );
  const head = line("", ["per s", "p50 ms", "p99 ms", "cpu ms", "database", "sender", "× rate", "× cpu"]);
  return [`\ningress: acknowledged deliveries, ${CONNECTIONS} connections, ${DELIVERIES} deliveries`, head, ...lines].join("\n");
}

interface IngressResult {
  readonly rows: readonly IngressRow[];
}

export async function bench(): Promise<Measured<IngressResult>> {
  const rows = await ingressRows();
  return { result: { rows }, text: ingressTable(rows) };
}

const durable = ({ rows }: IngressResult): IngressRow | undefined => rows.find(({ name }) => name.startsWith("PostgreSQL"));
export const targets: readonly Target<IngressResult>[] = [
  {
    name: "deliveries acknowledged on PostgreSQL, beside a bare Probot",
    unit: "×",
    atLeast: 1,
    figure: (result) => durable(result)?.ratio,
  },
  { name: "the server's processor time for one of them, beside a bare Probot", unit: "×", figure: (result) => durable(result)?.cpuRatio },
  { name: `p99 of an acknowledgement at ${CONNECTIONS} connections`, unit: "ms", atMost: 50, figure: (result) => durable(result)?.p99Ms },
];
