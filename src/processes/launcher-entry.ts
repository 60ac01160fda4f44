/**
 * The small process that starts programs for a large one: see `launcher.ts`. It ends with the process that started it, and imports next to
 * nothing, for its size is its purpose.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { connect, type Socket } from "node:net";
import { STREAMS, type LauncherAnswer, type LauncherRequest } from "./launcher-protocol.ts";
import { killGroup } from "./start-process.ts";

const address = process.argv[2] ?? "";
/** Programs by key; undefined between the request and the start. */
const running = new Map<string, ChildProcess | undefined>();
const killed = new Set<string>();

process.on("disconnect", () => {
  // Nobody reads what they say, and nobody will end them.
  for (const child of running.values()) if (child !== undefined) killGroup(child);
  // The one whose it was may have been killed.
  rmSync(dirname(address), { recursive: true, force: true });
  process.exit();
});
process.on("message", (request: LauncherRequest) => {
  if ("kill" in request) kill(request.kill);
  else void start(request);
});
tell("ready");

function kill(key: string): void {
  if (!running.has(key)) return;
  const child = running.get(key);
  if (child === undefined) killed.add(key);
  else killGroup(child);
}

async function start({ start: { program, args, cwd, env }, key }: Extract<LauncherRequest, { readonly start: unknown }>): Promise<void> {
  running.set(key, undefined);
  const sockets: Socket[] = [];
  try {
    for (let stream = 0; stream < STREAMS; stream++) sockets.push(connect({ path: address }));
    await Promise.all(sockets.map((socket, stream) => introduced(socket, `${key}${stream}`)));
    const child = spawn(program, args, { cwd, env, stdio: sockets, detached: true });
    running.set(key, child);
    child.on("error", (error) => answer({ key, failed: failure(error) }));
    child.on("exit", (exitCode, signal) => answer({ key, ended: { exitCode, signal } }));
    if (killed.has(key)) killGroup(child);
  } catch (error) {
    answer({ key, failed: failure(error) });
  } finally {
    // The program has them now; closed and not shut down, so that it keeps them.
    for (const socket of sockets) socket.destroy();
  }
}

/** Says whose stream it is. What comes back is the program's to read, so nothing may be read here. */
function introduced(socket: Socket, header: string): Promise<void> {
  socket.pause();
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.write(header, () => resolve());
  });
}

function answer(what: LauncherAnswer): void {
  running.delete(what.key);
  killed.delete(what.key);
  tell(what);
}

/** Nobody to tell is told by "disconnect"; without a callback a failure would be printed, and end this process. */
function tell(what: LauncherAnswer | "ready"): void {
  if (process.connected) process.send?.(what, undefined, undefined, () => undefined);
}

function failure(error: unknown): { readonly message: string; readonly code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { message, ...(code === undefined ? {} : { code }) };
}
