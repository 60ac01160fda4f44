import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { ConfigurationError, messageOf } from "../../core/errors.ts";
import { ACKNOWLEDGEMENT, externalSandbox, noSandbox } from "./opted-out.ts";
import { probeSandbox, type ProbeRequest } from "./probe.ts";
import type { Sandbox, SandboxProbe } from "./sandbox.ts";
import { makeOwnFolder } from "./own-folder.ts";

/** What the operator says about where commands run; the server's own configuration, never a repository's. */
export interface SandboxWish {
  readonly mode?: "auto" | "external" | "off" | undefined;
  /** For `off`: {@link ACKNOWLEDGEMENT}, word for word. */
  readonly acknowledge?: string | undefined;
  /** For `external`. */
  readonly command?: readonly string[] | undefined;
  /** The least level at which commands are run at all. */
  readonly level?: "partial" | "strong" | undefined;
  readonly toolchains?: readonly string[] | undefined;
}

const TIMEOUT_MS = 60_000;

/**
 * The sandbox that the operator wants, once it was seen to work.
 * @throws {ConfigurationError} for an opt-out that is not whole, and for a wrong tool chain.
 */
export async function openSandbox(wish: SandboxWish, request: ProbeRequest): Promise<SandboxProbe> {
  const { mode = "auto", acknowledge, command, level, toolchains } = wish;
  if (mode === "off") {
    if (acknowledge === ACKNOWLEDGEMENT)
      return { sandbox: noSandbox({ path: request.path }), reason: "the operator has switched the sandbox off" };
    throw wrong("sandbox.mode is off without sandbox.acknowledge.", `Write there, word for word: ${ACKNOWLEDGEMENT}.`);
  }
  if (mode === "external") {
    if (command === undefined || command.length === 0)
      throw wrong("sandbox.mode is external without sandbox.command.", "Name the program and its arguments, as a list.");
    return tryExternal(externalSandbox({ command, path: request.path }));
  }
  const probe = await probeSandbox({ ...request, ...(toolchains === undefined ? {} : { toolchains }) });
  if (level !== "strong" || probe.sandbox === undefined || probe.sandbox.level === "strong") return probe;
  const { sandbox: _, ...rest } = probe;
  return { ...rest, reason: `${probe.reason}; sandbox.level asks for strong, so commands cannot be run.` };
}

const wrong = (message: string, hint: string): ConfigurationError => new ConfigurationError(message, { code: "bad-sandbox", hint });

/** Whether a command runs at all, and its files arrive: what the wrapper keeps in is the operator's to know. */
async function tryExternal(sandbox: Sandbox): Promise<SandboxProbe> {
  const workspace = await makeOwnFolder(tmpdir(), "probe");
  try {
    const { exitCode, output } = await sandbox.run({ command: "echo ran", workspace, timeoutMs: TIMEOUT_MS });
    if (exitCode === 0 && output.trim() === "ran") return { sandbox, reason: "commands run in the operator's own command (not probed)" };
    return { reason: `sandbox.command does not run commands: ${output.trim().slice(0, 300) || `exit code ${exitCode}`}` };
  } catch (error) {
    return { reason: `sandbox.command does not run commands: ${messageOf(error)}` };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
