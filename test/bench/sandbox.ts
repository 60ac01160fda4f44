import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeSandbox } from "../../src/workspace/sandbox/probe.ts";
import { measureGroups, moreThan, rowOf } from "./bench.ts";
import type { BenchCase, BenchGroup, Groups, Target } from "./bench.ts";

const RUNS = 20;
const COMMAND = "true";

/** The start and end of a command that does nothing, beside a plain spawn. Goals: 25 ms more under bubblewrap, 60 ms under util-linux. */
export async function sandboxGroups(): Promise<readonly BenchGroup[]> {
  const workspace = mkdtempSync(join(tmpdir(), "bench-sandbox-"));
  process.once("exit", () => rmSync(workspace, { recursive: true, force: true }));
  const cases: BenchCase[] = [{ name: "a plain spawn", bytes: 0, leastRuns: RUNS, run: plain }];
  for (const prefer of ["bubblewrap", "util-linux"] as const) {
    const { sandbox, reason } = await probeSandbox({ path: process.env["PATH"] ?? "", prefer });
    if (sandbox?.backend !== prefer) process.stdout.write(`not measured: ${prefer} (${reason})\n`);
    else {
      const run = () => sandbox.run({ command: COMMAND, workspace, timeoutMs: 60_000 });
      cases.push({ name: `${prefer}, level ${sandbox.level}`, bytes: 0, leastRuns: RUNS, run });
    }
  }
  return [{ name: "start and end of a command", cases }];
}

function plain(): Promise<void> {
  return new Promise((resolve) => {
    spawn("/bin/sh", ["-c", COMMAND], { stdio: ["ignore", "pipe", "pipe"] }).once("close", () => resolve());
  });
}

export const bench = async () => measureGroups(await sandboxGroups());
export const targets: readonly Target<Groups>[] = (
  [
    ["bubblewrap", 25],
    ["util-linux", 60],
  ] as const
).map(([backend, atMost]) => ({
  name: `a command in ${backend}, more than a plain spawn`,
  unit: "ms",
  atMost,
  figure: (groups) => moreThan(rowOf(groups, "start and end", backend), rowOf(groups, "start and end", "a plain spawn")),
}));
