import { spawnSync } from "node:child_process";

/** A program that is waited for. */
export interface ShortCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array | undefined;
}

export interface RunNowResult {
  /** Null when a signal ended it, or when it could not be started. */
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Why it could not be started. */
  readonly error?: string;
}

/** What `run-now-entry.ts` is asked, before the bytes of the input, and what it says before the bytes of the output. */
export interface RunNowRequest extends Omit<ShortCommand, "input"> {
  /** Bytes that follow; undefined for none. */
  readonly input?: number;
  /** Largest output, in bytes. */
  readonly most: number;
}
export interface RunNowAnswer {
  readonly status: number | null;
  readonly stdout: number;
  readonly stderr: number;
  readonly error?: string;
}

/** Runs it from this very process, with at most `most` bytes of output. */
export function runWith({ program, args, env, input }: ShortCommand, most: number): RunNowResult {
  const options = { env, maxBuffer: most, ...(input === undefined ? {} : { input }) };
  // Null where it could not be started, whatever the types say.
  const { status, stdout, stderr, error } = spawnSync(program, args, options) as {
    readonly [Stream in "stdout" | "stderr"]: Buffer | null;
  } & { readonly status: number | null; readonly error?: Error };
  const [out, complaint] = [stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0)];
  return { status, stdout: out, stderr: complaint, ...(error === undefined ? {} : { error: error.message }) };
}

/** A message as it goes through the pipes: the length of its JSON in four bytes, the JSON, and the bytes that it speaks of. */
export function framed(head: RunNowRequest | RunNowAnswer, ...bytes: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...bytes]);
}
