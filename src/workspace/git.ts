import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../core/errors.ts";
import { startHere, type StartProcess } from "../processes/start-process.ts";
import { cleanGitText, GitError } from "./git-error.ts";

/** What the composition root knows of the machine; nothing else of the process's environment reaches git. */
export interface GitSettings {
  /** Where `git` and `flock` are looked for: the operator's PATH. */
  readonly path: string;
  /** Variables for fetches alone: `https_proxy`, `http_proxy`, `no_proxy`, `GIT_SSL_CAINFO`. */
  readonly network?: Readonly<Record<string, string>>;
  /** How processes are started; from this one when left out. */
  readonly start?: StartProcess | undefined;
}

export interface GitCall {
  /** Absolute path of the bare store. */
  readonly gitDir?: string;
  readonly workTree?: string;
  /** Configuration of this call, through the environment: it shows neither in `ps` nor on disk. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  readonly env?: Readonly<Record<string, string>>;
  /** Protocols this call may speak, as in GIT_ALLOW_PROTOCOL; none by default. Set, it also brings in the network variables. */
  readonly protocol?: "https" | "http";
  readonly input?: Uint8Array | Readable;
  /** Wall clock in milliseconds, 60 000 by default; git and its children are killed at its end. */
  readonly timeoutMs?: number;
  /** Most bytes of standard output, 64 MiB by default; more is an error, or with `cut` the end of reading. */
  readonly maxBytes?: number;
  readonly cut?: boolean;
  /** Exit codes that are no failure; only 0 by default. */
  readonly exitCodes?: readonly number[];
  /** Values that must not show in an error. */
  readonly secrets?: readonly string[];
  /** A program and its arguments that starts git (`flock`). */
  readonly under?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** A running git. `done` rejects with {@link GitError}; a rejection that nobody awaits is no fault. */
export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly done: Promise<void>;
  kill(): void;
}

/** The one way to git: a fixed environment, no shell, no configuration but ours. */
export interface Git {
  start(args: readonly string[], call?: GitCall): GitProcess;
  /** Standard output. @throws {GitError} on another exit code, a timeout, an abort or too much output. */
  run(args: readonly string[], call?: GitCall): Promise<Buffer>;
  text(args: readonly string[], call?: GitCall): Promise<string>;
}

/** The oldest git that is worked with. */
export const LEAST_GIT = "2.35";

const STDERR_KEPT = 16_384;
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Over whatever a store's own file says: these stand on the command level, which is also where `safe.bareRepository` is heard. */
const HARDENING: readonly (readonly [string, string])[] = [
  ["safe.bareRepository", "explicit"],
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.quotePath", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.pager", "cat"],
  ["credential.helper", ""],
  ["protocol.ext.allow", "never"],
  ["protocol.file.allow", "never"],
  ["submodule.recurse", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["color.ui", "false"],
  ["log.showSignature", "false"],
  ["i18n.logOutputEncoding", "UTF-8"],
];

/** Builds the wrapper; it holds no state beside its settings. */
export function openGit(settings: GitSettings): Git {
  const start = (args: readonly string[], call: GitCall = {}): GitProcess => startGit(settings, args, call);
  const run = async (args: readonly string[], call: GitCall = {}): Promise<Buffer> => {
    const child = start(args, call);
    const [output] = await Promise.all([collect(child, args, call), feed(child, call.input)]);
    return output;
  };
  return { start, run, text: async (args, call) => (await run(args, call)).toString("utf8") };
}

function environment(settings: GitSettings, call: GitCall): Record<string, string> {
  const env: Record<string, string> = {
    ...(call.protocol === undefined ? {} : settings.network),
    PATH: settings.path,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: call.protocol ?? "none",
    ...call.env,
  };
  const config = [...HARDENING, ...(call.config ?? [])];
  env["GIT_CONFIG_COUNT"] = String(config.length);
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

function startGit(settings: GitSettings, args: readonly string[], call: GitCall): GitProcess {
  call.signal?.throwIfAborted();
  const [program, ...before] = [...(call.under ?? []), "git"];
  const folders = [
    ...(call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]),
    ...(call.workTree === undefined ? [] : [`--work-tree=${call.workTree}`]),
  ];
  // Its group is its own, so that the transport helpers that git starts end with it.
  const child = (settings.start ?? startHere)({
    program: program ?? "git",
    args: [...before, ...folders, ...args],
    cwd: call.workTree ?? call.gitDir ?? "/",
    env: environment(settings, call),
  });
  let stopped: GitError | undefined;
  const stop = (error: GitError): void => {
    stopped ??= error;
    child.kill();
  };
  const name = `git ${args[0] ?? ""}`;
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => stop(new GitError(`${name} was ended after ${timeoutMs / 1000} s.`, { code: "git-timeout" })), timeoutMs);
  const onAbort = (): void => stop(new GitError(`${name} was cancelled.`, { code: "git-aborted", cause: call.signal?.reason }));
  call.signal?.addEventListener("abort", onAbort, { once: true });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  const done = (async () => {
    const { exitCode, signal } = await child.ended.catch((cause: unknown) => {
      const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
      const facts = isMissing
        ? { code: "git-missing", hint: `Install git ${LEAST_GIT} or newer and put it on PATH.` }
        : { code: "git-failed" };
      throw new GitError(`${name} ${isMissing ? "could not be started" : "was lost"}: ${messageOf(cause)}.`, { ...facts, cause });
    });
    if (stopped !== undefined) throw stopped;
    if (exitCode !== null && (call.exitCodes ?? [0]).includes(exitCode)) return;
    const said = cleanGitText(stderr, call.secrets);
    const end = exitCode === null ? `was ended by ${signal}` : `failed with status ${exitCode}`;
    const facts = { code: "git-failed", stderr: said, ...(exitCode === null ? {} : { exitCode }) };
    throw new GitError(`${name} ${end}${said === "" ? "." : `: ${said}`}`, facts);
  })().finally(() => {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
  });
  done.catch(() => undefined);
  return { stdin: child.stdin, stdout: child.stdout, done, kill: () => child.kill() };
}

async function feed(child: GitProcess, input: GitCall["input"]): Promise<void> {
  if (input === undefined || input instanceof Uint8Array) {
    child.stdin.end(input);
    return;
  }
  // The exit code tells of an input that git did not want.
  await pipeline(input, child.stdin).catch(() => undefined);
}

async function collect(child: GitProcess, args: readonly string[], call: GitCall): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const limit = call.maxBytes ?? DEFAULT_MAX_BYTES;
  let size = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= limit) continue;
    child.kill();
    if (call.cut === true) return Buffer.concat(chunks).subarray(0, limit);
    throw new GitError(`git ${args[0] ?? ""} printed more than ${limit} bytes.`, { code: "git-output-too-large" });
  }
  await child.done;
  return Buffer.concat(chunks);
}
