import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What all processes of one command may take together. */
export interface GroupLimits {
  /** Bytes, what lies in memory disks included. */
  readonly memory: number;
  readonly processes: number;
}

/** Where control groups of version 2 can be made by this process, with memory and processes counted. */
export interface ControlGroups {
  /** A group for one command. Disposing of it ends what is left in it, and the group. */
  open(limits: GroupLimits): Promise<ControlGroup>;
}

export interface ControlGroup extends AsyncDisposable {
  /** The command line in front of what is to run in the group. */
  readonly prefix: readonly string[];
  /** What was exceeded so that the kernel ended the group, in words. */
  exceeded(): Promise<string | undefined>;
}

const MIB = 1024 * 1024;
const NAME = "sallyport-run-";
const EMPTY_WITHIN_MS = 5000;
const JOIN = 'echo 0 > "$0/cgroup.procs" && exec "$@"';

/** Groups below a folder in which {@link findDelegation} found that they count. `owner` is this process's id. Source: the kernel's cgroup-v2.rst. */
export function controlGroups(folder: string, owner: number): ControlGroups {
  return {
    async open(limits) {
      const group = join(folder, `${NAME}${owner}-${randomUUID()}`);
      await mkdir(group);
      try {
        await limit(group, limits);
      } catch (error) {
        await rmdir(group);
        throw error;
      }
      return {
        prefix: ["/bin/sh", "-c", JOIN, group],
        exceeded: async () => ((await counted(group, "memory.events", "oom_kill")) > 0 ? tooMuch(limits) : undefined),
        [Symbol.asyncDispose]: () => end(group),
      };
    },
  };
}

const tooMuch = ({ memory }: GroupLimits): string => `more than ${memory / MIB} MiB of memory`;

async function limit(group: string, { memory, processes }: GroupLimits): Promise<void> {
  await writeFile(join(group, "memory.max"), String(memory));
  await writeFile(join(group, "pids.max"), String(processes));
  // Both are missing where the kernel has no swap, or is old; the limit of memory holds all the same.
  await writeFile(join(group, "memory.swap.max"), "0").catch(() => undefined);
  await writeFile(join(group, "memory.oom.group"), "1").catch(() => undefined);
}

async function counted(group: string, file: string, name: string): Promise<number> {
  const text = await readFile(join(group, file), "utf8").catch(() => "");
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

/** A folder that cannot be removed holds no process any more: the next start tries again. */
async function end(group: string): Promise<void> {
  await writeFile(join(group, "cgroup.kill"), "1").catch(() => undefined);
  const until = Date.now() + EMPTY_WITHIN_MS;
  while ((await removed(group)) === "busy" && Date.now() < until) await sleep(2);
}

async function removed(group: string): Promise<"removed" | "busy" | "not"> {
  try {
    await rmdir(group);
    return "removed";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EBUSY" ? "busy" : "not";
  }
}

/** Removes the groups of processes that are no more; what ran in them ended with them. Answers their names. */
export async function sweepControlGroups(folder: string, isAlive: (pid: number) => boolean): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const gone: string[] = [];
  for (const name of names) {
    const owner = Number(new RegExp(`^${NAME}(\\d+)-[0-9a-f-]{36}$`).exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(owner) && !isAlive(owner) && (await removed(join(folder, name))) === "removed") gone.push(name);
  }
  return gone;
}
