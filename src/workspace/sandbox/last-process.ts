import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf, processFile } from "./process-files.ts";

/** A process by what no later one shares: its id and when it began. */
export interface Process {
  readonly pid: number;
  readonly began: string;
}

const WITHIN_MS = 5000;

/** A process and all below it, as they are now; empty where `/proc` does not tell. */
export function processesFrom(pid: number): readonly Process[] {
  const found: Process[] = [];
  const pending = [pid];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const began = beganOf(processFile(next, "stat"));
    if (began === undefined) continue;
    found.push({ pid: next, began });
    pending.push(...childrenOf(next));
  }
  return found;
}

/**
 * Waits until none of the processes runs any more. The first process of a pid namespace is one of them: the kernel ends all others in the
 * namespace before that one counts as dead, so nothing of the command can touch the workspace afterwards. Source: pid_namespaces(7).
 */
export async function untilEnded(processes: readonly Process[]): Promise<void> {
  const until = Date.now() + WITHIN_MS;
  for (const { pid, began } of processes) {
    while (Date.now() < until && beganOf(processFile(pid, "stat")) === began) await sleep(2);
  }
}

/** When a process began, in ticks of the machine's clock; nothing for one that is gone or has only not been collected. Source: proc(5). */
function beganOf(stat: string): string | undefined {
  // The name in brackets may hold brackets and blanks.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "" || state === undefined || state === "Z" || state === "X" ? undefined : rest[18];
}
