import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError } from "../core/errors.ts";

/** Longest socket path, in bytes, that every system takes (macOS 103, Linux 107). */
const LONGEST_SOCKET_PATH = 103;
const NAME = /^lock-[0-9a-z]+-[0-9a-f]+$/;
/** Milliseconds between looks, and looks, until somebody who came at the same time has given way. */
const LOOK_EVERY = 25;
const LOOKS = 20;

/**
 * Takes a folder for this process until the answered function is called or the process ends, however it ends. A process that is there
 * listens on a socket of its own in the folder: unlike a file with a process id, a socket without its process answers nobody.
 * @throws {ConfigurationError} when another process holds the folder.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  // Two spellings of one folder must meet in one place.
  const folder = await realpath(directory);
  const place = await socketPlace(folder);
  const own = newName();
  const server = await listen(place.path, own).catch(async (error: unknown) => {
    await place.close();
    throw error;
  });
  const release = async (): Promise<void> => {
    await rm(join(place.path, own), { force: true });
    await close(server);
    await place.close();
  };
  try {
    if (await isAlone(place.path, own)) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  throw new ConfigurationError(`The data folder ${folder} is in use by another Sallyport process.`, {
    code: "data-folder-in-use",
    hint: "Stop that process, choose another folder with SALLYPORT_DATA_DIR, or set DATABASE_URL: several processes share PostgreSQL.",
  });
}

/** Names sort by age, so whoever is there already comes first. */
function newName(): string {
  return `lock-${Date.now().toString(36).padStart(9, "0")}-${randomBytes(4).toString("hex")}`;
}

/** Where the sockets live: the folder itself, by a path short enough to bind. */
async function socketPlace(folder: string): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  if (Buffer.byteLength(join(folder, `new-${newName()}`)) <= LONGEST_SOCKET_PATH) return { path: folder, close: () => Promise.resolve() };
  const handle = await open(folder, "r");
  if (process.platform === "linux") return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
  const { dev, ino } = await handle.stat({ bigint: true });
  await handle.close();
  const path = join(tmpdir(), `sallyport-${userInfo().uid}`, `${dev.toString(36)}-${ino.toString(36)}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, close: () => Promise.resolve() };
}

/**
 * Whether nobody else is there. Everybody shows himself first and looks then, so of two that come at once at least one sees the other;
 * whoever sees an older one gives way, whoever sees only younger ones waits for them to go. A younger one that stays holds the folder.
 */
async function isAlone(place: string, own: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const others = await aliveBeside(place, own);
    if (others.length === 0) return true;
    if (others.some((name) => name < own)) return false;
    await sleep(LOOK_EVERY);
  }
  return false;
}

async function aliveBeside(place: string, own: string): Promise<string[]> {
  const names = (await readdir(place)).filter((name) => NAME.test(name) && name !== own);
  const alive: string[] = [];
  for (const name of names) {
    if (await answers(join(place, name))) alive.push(name);
    // A name is used once and appears when it listens already: what does not answer is dead for good.
    else await rm(join(place, name), { force: true });
  }
  return alive;
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once("connect", () => resolve(true));
  socket.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
    // A full backlog is a listener; a socket that may not be opened is another user's.
    else if (error.code === "EAGAIN" || error.code === "EACCES" || error.code === "EPERM") resolve(true);
    else reject(error);
  });
  return promise.finally(() => socket.destroy());
}

/** Between its birth and its first listening a socket looks dead, so it gets its name afterwards. */
async function listen(place: string, name: string): Promise<Server> {
  const born = join(place, `new-${name}`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer((socket) => socket.destroy());
  server.once("error", reject);
  server.listen(born, resolve);
  await promise;
  await rename(born, join(place, name));
  // The lock alone keeps no process running.
  return server.unref();
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  return promise;
}
