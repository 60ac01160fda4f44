import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { messageOf, SallyportError } from "../../core/errors.ts";
import { captureEnds } from "./capture.ts";
import { LIMITS } from "./limits.ts";
import type { SandboxCommand, SandboxResult } from "./sandbox.ts";
import { watchUsage } from "./watch.ts";

/** How a backend starts one command. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Given to the launcher as file descriptors 3, 4 …; it must close them before it starts the command. */
  readonly pipes: readonly Uint8Array[];
}

/** The sandbox itself did not come up; the command never ran. */
export class SandboxError extends SallyportError {}

/** Longest wait for the pipes to close after everything was killed. */
const GRACE_MS = 5000;
const LAUNCHER_WORDS = 4000;

/**
 * Runs one launch to its end: by itself, at its time, by abort, or for taking too much. The launcher starts from an empty environment,
 * in a process group and session of its own, and what it starts dies with it.
 */
export async function runLaunch({ program, args, pipes }: Launch, command: SandboxCommand): Promise<SandboxResult> {
  const startedAt = performance.now();
  command.signal?.throwIfAborted();
  const child = spawn(program, [...args], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...pipes.map(() => "pipe" as const)],
  });
  let stopped: "timed-out" | "aborted" | "signalled" | undefined;
  const stop = (why: NonNullable<typeof stopped>): void => {
    stopped ??= why;
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
  using watch = watchUsage({ pid: child.pid ?? 0, workspace: command.workspace, onExceeded: () => stop("signalled") });
  if (child.pid !== undefined) sacrificeFirst(child.pid);
  try {
    const { code, signal } = await ended;
    if (stopped === undefined && launcherSaid !== "" && code !== 0) {
      throw new SandboxError(`The sandbox failed: ${launcherSaid.trim()}`, { code: "sandbox-failed" });
    }
    const { output, ...omitted } = capture.result();
    const exceeded = watch.exceeded();
    const note = exceeded === undefined ? "" : `\n[ended by the sandbox: ${exceeded}]\n`;
    const how = stopped ?? (signal === null ? "exited" : "signalled");
    const durationMs = Math.round(performance.now() - startedAt);
    return { exitCode: how === "exited" ? (code ?? undefined) : undefined, ended: how, output: output + note, ...omitted, durationMs };
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener("abort", onAbort);
    killGroup(child.pid);
  }
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
