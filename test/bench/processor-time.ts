import { readdirSync, readFileSync } from "node:fs";
import type { Database } from "../../src/store/sql.ts";

/** Ticks of the kernel's clock in a second, as programs are told. Source: `man 5 proc_pid_stat` */
const TICKS = 100;

/** The process that the processes of a PostgreSQL on this machine are children of. Undefined where the system does not tell. */
export async function familyOf(database: Database): Promise<number | undefined> {
  const [row] = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
  return row === undefined ? undefined : statOf(row.pid)?.parent;
}

/** Milliseconds of processor time that all living children of a process have taken. */
export function processorTimeOf(parent: number): number {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter((stat) => stat.parent === parent);
  return children.reduce((sum, { ticks }) => sum + (ticks * 1000) / TICKS, 0);
}

function statOf(pid: number): { readonly parent: number; readonly ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the program's name, which may hold anything: state, parent, …, user and system time.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}
