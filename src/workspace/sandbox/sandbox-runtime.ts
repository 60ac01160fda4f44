import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { LIMITS } from "./limits.ts";
import { tryMacEscapes } from "./mac-canaries.ts";
import { runLaunch } from "./run-launch.ts";
import type { Launch } from "./run-launch.ts";
import type { Sandbox, SandboxCommand, SandboxProbe } from "./sandbox.ts";
import { makeOwnFolder } from "./own-folder.ts";

/** What is used of the package; its own types would make it a dependency of every build. */
export interface SandboxRuntime {
  readonly SandboxManager: {
    initialize(config: RuntimeConfig): Promise<void>;
    wrapWithSandboxArgv(command: string, shell: string, config: RuntimeConfig): Promise<{ readonly argv: readonly string[] }>;
  };
}

interface RuntimeConfig {
  readonly network: {
    readonly allowedDomains: readonly string[];
    readonly deniedDomains: readonly string[];
    readonly strictAllowlist: true;
  };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

const PACKAGE: string = "@anthropic-ai/sandbox-runtime";
/** Where a Mac keeps what belongs to people, to services and to other programs. */
const PRIVATE = ["/Users", "/Volumes", "/private/var", "/private/tmp", "/private/etc", "/Library/Keychains", "/opt", "/Applications"];
/** macOS's /bin/sh asks a file below /private/var which shell it is. */
const SHELL = "/bin/bash";
const BLOCK = 512;

/**
 * macOS: `sandbox-exec` by way of Anthropic's sandbox-runtime, an optional peer that is loaded here only. What the runtime leaves open is
 * closed around it where macOS can: the environment is ours alone, files and processes are limited. Without a pid namespace a process that
 * leaves its group can outlive its call, and memory is not limited: the level is partial. Written from the package's documentation; it
 * could not be tried on a Mac.
 */
export function runtimeSandbox({ SandboxManager }: SandboxRuntime, toolchains: readonly string[], node: string): Sandbox {
  return {
    backend: "sandbox-runtime",
    level: "partial",
    async run(command) {
      const scratch = await realpath(await makeOwnFolder(tmpdir(), "home"));
      try {
        const workspace = await realpath(command.workspace);
        const config = configFor(workspace, scratch, [...toolchains, dirname(dirname(node))]);
        const wrapped = await SandboxManager.wrapWithSandboxArgv(limited(workspace, command), SHELL, config);
        return await runLaunch(launch(wrapped.argv, scratch, [...toolchains, dirname(node)]), command);
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
  };
}

function configFor(workspace: string, scratch: string, readable: readonly string[]): RuntimeConfig {
  return {
    network: { allowedDomains: [], deniedDomains: ["*"], strictAllowlist: true },
    filesystem: {
      denyRead: PRIVATE,
      allowRead: [workspace, scratch, ...readable],
      allowWrite: [workspace, scratch],
      denyWrite: [],
    },
  };
}

function limited(workspace: string, { command }: SandboxCommand): string {
  const limits = [`ulimit -u ${LIMITS.processes}`, `ulimit -f ${LIMITS.written / BLOCK}`, `ulimit -n ${LIMITS.openFiles}`, "ulimit -c 0"];
  return `${limits.join(" && ")} && cd ${quoted(workspace)} && exec ${SHELL} --posix -c ${quoted(command)} 2>&1`;
}

function launch(argv: readonly string[], home: string, path: readonly string[]): Launch {
  const environment = {
    PATH: [...path, "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"].join(":"),
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "true",
    NO_COLOR: "1",
  };
  const names = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return { program: "/usr/bin/env", args: ["-i", ...names, ...argv], pipes: [] };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Looks for the package, and lets a command try what it must not be able to. Never throws. */
export async function probeSandboxRuntime(
  toolchains: readonly string[],
  load: () => Promise<unknown> = () => import(PACKAGE),
): Promise<SandboxProbe> {
  const backend = "sandbox-runtime";
  let runtime: SandboxRuntime;
  try {
    runtime = (await load()) as SandboxRuntime;
  } catch {
    const reason = `${PACKAGE} is not installed; with it (npm install ${PACKAGE}) commands can be run on macOS.`;
    return { reason, tried: [{ backend, escaped: [`${PACKAGE} is missing`], lacks: PACKAGE }] };
  }
  try {
    await runtime.SandboxManager.initialize(configFor("/nonexistent", "/nonexistent", []));
    const sandbox = runtimeSandbox(runtime, toolchains, await realpath(process.execPath));
    const escaped = await tryMacEscapes(sandbox, tmpdir());
    const tried = [{ backend, escaped }] as const;
    if (escaped.length > 0) return { reason: `No sandbox holds here. ${backend}: ${escaped.join(", ")}`, tried };
    return { sandbox, reason: `${backend} holds (level partial: memory and left processes are not limited on macOS)`, tried };
  } catch (error) {
    return { reason: `No sandbox holds here. ${backend}: ${messageOf(error)}`, tried: [{ backend, escaped: [messageOf(error)] }] };
  }
}
