import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createNodeMiddleware, Probot } from "probot";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { createServer } from "../../src/server.ts";
import { openDatabase } from "../../src/store/database.ts";
import { steps } from "../unit/runs/engines.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
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
}

interface IngressRow {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of this process for one delivery; the load has a thread, which is part of it, the database does not count. */
  readonly cpuMs: number;
  /** Times the rate of the first row. */
  readonly ratio: number;
}

/**
 * Deliveries that are acknowledged a second at 20 connections: a bare Probot that keeps nothing, and the product's server, which stores delivery,
 * run and job before it answers, on both databases. All of them in each of several rounds; the middle one by its rate is told.
 */
async function ingressRows(): Promise<readonly IngressRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-ingress-"));
  const postgres = postgresPrograms === undefined ? undefined : await startPostgres({ isDurable: true });
  try {
    const sites: [string, () => Promise<Site>][] = [["bare Probot, nothing kept", bareProbot]];
    if (postgres !== undefined)
      sites.push(["PostgreSQL (fsync)", async () => product({ url: await postgres.createDatabase(), directory: folder })]);
    sites.push(["PGlite", () => product({ directory: join(folder, "embedded") })]);
    const rounds: Omit<IngressRow, "ratio">[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows: Omit<IngressRow, "ratio">[] = [];
      for (const [name, open] of sites) {
        await using site = await open();
        rows.push(await measureSite(name, site.url));
      }
      await rm(join(folder, "embedded"), { recursive: true, force: true });
      rounds.push(rows);
    }
    const middle = sites.map((_, at) => middleOf(rounds.flatMap((rows) => rows[at] ?? [])));
    const reference = middle[0]?.perSecond ?? 1;
    return middle.map((row) => ({ ...row, ratio: row.perSecond / reference }));
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

async function measureSite(name: string, url: string): Promise<Omit<IngressRow, "ratio">> {
  await load(url, "warm-up", DELIVERIES / 5);
  const before = process.cpuUsage();
  const { latencies, seconds, refused } = await load(url, "counted", DELIVERIES);
  const cpu = process.cpuUsage(before);
  if (refused > 0) throw new Error(`${name}: ${refused} deliveries were not acknowledged`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { name, perSecond: DELIVERIES / seconds, p50Ms: at(0.5), p99Ms: at(0.99), cpuMs: (cpu.user + cpu.system) / 1000 / DELIVERIES };
}

async function load(url: string, name: string, deliveries: number): Promise<Loaded> {
  const workerData: Load = { url: url + PATH, name, secret: SECRET, deliveries, connections: CONNECTIONS };
  const worker = new Worker(new URL("./ingress-load.ts", import.meta.url), { workerData });
  const ended = once(worker, "exit");
  const [measured] = (await once(worker, "message")) as [Loaded];
  await ended;
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
  return {
    url,
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 100 });
      await engine.stop({ graceMs: 0 });
      await database.close();
    },
  };
}

function ingressTable(rows: readonly IngressRow[]): string {
  const lines = rows.map(({ name, perSecond, p50Ms, p99Ms, cpuMs, ratio }) =>
    [
      name.padEnd(28),
      perSecond.toFixed(0).padStart(8),
      p50Ms.toFixed(1).padStart(8),
      p99Ms.toFixed(1).padStart(8),
      cpuMs.toFixed(2).padStart(8),
      ratio.toFixed(2).padStart(8),
    ].join("  "),
  );
  const head = ["".padEnd(28), "per s", "p50 ms", "p99 ms", "cpu ms", "× Probot"]
    .map((cell, at) => (at === 0 ? cell : cell.padStart(8)))
    .join("  ");
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
  { name: `p99 of an acknowledgement at ${CONNECTIONS} connections`, unit: "ms", atMost: 50, figure: (result) => durable(result)?.p99Ms },
];
