import { fork, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, pipeline, type Duplex } from "node:stream";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { HEADER_LENGTH, STREAMS, type LauncherAnswer, type LauncherRequest } from "./launcher-protocol.ts";
import { startHere, type ProcessCommand, type ProcessEnd, type StartedProcess, type StartProcess } from "./start-process.ts";

/** Starts programs from a small process. When it is disposed, or the process that opened it dies, what it has started is killed. */
export interface Launcher extends AsyncDisposable {
  readonly start: StartProcess;
}

interface Task {
  readonly streams: readonly PassThrough[];
  readonly arrived: Set<number>;
  /** Output streams that are not closed yet. */
  open: number;
  readonly closed: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<ProcessEnd>;
}

/** How a launcher is opened. */
export interface LauncherOptions {
  readonly log: Logger;
  /** The launcher's own module. */
  readonly entry?: URL;
}

/**
 * Opens a launcher. To start a program, a process is copied first, which for one with hundreds of megabytes takes tens of milliseconds, and
 * all of it stands still meanwhile; a small one does it in two or three. Streams are connected directly, over sockets that nobody else
 * can reach. When the launcher ends, programs are started from this process, as they are where it cannot be opened at all.
 */
export async function openLauncher({ log, entry = entryBeside() }: LauncherOptions): Promise<Launcher> {
  try {
    return await open(entry);
  } catch (error) {
    log.warn({ error: messageOf(error) }, "programs are started from this process, which takes longer");
    return { start: startHere, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
}

async function open(entry: URL): Promise<Launcher> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-launcher-"));
  const address = join(folder, "socket");
  const tasks = new Map<string, Task>();
  const server = createServer((socket) => void welcome(socket, tasks));
  let child: ChildProcess | undefined;
  try {
    await once(server.listen(address), "listening");
    // Its own session: what a terminal sends to this process is not for the launcher, which ends with its channel.
    child = fork(entry, [address], { cwd: "/", env: {}, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"], detached: true });
    await isReady(child);
  } catch (error) {
    child?.kill("SIGKILL");
    server.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  // Too many open files, say: a connection that was not taken never comes again.
  server.on("error", (error) => {
    for (const task of tasks.values()) if (task.arrived.size < STREAMS) lose(task, error);
  });
  child.on("message", (answer: LauncherAnswer) => settle(tasks, answer));
  child.on("exit", () => {
    for (const key of tasks.keys()) settle(tasks, { key, failed: { message: "the process that starts programs has ended" } });
  });
  const hold = holder(child, server, tasks);
  hold();

  return {
    start(command) {
      return child.connected ? launch(command, { child, tasks, hold }) : startHere(command);
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its first message says that it listens. */
async function isReady(child: ChildProcess): Promise<void> {
  child.on("error", () => undefined);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the process that starts programs has ended at once")));
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
}

interface Running {
  readonly child: ChildProcess;
  readonly tasks: Map<string, Task>;
  readonly hold: () => void;
}

function launch(command: ProcessCommand, { child, tasks, hold }: Running): StartedProcess {
  const key = randomBytes(16).toString("hex");
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const streams = [stdin, stdout, stderr];
  for (const stream of streams) stream.on("error", () => undefined);
  const task: Task = {
    streams,
    arrived: new Set(),
    open: STREAMS - 1,
    closed: Promise.withResolvers(),
    ended: Promise.withResolvers(),
  };
  task.closed.promise.catch(() => undefined);
  tasks.set(key, task);
  hold();
  const ended = (async () => {
    try {
      const end = await task.ended.promise;
      await task.closed.promise;
      return end;
    } finally {
      tasks.delete(key);
      hold();
    }
  })();
  ended.catch(() => undefined);
  tell(child, { start: command, key });
  return { stdin, stdout, stderr, ended, kill: () => tell(child, { kill: key }) };
}

function tell(child: ChildProcess, request: LauncherRequest): void {
  // One that is gone is told by its "exit".
  if (child.connected) child.send(request, () => undefined);
}

function settle(tasks: ReadonlyMap<string, Task>, answer: LauncherAnswer): void {
  const task = tasks.get(answer.key);
  if (task === undefined) return;
  if ("ended" in answer) return task.ended.resolve(answer.ended);
  const { message, code } = answer.failed;
  lose(task, Object.assign(new Error(message), code === undefined ? {} : { code }));
}

/** Its output ends as that of a program without words: why, `ended` tells. */
function lose(task: Task, error: Error): void {
  task.ended.reject(error);
  task.closed.reject(error);
  for (const stream of task.streams) stream.end();
}

/** Reads whose stream a connection is, and joins the two. */
async function welcome(socket: Socket, tasks: ReadonlyMap<string, Task>): Promise<void> {
  socket.on("error", () => undefined);
  const header = await firstBytes(socket);
  const task = tasks.get(header.slice(0, -1));
  const number = Number(header.at(-1));
  const stream = task?.streams[number];
  if (task === undefined || stream === undefined || task.arrived.has(number)) {
    socket.destroy();
    return;
  }
  task.arrived.add(number);
  // An end of standard input shows only to who reads it.
  if (number === 0) socket.resume();
  const [from, to]: [Duplex, Duplex] = number === 0 ? [stream, socket] : [socket, stream];
  pipeline(from, to, () => {
    if (number === 0) return;
    task.open -= 1;
    if (task.open === 0) task.closed.resolve();
  });
}

async function firstBytes(socket: Socket): Promise<string> {
  for (;;) {
    const bytes = socket.read(HEADER_LENGTH) as Buffer | null;
    if (bytes !== null) return bytes.toString("latin1");
    if (socket.readableEnded || socket.destroyed) return "";
    await new Promise<void>((resolve) => {
      for (const event of ["readable", "end", "close"]) socket.once(event, resolve);
    });
  }
}

/** Keeps this process alive as long as a program runs, and no longer. */
function holder(child: ChildProcess, server: Server, tasks: ReadonlyMap<string, Task>): () => void {
  return () => {
    const what = tasks.size > 0 ? "ref" : "unref";
    server[what]();
    child[what]();
    child.channel?.[what]();
  };
}

function entryBeside(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./launcher-entry.ts" : "./launcher-entry.js", import.meta.url);
}
