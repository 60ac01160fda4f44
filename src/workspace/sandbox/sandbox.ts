/**
 * `strong`: all probed escapes contained, seccomp filter included. `partial`: without the seccomp filter. `external`: in a command of the
 * operator's, who answers for it. `off`: the operator has asked for no sandbox.
 */
export type SandboxLevel = "strong" | "partial" | "external" | "off";

export interface SandboxCommand {
  /** Run by `/bin/sh -c` in the workspace. */
  readonly command: string;
  /** Absolute path of the workspace on the host: the only writable folder beside a private /tmp. */
  readonly workspace: string;
  /** Absolute path of a git folder of the product's making, shown read-only above the workspace. Only where the sandbox {@link Sandbox.hasGit}. */
  readonly history?: string;
  /** Wall clock; the whole process group is killed at its end. */
  readonly timeoutMs: number;
  /** Absolute path of a unix socket behind which an HTTP proxy answers: the only way out. Without it there is no network. */
  readonly proxy?: string;
  readonly signal?: AbortSignal;
}

export interface SandboxResult {
  /** Undefined when the process was ended by us or by a signal. */
  readonly exitCode: number | undefined;
  readonly ended: "exited" | "timed-out" | "aborted" | "signalled";
  /** Standard output and error as they came, together; at most 1 MB: its head and its tail. Valid UTF-8. */
  readonly output: string;
  /** Bytes of output that are not in `output`. */
  readonly omittedBytes: number;
  /** Where in `output` they are missing, in UTF-16 units; absent when nothing is. */
  readonly omittedAt?: number;
  readonly durationMs: number;
}

/** Runs commands that may be hostile: no token, no network, no host files but tool chains, bounded memory, processes and disk. */
export interface Sandbox {
  readonly backend: "bubblewrap" | "util-linux" | "sandbox-runtime" | "external" | "off";
  readonly level: SandboxLevel;
  /** Whether a history can be shown, and commands find a git to read it with. */
  readonly hasGit?: boolean;
  run(command: SandboxCommand): Promise<SandboxResult>;
}

/** What `probe` found. `sandbox` is absent where nothing holds; `reason` then says why and what to install. */
export interface SandboxProbe {
  readonly sandbox?: Sandbox;
  readonly reason: string;
  /** How memory and processes of a command are counted together, in words. */
  readonly counting?: string;
  /** What each backend that was looked at let out, or lacked; empty lists held. */
  readonly tried?: readonly Tried[];
}

/** One backend, and what became of its canaries. */
export interface Tried {
  readonly backend: Sandbox["backend"];
  readonly escaped: readonly string[];
  /** A program that it needs and that is not there. */
  readonly lacks?: string;
}
