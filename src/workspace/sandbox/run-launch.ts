import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { messageOf, SallyportError } from "../../core/errors.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { captureEnds } from "./capture.ts";
import type { ControlGroups } from "./control-groups.ts";
import { processesFrom, untilEnded, type Process } from "./last-process.ts";
import { LIMITS } from "./limits.ts";
import type { SandboxCommand, SandboxResult } from "./sandbox.ts";
import { watchUsage } from "./watch.ts";

/** How a backend starts one command. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Given to the launcher as file descriptors 3, 4 …; it must close them before it starts the command. */
  readonly pipes: readonly Uint8Array[];
  /** The file descriptor on which the launcher tells, as bubblewrap does, the `child-pid` of the first process of its namespace. */
  readonly info?: number;
  /** Given where the command runs without a sandbox of ours: what the launcher needs to be found and to work. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the launcher itself starts; the root when not said. */
  readonly directory?: string;
}

/** The sandbox itself did not come up; the command never ran. */
export class SandboxError extends SallyportError {}

/** Longest wait for the pipes to close after everything was killed. */
const GRACE_MS = 5000;
const LAUNCHER_WORDS = 4000;

/**
 * Runs one launch to its end: by itself, at its time, by abort, or for taking too much. The launcher starts from an empty environment,
 * in a process group and session of its own, and what it starts dies with it. With control groups all of it is in one of its own, which
 * counts exactly; without, it is counted from time to time.
 */
export async function runLaunch(
  { program, args, pipes, info, environment = {}, directory = "/" }: Launch,
  command: SandboxCommand,
  groups?: ControlGroups,
): Promise<SandboxResult> {
  const startedAt = performance.now();
  command.signal?.throwIfAborted();
  await using group = await groups?.open({ memory: LIMITS.memory, processes: LIMITS.processes });
  const [starter = program, ...rest] = [...(group?.prefix ?? []), program, ...args];
  const own = ["pipe", "pipe", ...pipes.map(() => "pipe" as const), ...(info === undefined ? [] : ["pipe" as const])] as const;
  const child = spawnWithout(starter, rest, { cwd: directory, env: environment, detached: true, stdio: ["ignore", ...own] });
  const first = info === undefined ? () => [] : firstOfNamespace(child, info);
  let stopped: "timed-out" | "aborted" | "signalled" | undefined;
  let killed: readonly Process[] = [];
  const stop = (why: NonNullable<typeof stopped>): void => {
    stopped ??= why;
    if (child.pid !== undefined) killed = processesFrom(child.pid);
    killGroup(child.pid);
    setTimeout(() => child.stdout?.destroy(), GRACE_MS).unref();
  };
  const capture = captureEnds(LIMITS.output);
  let launcherSaid = "";
  child.stdout?.on("data", (chunk: Buffer) => capture.push(chunk));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    launcherSaid = (launcherSaid + text).slice(-LAUNCHER_WORDS);
  });
  for (const [index, bytes] of pipes.entries()) {
    const pipe = child.stdio[index + 3] as Writable;
    pipe.on("error", () => undefined);
    pipe.end(bytes);
  }
  const ended = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve, reject) => {
    child.on("error", (cause) =>
      reject(new SandboxError(`The sandbox could not be started: ${messageOf(cause)}`, { code: "sandbox-failed", cause })),
    );
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const timer = setTimeout(() => stop("timed-out"), command.timeoutMs);
  const onAbort = (): void => stop("aborted");
  command.signal?.addEventListener("abort", onAbort, { once: true });
  using watch = watchUsage({
    pid: child.pid ?? 0,
    workspace: command.workspace,
    countsMemory: group === undefined,
    onExceeded: () => stop("signalled"),
  });
  if (child.pid !== undefined) sacrificeFirst(child.pid);
  try {
    const { code, signal } = await ended;
    const exceeded = watch.exceeded() ?? (await group?.exceeded());
    if (exceeded !== undefined) stopped ??= "signalled";
    if (stopped === undefined && launcherSaid !== "" && code !== 0) {
      throw new SandboxError(`The sandbox failed: ${launcherSaid.trim()}`, { code: "sandbox-failed" });
    }
    const { output, ...omitted } = capture.result();
    const note = exceeded === undefined ? "" : `\n[ended by the sandbox: ${exceeded}]\n`;
    const how = stopped ?? (signal === null ? "exited" : "signalled");
    const durationMs = Math.round(performance.now() - startedAt);
    return { exitCode: how === "exited" ? (code ?? undefined) : undefined, ended: how, output: output + note, ...omitted, durationMs };
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener("abort", onAbort);
    killGroup(child.pid);
    await untilEnded([...killed, ...first()]);
  }
}

/** Spawns with nothing in the place of what this process was itself started with. */
function spawnWithout(
  program: string,
  args: readonly string[],
  options: Omit<SpawnOptions, "stdio"> & { readonly stdio: readonly ("ignore" | "pipe")[] },
): ChildProcess {
  const inherited = inheritedDescriptors().filter((descriptor) => descriptor >= options.stdio.length);
  const nothing = inherited.length === 0 ? undefined : openSync("/dev/null", "r");
  try {
    const stdio: ("ignore" | "pipe" | number)[] = [...options.stdio];
    // Places in between stay as they are: closed, or Node's own.
    for (const descriptor of inherited) {
      while (stdio.length < descriptor) stdio.push("ignore");
      stdio[descriptor] = nothing ?? "ignore";
    }
    return spawn(program, [...args], { ...options, stdio });
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

/** Bubblewrap ends as soon as the command has, a little before the namespace is empty. */
function firstOfNamespace(child: ChildProcess, info: number): () => readonly Process[] {
  let first: readonly Process[] = [];
  let said = "";
  (child.stdio[info] as Readable).setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const pid = /"child-pid": (\d+)/.exec(said)?.[1];
    if (pid !== undefined && first.length === 0) first = processesFrom(Number(pid)).slice(0, 1);
  });
  return () => first;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself.
  }
}

/** When the machine runs out of memory, the kernel ends a command before it ends anything else. */
function sacrificeFirst(pid: number): void {
  writeFile(`/proc/${pid}/oom_score_adj`, "1000").catch(() => undefined);
}
