import { readdirSync, readFileSync } from "node:fs";

const CLOSED_ON_EXEC = 0o2000000;

/**
 * Descriptors from 3 on that this process would hand to every child: those it was itself started with (a supervisor's sockets, a pipe of a
 * job runner). Node closes its own. Source: proc(5), `fdinfo`.
 */
export function inheritedDescriptors(): readonly number[] {
  return listed("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // The one with which the folder was read.
    return false;
  }
}
