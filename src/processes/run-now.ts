import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { framed, runWith, type RunNowAnswer, type RunNowRequest, type RunNowResult, type ShortCommand } from "./short-command.ts";

/** Largest output of one program, in bytes. */
const LARGEST_OUTPUT = 512 * 1024 * 1024;
const READY_WITHIN_MS = 10_000;
const POLL_MS = 0.2;

/** `unavailable` once it could not be started, or has ended. */
let helper: Helper | "unavailable" | undefined;

interface Helper {
  readonly requests: number;
  readonly answers: number;
}

/**
 * Runs a program to its end while this thread waits, as `spawnSync` does, but from a small process that is kept: to start one from a large
 * process takes tens of milliseconds (see `launcher.ts`). Where that process cannot be had, from this one.
 */
export function runNow(command: ShortCommand): RunNowResult {
  helper ??= openHelper() ?? "unavailable";
  if (helper !== "unavailable") {
    const result = ask(helper, command);
    if (result !== undefined) return result;
    closeSync(helper.requests);
    closeSync(helper.answers);
    helper = "unavailable";
  }
  return runWith(command, LARGEST_OUTPUT);
}

/** Two named pipes, which can be read and written while the event loop stands still. They end with this process, and so does the helper. */
function openHelper(): Helper | undefined {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-run-"));
  try {
    const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
    if (spawnSync("mkfifo", ["-m", "600", requests, answers]).status !== 0) return undefined;
    const opened = {
      // For both directions: the write side alone would wait for a reader.
      requests: openSync(requests, constants.O_RDWR | constants.O_NONBLOCK),
      answers: openSync(answers, constants.O_RDONLY | constants.O_NONBLOCK),
    };
    const child = spawn(process.execPath, [entryBeside(), requests, answers], { cwd: "/", env: {}, stdio: "ignore", detached: true });
    child.on("error", () => undefined);
    child.unref();
    // Its first byte says that it has opened both.
    if (readFrom(opened.answers, 1, performance.now() + READY_WITHIN_MS) !== undefined) return opened;
    closeSync(opened.requests);
    closeSync(opened.answers);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined when the helper has ended. */
function ask(on: Helper, { program, args, env, input }: ShortCommand): RunNowResult | undefined {
  const bytes = input === undefined ? undefined : Buffer.from(input);
  const request: RunNowRequest = { program, args, env, most: LARGEST_OUTPUT, ...(bytes === undefined ? {} : { input: bytes.length }) };
  if (!writeTo(on, framed(request, bytes ?? Buffer.alloc(0)))) return undefined;
  const answered = readFrom(on.answers, 4);
  const answer = answered === undefined ? undefined : readFrom(on.answers, answered.readUInt32BE());
  if (answer === undefined) return undefined;
  const { status, stdout, stderr, error } = JSON.parse(answer.toString()) as RunNowAnswer;
  const [out, complaint] = [readFrom(on.answers, stdout), readFrom(on.answers, stderr)];
  if (out === undefined || complaint === undefined) return undefined;
  return { status, stdout: out, stderr: complaint, ...(error === undefined ? {} : { error }) };
}

/** False when the helper has ended: then nobody would ever read. */
function writeTo({ requests, answers }: Helper, bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const written = attempt(() => writeSync(requests, bytes, at));
    if (written !== undefined) at += written;
    // It says nothing while it reads: what can be read now is its end.
    else if (attempt(() => readSync(answers, Buffer.alloc(1))) !== undefined) return false;
    else pause();
  }
  return true;
}

/** Undefined when the helper has ended; without a deadline the end is what ends it. */
function readFrom(descriptor: number, length: number, deadline?: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const read = attempt(() => readSync(descriptor, bytes, at, length - at, null));
    if (read !== undefined && read > 0) at += read;
    // A pipe that nobody has opened yet looks like one that has ended.
    else if (read === 0 && deadline === undefined) return undefined;
    else if (deadline !== undefined && performance.now() > deadline) return undefined;
    else pause();
  }
  return bytes;
}

/** Undefined for what would have to wait. */
function attempt(call: () => number): number | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
function pause(): void {
  Atomics.wait(sleeper, 0, 0, POLL_MS);
}

function entryBeside(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./run-now-entry.ts" : "./run-now-entry.js", import.meta.url));
}
