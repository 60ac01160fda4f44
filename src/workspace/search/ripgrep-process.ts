import { spawn } from "node:child_process";

export interface RipgrepCommand {
  /** Path of the ripgrep binary. */
  readonly binary: string;
  /** The folder it runs in. */
  readonly directory: string;
  readonly args: readonly string[];
  /** The byte that ends a record of its output. */
  readonly separator: number;
  readonly onRecord: (record: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch at which it is ended. */
  readonly deadline: number;
}

export interface RipgrepEnd {
  /** Undefined when it was ended by us. */
  readonly exitCode: number | undefined;
  /** The start of what it wrote to its error output. */
  readonly complaint: string;
  /** Why it was ended early. */
  readonly stopped?: string;
}

/** How much output one process may make before it is ended. */
const MOST_OUTPUT = 64 * 1024 * 1024;
const MOST_COMPLAINT = 4096;

/**
 * Runs ripgrep with an empty environment and hands on its output record by record.
 * @throws the signal's reason when that aborts, and what `spawn` throws when there is no such binary.
 */
export async function runRipgrep({ binary, directory, args, separator, onRecord, signal, deadline }: RipgrepCommand): Promise<RipgrepEnd> {
  signal.throwIfAborted();
  const child = spawn(binary, args, { cwd: directory, env: {}, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let stopped: string | undefined;
  const stop = (why: string) => {
    stopped ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => stop("aborted");
  const timer = setTimeout(
    () => stop("the search was stopped because it took too long; what was found until then is shown"),
    Math.max(0, deadline - Date.now()),
  );
  signal.addEventListener("abort", abort, { once: true });
  const records = splitRecords(separator, onRecord);
  let bytes = 0;
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (stopped !== undefined) return;
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT) stop("the search was stopped because it found too much; narrow it");
    else records(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("utf8")).slice(0, MOST_COMPLAINT);
  });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    return { exitCode: exitCode ?? undefined, complaint, ...(stopped === undefined ? {} : { stopped }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Joins chunks to records. What follows the last separator is incomplete and dropped. */
function splitRecords(separator: number, onRecord: (record: string) => void): (chunk: Buffer) => void {
  let open: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, from)) {
      const piece = chunk.subarray(from, at);
      onRecord((open.length === 0 ? piece : Buffer.concat([...open, piece])).toString("utf8"));
      open = [];
      from = at + 1;
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  };
}
