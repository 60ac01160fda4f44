import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Everything around the workspaces that a command could reach: secrets by the places where they lie, listeners, files of other jobs. */
export interface Stage extends AsyncDisposable {
  /** Where workspaces are made; another job's lies there already. */
  readonly workspaces: string;
  /** What the server's own process has in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly aims: Aims;
  /** The names of the secrets that a text holds. */
  secretsIn(text: string): readonly string[];
  /** What arrived at the listeners since this was asked last. */
  arrived(): readonly string[];
  /** Each file outside the workspaces with its bytes and the number of its names. */
  outside(): Readonly<Record<string, string>>;
}

/** Where attacks are pointed, so that a way out is seen. */
export interface Aims {
  /** Of a TCP and of a UDP listener on 127.0.0.1. */
  readonly port: number;
  /** A listening unix socket, as an engine's would be. */
  readonly socket: string;
  /** A file that later jobs would run. */
  readonly action: string;
  /** The runner's command files by their variables. */
  readonly runner: Readonly<Record<string, string>>;
}

const RUNNER = ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"];
/** Host files that attacks try to make. */
const FORBIDDEN = ["/outside", "/etc/x"];

export async function openStage(): Promise<Stage> {
  const base = mkdtempSync(join(tmpdir(), "corpus-"));
  const secrets = new Map<string, string>();
  const secret = (name: string): string => {
    const value = randomBytes(20).toString("hex");
    secrets.set(name, value);
    return value;
  };
  const put = (path: string, text: string): string => {
    const file = join(base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  for (const path of [".npmrc", ".netrc", ".git-credentials", ".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml"]) {
    put(`home/${path}`, `token ${secret(`~/${path}`)}\n`);
  }
  for (const path of ["work/other-job/secret.txt", "work/other-job/.git/config", "secret.txt"]) put(path, `${secret(path)}\n`);
  const runner = Object.fromEntries(RUNNER.map((name) => [name, put(`runner/${name.toLowerCase()}`, "")]));
  const environment = { HOME: join(base, "home"), SERVER_SECRET: secret("the environment"), ...runner };
  // A variable that is set later does not show in /proc: a neighbour of the commands holds one from its start.
  const neighbour = spawn("sleep", ["600"], { env: { NEIGHBOUR_SECRET: secret("a neighbour's environment") }, stdio: "ignore" });
  const listeners = await listen(join(base, "engine.sock"));
  const action = put("actions/checkout/index.js", "original");
  return {
    workspaces: join(base, "work"),
    environment,
    secrets,
    aims: { port: listeners.port, socket: join(base, "engine.sock"), action, runner },
    secretsIn: (text) => [...secrets].filter(([, value]) => formsOf(value).some((form) => text.includes(form))).map(([name]) => name),
    arrived: listeners.arrived,
    outside: () => ({
      ...Object.fromEntries(["home", "runner", "actions", "work/other-job", "secret.txt"].flatMap((path) => filesBelow(join(base, path)))),
      ...Object.fromEntries(FORBIDDEN.map((path) => [path, String(existsSync(path))])),
    }),
    async [Symbol.asyncDispose]() {
      neighbour.kill("SIGKILL");
      await listeners.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [value, Array.from(value).reverse().join(""), bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
}

function filesBelow(path: string): (readonly [string, string])[] {
  const stats = statSync(path);
  if (stats.isDirectory()) return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
  return [[path, `${stats.nlink} ${readFileSync(path, "utf8")}`]];
}

async function listen(socket: string) {
  let visits: string[] = [];
  const serve = async (
    kind: string,
    where: { readonly path: string } | { readonly port: number; readonly host: string },
  ): Promise<Server> => {
    const server = createServer((connection) => {
      visits.push(kind);
      // Unread bytes would keep the connection open for ever.
      connection.on("error", () => undefined).resume();
      connection.end("HTTP/1.0 200 OK\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(where, resolve));
    return server;
  };
  const tcp = await serve("tcp", { port: 0, host: "127.0.0.1" });
  const engine = await serve("a unix socket", { path: socket });
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4", () => visits.push("udp"));
  await new Promise<void>((resolve) => udp.bind(port, "127.0.0.1", resolve));
  return {
    port,
    arrived() {
      const now = visits;
      visits = [];
      return now;
    },
    async close() {
      udp.close();
      await Promise.all([tcp, engine].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Ids of the processes that stand in the folder or have it mounted, once those that are ending have had a second. `name` is like no other. */
export async function processesLeftIn(name: string): Promise<readonly number[]> {
  for (let look = 0; look < 20 && processesIn(name).length > 0; look++) await sleep(50);
  return processesIn(name);
}

/** The same at once. */
export function processesIn(name: string): readonly number[] {
  const read = (get: () => string): string => {
    try {
      return get();
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id) && Number(id) !== process.pid)
    .filter((id) =>
      [read(() => readlinkSync(`/proc/${id}/cwd`)), read(() => readFileSync(`/proc/${id}/mountinfo`, "utf8"))].join().includes(name),
    )
    .map(Number);
}
