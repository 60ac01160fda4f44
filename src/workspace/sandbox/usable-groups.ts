import { execFile } from "node:child_process";
import { isAlive } from "./alive.ts";
import { controlGroups, sweepControlGroups, type ControlGroups } from "./control-groups.ts";
import { findDelegation, type DelegationRequest } from "./delegation.ts";
import { messageOf } from "../../core/errors.ts";

const MIB = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const TRIED = { memory: 64 * MIB, processes: 24 };
const TRIES: Readonly<Record<string, string>> = {
  ":": "processes do",
  "i=0; while [ $i -lt 40 ]; do sleep 9 & i=$((i + 1)); done; kill $(jobs -p)": "limit of processes does",
  "head -c 200000000 /dev/zero | tail -c 180000000 > /dev/null": "limit of memory does",
};

/** Control groups whose limits were seen to hold, or why there are none; then resource limits and counting remain. */
export async function usableGroups(request: DelegationRequest): Promise<{ readonly groups?: ControlGroups; readonly why: string }> {
  const delegation = await findDelegation(request);
  if (delegation.status === "missing") return { why: delegation.why };
  await sweepControlGroups(delegation.folder, isAlive);
  const groups = controlGroups(delegation.folder, process.pid);
  try {
    for (const [script, what] of Object.entries(TRIES)) {
      await using group = await groups.open(TRIED);
      // The first must succeed: a group that nothing can enter would seem to hold everything.
      const ran = await succeeds([...group.prefix, "/bin/sh", "-c", script]);
      if (ran !== (script === ":")) return { why: `the cgroup's ${what} not hold` };
    }
  } catch (error) {
    return { why: `the cgroup cannot be used: ${messageOf(error)}` };
  }
  return { groups, why: "cgroup limits hold" };
}

function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { PATH: "/usr/bin:/bin" }, timeout: TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
