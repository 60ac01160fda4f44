import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

const run = promisify(execFile);
const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/lib/postgresql/15/bin", "/opt/homebrew/opt/postgresql@15/bin"];

/** The folder of PostgreSQL's programs, or nothing where it is not installed. */
export const postgresPrograms = FOLDERS.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));

/** A PostgreSQL of its own for one test file: loopback only, in a temporary folder. */
export interface TestPostgres {
  /** Makes an empty database and answers its address. */
  createDatabase(): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** `isDurable`: it waits for the disk, as one in earnest does; tests do not. */
export async function startPostgres({ isDurable = false }: { readonly isDurable?: boolean } = {}): Promise<TestPostgres> {
  if (postgresPrograms === undefined) throw new Error("PostgreSQL is not installed");
  const programs = postgresPrograms;
  const user = unprivileged();
  const folder = await mkdtemp(join(tmpdir(), "sallyport-pg-"));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const port = await freePort();
  const data = join(folder, "data");
  const call = (program: string, ...args: string[]) => run(join(programs, program), args, { ...user, cwd: folder });
  await call("initdb", "-D", data, "-U", "tester", "--auth=trust", "--encoding=UTF8", "--no-sync");
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c fsync=${isDurable ? "on" : "off"} -c max_connections=60`;
  let made = 0;
  const server: TestPostgres = {
    async createDatabase() {
      const name = `test_${(made += 1)}`;
      const client = new Client({ host: "127.0.0.1", port, user: "tester", database: "postgres" });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `postgres://tester@127.0.0.1:${port}/${name}`;
    },
    start: async () => void (await call("pg_ctl", "-D", data, "-w", "-o", options, "-l", join(folder, "log"), "start")),
    stop: async () => void (await call("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")),
    async dispose() {
      await server.stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
