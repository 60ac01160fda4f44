import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** What a program is started with: no shell, and no variable but those that are named. */
export interface ProcessCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A program that runs in a process group of its own. A stream that fails when it ends early is no fault; `ended` tells how it did. */
export interface StartedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended and its output is closed. Rejects when it could not be started, or when nobody can tell how it ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Kills it and what it has started. */
  kill(): void;
}

/** Starts a program; what goes wrong is told by `ended`. */
export type StartProcess = (command: ProcessCommand) => StartedProcess;

/** Starts a program from this very process. */
export const startHere: StartProcess = ({ program, args, cwd, env }) => {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  ended.catch(() => undefined);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => killGroup(child),
  };
};

/** Kills a child that leads its group, and the group; one that has ended is left alone, since its number may be another's by now. */
export function killGroup(child: Pick<ReturnType<typeof spawn>, "pid" | "exitCode" | "signalCode" | "kill">): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
