import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { mkdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { CANARY_SCRIPT } from "./canary-script.ts";
import type { CanaryAims, CanaryAnswers } from "./canary-script.ts";
import type { Layout } from "./layout.ts";
import { LIMITS } from "./limits.ts";
import type { Sandbox } from "./sandbox.ts";
import { makeOwnFolder } from "./own-folder.ts";

/** What is tried, by the word with which a miss begins. */
export const CANARIES = [
  "environment",
  "reading",
  "writing",
  "tcp",
  "udp",
  "sockets",
  "processes",
  "privileges",
  "limits",
  "namespaces",
  "seccomp",
] as const;

const TIMEOUT_MS = 20_000;
/** Made by shells and by Node for themselves. */
const SHELL_OWN = ["PWD", "OLDPWD", "SHLVL", "_"];

/**
 * Tries a backend's escapes through the backend itself, against a secret, sockets and listeners put up for it.
 * Answers what got out, in words; nothing when all held and the control, that a command runs and can write its workspace, held too.
 */
export async function tryEscapes(sandbox: Sandbox, layout: Layout, temporary: string): Promise<readonly string[]> {
  const folder = await makeOwnFolder(temporary, "probe");
  const listeners = await listen(folder);
  try {
    const workspace = join(folder, "workspace");
    await mkdir(workspace);
    const secret = randomUUID();
    const aims: CanaryAims = {
      secretFile: join(folder, "secret"),
      secret,
      forbiddenFile: join(folder, "forbidden"),
      ...listeners.aims,
      environment: [...Object.keys(layout.environment), ...SHELL_OWN],
      limits: LIMITS,
    };
    await writeFile(aims.secretFile, secret);
    await writeFile(join(workspace, "aims.json"), JSON.stringify(aims));
    await writeFile(join(workspace, "canary.mjs"), CANARY_SCRIPT);
    const { output } = await sandbox.run({ command: "node canary.mjs", workspace, timeoutMs: TIMEOUT_MS });
    const text = await readFile(join(workspace, "answers.json"), "utf8").catch(() => undefined);
    if (text === undefined) return [`a command could not do its work: ${output.trim().slice(0, 500)}`];
    const answers = JSON.parse(text) as CanaryAnswers;
    return [...inside(answers), ...(await outside(answers, sandbox, aims, listeners.visited()))];
  } catch (error) {
    return [messageOf(error)];
  } finally {
    await listeners.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function inside({ escapes }: CanaryAnswers): string[] {
  return Object.entries(escapes)
    .filter(([, found]) => found !== "")
    .map(([name, found]) => `${name}: ${found}`);
}

async function outside(answers: CanaryAnswers, sandbox: Sandbox, aims: CanaryAims, visited: readonly string[]): Promise<string[]> {
  const missed = visited.map((kind) => `${kind}: the host was reached`);
  if (existsSync(aims.forbiddenFile)) missed.push("writing: a file appeared outside the workspace");
  if (answers.pidNamespace === (await readlink("/proc/self/ns/pid"))) missed.push("processes: the host's namespace is shared");
  if (sandbox.level === "strong" && answers.nestedUserNamespace) missed.push("namespaces: a user namespace could be nested");
  if (sandbox.level === "strong" && !answers.seccomp) missed.push("seccomp: the filter is not in force");
  return missed;
}

/** Everything that a command could reach if the network or the sockets of the host were its own. */
async function listen(folder: string): Promise<{
  readonly aims: Pick<CanaryAims, "tcpPort" | "udpPort" | "socketPath" | "abstractName">;
  visited(): readonly string[];
  close(): Promise<void>;
}> {
  const visited: string[] = [];
  const server = async (
    kind: string,
    where: { readonly path: string } | { readonly port: number; readonly host: string },
  ): Promise<Server> => {
    const made = createServer((socket) => {
      visited.push(kind);
      socket.destroy();
    });
    await new Promise<void>((resolve, reject) => made.once("error", reject).listen(where, resolve));
    return made;
  };
  const socketPath = join(folder, "socket");
  const abstractName = `sallyport-probe-${randomUUID()}`;
  const tcp = await server("tcp", { port: 0, host: "127.0.0.1" });
  const servers = [tcp, await server("sockets", { path: socketPath }), await server("sockets", { path: `\0${abstractName}` })];
  const udp = createSocket("udp4", () => visited.push("udp"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    aims: { tcpPort: (tcp.address() as AddressInfo).port, udpPort: udp.address().port, socketPath, abstractName },
    visited: () => visited,
    async close() {
      udp.close();
      await Promise.all(servers.map((made) => new Promise((resolve) => made.close(resolve))));
    },
  };
}
