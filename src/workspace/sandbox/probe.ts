import { tmpdir } from "node:os";
import type { Logger } from "../../core/log.ts";
import { findProgram } from "../find-program.ts";
import type { Programs } from "./as-root.ts";
import { bubblewrapSandbox } from "./bubblewrap.ts";
import { tryEscapes } from "./canaries.ts";
import { planLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import type { Sandbox, SandboxProbe } from "./sandbox.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { utilLinuxSandbox } from "./util-linux.ts";

export interface ProbeRequest {
  /** The operator's PATH, where the sandbox's programs are looked for; the system's own folders are looked through after it. */
  readonly path: string;
  readonly log?: Logger;
  /** Absolute folders of further tool chains that commands may read, at their own paths; their `bin` comes first on the inner PATH. */
  readonly toolchains?: readonly string[];
  /** The backend to try first; by default the stronger one. */
  readonly prefer?: Sandbox["backend"];
}

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Finds the first backend from which nothing gets out. Each is tried with real escapes before it is believed; one that fails a single
 * try is not used. Never throws for a machine that has none; @throws {ConfigurationError} for a wrong tool chain.
 */
export async function probeSandbox({ path, log, toolchains = [], prefer }: ProbeRequest): Promise<SandboxProbe> {
  if (process.platform !== "linux") return { reason: `There is no sandbox for ${process.platform} yet; commands cannot be run.` };
  const layout = await planLayout({ node: process.execPath, toolchains });
  const programs = await findPrograms(`${path}:${SYSTEM_PATH}`);
  const candidates = [bubblewrapCandidate(programs, layout), utilLinuxCandidate(programs, layout)];
  candidates.sort((a, b) => Number(b.backend === prefer) - Number(a.backend === prefer));
  const reasons: string[] = [];
  for (const { backend, sandbox, lacks } of candidates) {
    const escaped = sandbox === undefined ? [`${lacks} is missing`] : await tryEscapes(sandbox, layout, tmpdir());
    if (sandbox !== undefined && escaped.length === 0) {
      reasons.push(`${backend} holds (level ${sandbox.level})`);
      return { sandbox, reason: reasons.join("; ") };
    }
    log?.warn({ backend, escaped }, "sandbox backend not used");
    reasons.push(`${backend}: ${escaped.join(", ")}`);
  }
  const hint = "Install bubblewrap, and allow unprivileged user namespaces (kernel.apparmor_restrict_unprivileged_userns on Ubuntu).";
  return { reason: `No sandbox holds here. ${reasons.join("; ")}. ${hint}` };
}

interface Candidate {
  readonly backend: Sandbox["backend"];
  readonly sandbox?: Sandbox;
  /** The first program that it needs and that is not there. */
  readonly lacks?: string;
}

async function findPrograms(path: string): Promise<Programs> {
  const names = ["unshare", "setpriv", "prlimit", "bwrap", "pivot_root"];
  const [unshare, setpriv, prlimit, bwrap, pivotRoot] = await Promise.all(names.map((name) => findProgram(name, path)));
  return { unshare, setpriv, prlimit, bwrap, pivotRoot };
}

function bubblewrapCandidate(programs: Programs, layout: Layout): Candidate {
  const { bwrap, prlimit } = programs;
  if (bwrap === undefined || prlimit === undefined) return { backend: "bubblewrap", lacks: bwrap === undefined ? "bwrap" : "prlimit" };
  return { backend: "bubblewrap", sandbox: bubblewrapSandbox({ bwrap, prlimit, programs, layout, filter: seccompFilter(process.arch) }) };
}

function utilLinuxCandidate(programs: Programs, layout: Layout): Candidate {
  const { unshare, setpriv, prlimit, pivotRoot } = programs;
  if (unshare === undefined || setpriv === undefined || prlimit === undefined || pivotRoot === undefined) {
    const needed = { unshare, setpriv, prlimit, pivot_root: pivotRoot };
    const lacks = Object.entries(needed).find(([, file]) => file === undefined)?.[0] ?? "util-linux";
    return { backend: "util-linux", lacks };
  }
  return { backend: "util-linux", sandbox: utilLinuxSandbox({ unshare, setpriv, prlimit, programs, layout }) };
}
