import { link, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { createServer, connect, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { ConfigurationError } from "../core/errors.ts";

/** Longest socket path, in bytes, that every system takes (macOS 103, Linux 107). */
const LONGEST_SOCKET_PATH = 103;
const NAME = "lock.sock";
const ATTEMPTS = 20;

/**
 * Takes a folder for this process until the answered function is called or the process ends, however it ends. The lock is a listening
 * socket in the folder: unlike a file with a process id, it cannot outlive its process or be mistaken after the id is used again.
 * @throws {ConfigurationError} when another process holds it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  // Two spellings of one folder must meet at one socket.
  const folder = await realpath(directory);
  const place = await socketPlace(folder);
  const own = `${NAME.slice(0, 4)}-${randomBytes(4).toString("hex")}`;
  try {
    const server = await listen(join(place.path, own));
    try {
      await claim(place.path, own, folder);
    } catch (error) {
      await closeServer(server);
      throw error;
    } finally {
      await rm(join(place.path, own), { force: true });
    }
    return async () => {
      await rm(join(place.path, NAME), { force: true });
      await closeServer(server);
      await place.close();
    };
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** Where the socket's names live: the folder itself, by a path short enough to bind. */
async function socketPlace(folder: string): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  if (Buffer.byteLength(join(folder, "lock-00000000")) <= LONGEST_SOCKET_PATH) return { path: folder, close: () => Promise.resolve() };
  const handle = await open(folder, "r");
  if (process.platform === "linux") return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
  const { dev, ino } = await handle.stat({ bigint: true });
  await handle.close();
  const path = join(tmpdir(), `sallyport-${userInfo().uid}`, `${dev.toString(36)}-${ino.toString(36)}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, close: () => Promise.resolve() };
}

/** Gives the listening socket `own` the lock's name. Whoever links first has it; a name without a listener behind it is left over. */
async function claim(place: string, own: string, folder: string): Promise<void> {
  const name = join(place, NAME);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await link(join(place, own), name);
      return;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const before = await identity(name);
    if (await answers(name)) throw held(folder);
    if (before !== undefined) await clearStale(place, own, before);
  }
  throw held(folder);
}

/** Takes a left-over socket away, unless it is another one by now: then it is put back. */
async function clearStale(place: string, own: string, stale: string): Promise<void> {
  const aside = join(place, `${own}-stale`);
  try {
    await rename(join(place, NAME), aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if ((await identity(aside)) !== stale) await link(aside, join(place, NAME)).catch(() => undefined);
  await rm(aside, { force: true });
}

async function identity(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await lstat(path, { bigint: true });
    return `${ino}/${birthtimeNs}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once("connect", () => resolve(true));
  socket.once("error", (error) => {
    const code = codeOf(error);
    if (code === "ECONNREFUSED" || code === "ENOENT") resolve(false);
    // A full backlog (EAGAIN) is a listener; a socket that may not be opened (EACCES) is somebody else's.
    else if (code === "EAGAIN" || code === "EACCES" || code === "EPERM") resolve(true);
    else reject(error);
  });
  return promise.finally(() => socket.destroy());
}

function listen(path: string): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer((socket) => socket.destroy());
  server.once("error", reject);
  server.listen(path, () => resolve(server));
  // The lock alone keeps no process running.
  server.unref();
  return promise;
}

function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  return promise;
}

function held(folder: string): ConfigurationError {
  return new ConfigurationError(`The data folder ${folder} is in use by another Sallyport process.`, {
    code: "data-folder-in-use",
    hint: "Stop that process, choose another folder with SALLYPORT_DATA_DIR, or set DATABASE_URL: several processes share PostgreSQL.",
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
