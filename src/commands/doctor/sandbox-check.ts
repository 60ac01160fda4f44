import { access, readFile } from "node:fs/promises";
import type { FileSettings } from "../../config/file-schema.ts";
import { CANARIES } from "../../workspace/sandbox/canaries.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import type { SandboxProbe, Tried } from "../../workspace/sandbox/sandbox.ts";
import type { Check, Outcome } from "./check.ts";
import { DELEGATION_ADVICE, sandboxAdvice, type Machine } from "./sandbox-advice.ts";

export interface SandboxCheckOptions {
  readonly path: string;
  readonly settings: FileSettings["sandbox"];
}

/** Probes as the server does, but every backend. */
export function sandboxCheck({ path, settings = {} }: SandboxCheckOptions): Check {
  return {
    name: "sandbox",
    run: async () => sandboxOutcome(await openSandbox(settings, { path, every: true }), await thisMachine()),
  };
}

/** What a probe means to an operator. */
export function sandboxOutcome({ sandbox, reason, counting, tried = [] }: SandboxProbe, machine: Omit<Machine, "lacks">): Outcome {
  const lacks = tried.flatMap(({ lacks: program }) => (program === undefined ? [] : [program]));
  const advice = sandboxAdvice({ ...machine, lacks });
  const details = [...tried.flatMap(linesOf), ...(counting === undefined ? [] : [`counting: ${counting}`])];
  if (sandbox === undefined) return { status: "failed", says: `commands cannot be run: ${reason}`, details, advice };
  const says = `${sandbox.backend}, level ${sandbox.level}`;
  if (sandbox.level !== "strong")
    return { status: "warning", says: `${says}: ${reason}`, details, advice: sandbox.level === "partial" ? advice : [] };
  return { status: "ok", says, details, advice: counting === undefined || counting.endsWith("hold") ? [] : DELEGATION_ADVICE };
}

function linesOf({ backend, escaped, lacks }: Tried): readonly string[] {
  if (lacks !== undefined) return [`${backend}: ${lacks} is not installed`];
  const named = new Set<string>(CANARIES);
  const other = escaped.filter((line) => !named.has(line.split(":")[0] ?? ""));
  if (other.length > 0) return other.map((line) => `${backend}: ${line}`);
  const held = CANARIES.filter((canary) => !escaped.some((line) => line.startsWith(`${canary}:`)));
  return [...escaped.map((line) => `${backend}: got out by ${line}`), `${backend}: held ${held.join(", ")}`];
}

async function thisMachine(): Promise<Omit<Machine, "lacks">> {
  const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
  const isThere = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );
  const release = await read("/etc/os-release");
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)`, "m").exec(release)?.[1] ?? "";
  return {
    platform: process.platform,
    distribution: { id: field("ID"), version: field("VERSION_ID") },
    isContainer:
      (await isThere("/.dockerenv")) || (await isThere("/run/.containerenv")) || (await isThere("/var/run/secrets/kubernetes.io")),
    restrictsNamespaces: (await read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")).trim() === "1",
  };
}
