import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "./clean.ts";

/** The folder in which one process keeps its workspaces. */
export interface Quarters extends AsyncDisposable {
  /** Absolute; nobody else's. */
  readonly directory: string;
  /** What dead processes had left, removed at the opening. */
  readonly swept: readonly string[];
}

/** The socket by which a process shows that it lives. */
const SIGN = "alive";
const NEW = "new-";
/** Milliseconds after which quarters that were never finished are nobody's. */
const ABANDONED = 60 * 60_000;
/** Longest socket path, in bytes, that every system takes (macOS 103, Linux 107). */
const LONGEST_SOCKET_PATH = 103;

/**
 * Makes quarters for this process below a folder that several processes of this machine may share, and removes those of processes that are
 * gone, however they ended: each listens on a socket in its own, and a socket without its process answers nobody. No mount needs undoing,
 * since the sandbox's mounts end with its processes.
 */
export async function openQuarters(folder: string): Promise<Quarters> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const swept = await sweep(folder);
  const name = `q-${Date.now().toString(36)}-${randomBytes(6).toString("hex")}`;
  const making = join(folder, `${NEW}${name}`);
  const directory = join(folder, name);
  await mkdir(making, { mode: 0o700 });
  let server: Server;
  try {
    server = await onSocket(making, name, listen);
    // Seen by others only once it answers.
    await rename(making, directory);
  } catch (error) {
    await removeTree(making);
    throw error;
  }
  return {
    directory,
    swept,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      await removeTree(directory);
    },
  };
}

/** Removes the workspaces of these runs, whichever process of this machine made them. */
export async function removeWorkspacesOf(folder: string, runIds: ReadonlySet<string>): Promise<void> {
  for (const quarters of await readdir(folder).catch(() => [])) {
    for (const name of await readdir(join(folder, quarters)).catch(() => [])) {
      if (runIds.has(name.split(".")[0] ?? "")) await removeTree(join(folder, quarters, name));
    }
  }
}

async function sweep(folder: string): Promise<readonly string[]> {
  const swept: string[] = [];
  for (const name of await readdir(folder)) {
    if (await isInUse(folder, name)) continue;
    await removeTree(join(folder, name));
    swept.push(name);
  }
  return swept;
}

async function isInUse(folder: string, name: string): Promise<boolean> {
  const path = join(folder, name);
  if (name.startsWith(NEW)) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs < ABANDONED;
  }
  return onSocket(path, name, answers).catch(() => false);
}

/** Does something with the socket of quarters, under a path that is short enough. */
async function onSocket<T>(directory: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(directory, SIGN);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return work(path);
  if (process.platform !== "linux") {
    return work(join(tmpdir(), `sallyport-${createHash("sha256").update(name).digest("hex").slice(0, 20)}`));
  }
  const handle = await open(directory, "r");
  try {
    return await work(`/proc/self/fd/${handle.fd}/${SIGN}`);
  } finally {
    await handle.close();
  }
}

async function listen(path: string): Promise<Server> {
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  // It shows that the process lives; it is no reason to go on living.
  return server.unref();
}

/** Only what surely has no process behind it counts as dead. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      end(!["ECONNREFUSED", "ENOENT", "ENOTDIR", "ENOTSOCK"].includes(error.code ?? "")),
    );
  });
}
