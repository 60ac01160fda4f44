import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "../core/errors.ts";

/** What an operator's program is started with. */
export interface ProgramOptions {
  /** A path, or a name that is looked for in `path`. */
  readonly command: string;
  readonly args: readonly string[];
  /** All that it sees of variables, beside PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
}

/** A program that goes on until it ends or is stopped. */
export interface Program {
  readonly input: Writable;
  readonly output: Readable;
  /** Why it is no longer there, in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Closes its input, then ends it and whatever it has started. */
  stop(): Promise<void>;
}

/** Milliseconds after which a program that was asked to end is killed. */
const GRACE_MS = 2_000;
/** Characters of its error output that are told when it ends. */
const LONGEST_COMPLAINT = 300;

/**
 * Starts a program in an empty folder of its own, which goes when it ends, and with no variable but those that were named for it.
 * A program that is not there is one that has ended.
 */
export async function startProgram({ command, args, env, path }: ProgramOptions): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-program-"));
  // A group of its own: what it starts goes with it.
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: path, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("utf8")).slice(-LONGEST_COMPLAINT);
  });
  // Writing to one that has ended is told by its end.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // Nobody is left of the group.
    }
  };
  const ended = (async () => {
    let why: string;
    try {
      const [code, name] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      const last = complaint.trim().split("\n").at(-1) ?? "";
      why = `it ended ${name === null ? `with exit code ${code}` : `by ${name}`}${last === "" ? "" : ` (${last})`}`;
    } catch (error) {
      why = `it could not be started: ${messageOf(error)}`;
    }
    signal("SIGKILL");
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    return why;
  })();
  return {
    input: child.stdin,
    output: child.stdout,
    ended,
    async stop() {
      child.stdin.end();
      signal("SIGTERM");
      const timer = setTimeout(() => signal("SIGKILL"), GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
