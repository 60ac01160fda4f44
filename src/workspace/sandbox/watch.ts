import { readFile, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "./limits.ts";

/** Resource limits of the kernel count per process; this counts all of a command's processes together, a few times a second. */
export interface Watch extends Disposable {
  /** What was exceeded, in words. */
  readonly exceeded: () => string | undefined;
}

export interface WatchRequest {
  /** The process under which all others are. */
  readonly pid: number;
  readonly workspace: string;
  /** False where the kernel counts the memory of all together. */
  readonly countsMemory: boolean;
  readonly onExceeded: () => void;
}

const INTERVAL_MS = 100;
const PAGE = 4096;
/** Source: linux/magic.h, TMPFS_MAGIC. */
const TMPFS = 0x01021994;
const MIB = 1024 * 1024;

/** Starts to watch. Where `/proc` does not tell (no Linux, hidden processes) the limits of each process remain. */
export function watchUsage({ pid, workspace, onExceeded }: WatchRequest): Watch {
  const stop = new AbortController();
  let exceeded: string | undefined;
  const watching = async (): Promise<void> => {
    const before = await usedMemoryDisk(workspace);
    while (!stop.signal.aborted) {
      await sleep(INTERVAL_MS, undefined, { signal: stop.signal });
      const { memory, written } = await usageOf(pid);
      const onTmpfs = (await usedMemoryDisk(workspace)) - before;
      if (memory > LIMITS.memoryTogether) exceeded = `more than ${LIMITS.memoryTogether / MIB} MiB of memory`;
      if (Math.max(written, onTmpfs) > LIMITS.written) exceeded = `more than ${LIMITS.written / MIB} MiB written`;
      if (exceeded === undefined) continue;
      onExceeded();
      return;
    }
  };
  watching().catch(() => undefined);
  return { exceeded: () => exceeded, [Symbol.dispose]: () => stop.abort() };
}

/** Bytes in use on the workspace's file system when it lives in memory, where no process is charged for them; else 0. */
async function usedMemoryDisk(workspace: string): Promise<number> {
  const { type, blocks, bfree, bsize } = await statfs(workspace);
  return type === TMPFS ? (blocks - bfree) * bsize : 0;
}

/** Private memory now, and bytes that went to disk since the start, those of ended processes included. */
async function usageOf(pid: number): Promise<{ readonly memory: number; readonly written: number }> {
  let memory = 0;
  let written = 0;
  const pending = [pid];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [children, statm, io] = await Promise.all(["task", "statm", "io"].map((file) => procFile(next, file)));
    pending.push(...(children ?? "").split(" ").filter(Boolean).map(Number));
    const [, resident = 0, shared = 0] = (statm ?? "").split(" ").map(Number);
    memory += Math.max(0, resident - shared) * PAGE;
    written += Number(/^write_bytes: (\d+)$/m.exec(io ?? "")?.[1] ?? 0);
  }
  return { memory, written };
}

function procFile(pid: number, name: string): Promise<string> {
  const path = name === "task" ? `/proc/${pid}/task/${pid}/children` : `/proc/${pid}/${name}`;
  return readFile(path, "utf8").catch(() => "");
}
