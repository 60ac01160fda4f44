import { statfs } from "node:fs/promises";
import { setImmediate as otherWork, setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "./limits.ts";
import { madeSince } from "./made-since.ts";
import { childrenOf, processFile } from "./process-files.ts";

/**
 * Resource limits of the kernel count per process; this counts the memory and the disk of all of a
 * command's processes together, a few times a second. How many they are is the kernel's to count, at every start of one. */
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
/** Processes that are looked at before this process's other work has its turn. */
const AT_ONCE = 64;
const MIB = 1024 * 1024;

/** Starts to watch. Where `/proc` does not tell (no Linux, hidden processes) the limits of each process remain. */
export function watchUsage({ pid, workspace, countsMemory, onExceeded }: WatchRequest): Watch {
  const stop = new AbortController();
  const startedAt = Date.now();
  let exceeded: string | undefined;
  const watching = async (): Promise<void> => {
    let base = await usedDisk(workspace);
    let tookMs = 0;
    while (!stop.signal.aborted) {
      await sleep(Math.max(INTERVAL_MS, 3 * tookMs), undefined, { signal: stop.signal });
      const lookedAt = performance.now();
      const { memory, written } = await usageOf(pid);
      // Looking at a thousand processes takes its time; it must not take the machine's.
      tookMs = performance.now() - lookedAt;
      if (countsMemory && memory > LIMITS.memoryTogether) exceeded = `more than ${LIMITS.memoryTogether / MIB} MiB of memory`;
      if (written > LIMITS.written) exceeded = TOO_MUCH;
      const used = await usedDisk(workspace);
      // Processes that nobody waits for take their figures along; the disk itself does not forget, but others write to it too.
      if (exceeded === undefined && (used.bytes - base.bytes > LIMITS.written || used.files - base.files > LIMITS.files)) {
        const made = await madeSince(workspace, startedAt);
        if (made.bytes > LIMITS.written) exceeded = TOO_MUCH;
        else if (made.files > LIMITS.files) exceeded = `more than ${LIMITS.files} files made`;
        base = { bytes: used.bytes - made.bytes, files: used.files - made.files };
      }
      if (exceeded === undefined) continue;
      onExceeded();
      return;
    }
  };
  watching().catch(() => undefined);
  return { exceeded: () => exceeded, [Symbol.dispose]: () => stop.abort() };
}

const TOO_MUCH = `more than ${LIMITS.written / MIB} MiB written`;

interface Disk {
  readonly bytes: number;
  readonly files: number;
}

/** What is in use on the workspace's file system, whoever uses it. */
async function usedDisk(workspace: string): Promise<Disk> {
  const { blocks, bfree, bsize, files, ffree } = await statfs(workspace);
  return { bytes: (blocks - bfree) * bsize, files: files - ffree };
}

/** Private memory now, and bytes that went to disk since the start, those of ended processes included. */
async function usageOf(pid: number): Promise<{ readonly memory: number; readonly written: number }> {
  let memory = 0;
  let written = 0;
  let looked = 0;
  const pending = [pid];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    pending.push(...childrenOf(next));
    const [, resident = 0, shared = 0] = processFile(next, "statm").split(" ").map(Number);
    memory += Math.max(0, resident - shared) * PAGE;
    written += Number(/^write_bytes: (\d+)$/m.exec(processFile(next, "io"))?.[1] ?? 0);
    looked++;
    if (looked % AT_ONCE === 0) await otherWork();
  }
  return { memory, written };
}
