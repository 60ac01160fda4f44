import { readdirSync, readFileSync } from "node:fs";
import type { Database } from "../../src/store/sql.ts";

/** Ticks of the kernel's clock in a second, as programs are told. Source: `man 5 proc_pid_stat` */
const TICKS = 100;

/** The process that the processes of a PostgreSQL on this machine are children of. Undefined where the system does not tell. */
export async function familyOf(database: Database): Promise<number | undefined> {
  const [row] = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
  return row === undefined ? undefined : statOf(row.pid)?.parent;
}

/** Milliseconds of processor time that all children of a process have taken, those that are gone with them. */
export function processorTimeOf(parent: number): number {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter((stat) => stat.parent === parent);
  const ticks = children.reduce((sum, child) => sum + child.ticks, statOf(parent)?.ofGone ?? 0);
  return (ticks * 1000) / TICKS;
}

function statOf(pid: number): { readonly parent: number; readonly ticks: number; readonly ofGone: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the program's name, which may hold anything: state, parent, …, user and system time, the same of children that were waited for.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, goneUser = 0, goneSystem = 0] = [1, 11, 12, 13, 14].map((at) => fields[at]);
    return { parent, ticks: user + system, ofGone: goneUser + goneSystem };
  } catch {
    return undefined;
  }
}
