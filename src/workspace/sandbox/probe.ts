import { tmpdir } from "node:os";
import type { Logger } from "../../core/log.ts";
import { findProgram } from "../find-program.ts";
import { isAlive } from "./alive.ts";
import type { Programs } from "./as-root.ts";
import { bubblewrapSandbox } from "./bubblewrap.ts";
import { tryEscapes } from "./canaries.ts";
import type { ControlGroups } from "./control-groups.ts";
import { filterLoader } from "./filter-loader.ts";
import { planLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { sweepOwnFolders } from "./own-folder.ts";
import type { Sandbox, SandboxProbe, Tried } from "./sandbox.ts";
import { probeSandboxRuntime } from "./sandbox-runtime.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { usableGroups } from "./usable-groups.ts";
import { utilLinuxSandbox } from "./util-linux.ts";

export interface ProbeRequest {
  /** The operator's PATH, where the sandbox's programs are looked for; the system's own folders are looked through after it. */
  readonly path: string;
  readonly log?: Logger;
  /** Absolute folders of further tool chains that commands may read, at their own paths; their `bin` comes first on the inner PATH. */
  readonly toolchains?: readonly string[];
  /** The backend to try first; by default the stronger one. */
  readonly prefer?: Sandbox["backend"];
  /** Tries every backend and tells of each, instead of stopping at the first that holds. */
  readonly every?: boolean;
}

const CONTROL_GROUPS = { mount: "/sys/fs/cgroup", self: "/proc/self/cgroup" };
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Finds the first backend from which nothing gets out. Each is tried with real escapes before it is believed; one that fails a single
 * try is not used. Never throws for a machine that has none; @throws {ConfigurationError} for a wrong tool chain.
 */
export async function probeSandbox(request: ProbeRequest): Promise<SandboxProbe> {
  const { path, log, toolchains = [], prefer, every = false } = request;
  if (process.platform === "darwin") return probeSandboxRuntime(toolchains);
  if (process.platform !== "linux") return { reason: `There is no sandbox for ${process.platform} yet; commands cannot be run.` };
  await sweepOwnFolders(tmpdir(), isAlive);
  const layout = await planLayout({ node: process.execPath, toolchains });
  const programs = await findPrograms(`${path}:${SYSTEM_PATH}`);
  const { groups, why: counting } = await usableGroups({ ...CONTROL_GROUPS, isRoot: process.getuid?.() === 0 });
  const filter = seccompFilter(process.arch);
  const parts: Parts = { programs, layout, groups, filter, loader: await filterLoader(filter, process.arch) };
  const candidates = [bubblewrapCandidate(parts), utilLinuxCandidate(parts)];
  candidates.sort((a, b) => Number(b.backend === prefer) - Number(a.backend === prefer));
  const tried: Tried[] = [];
  let found: Sandbox | undefined;
  for (const { backend, sandbox, lacks } of candidates) {
    if (found !== undefined && !every) break;
    const escaped = sandbox === undefined ? [`${lacks} is missing`] : await tryEscapes(sandbox, layout, tmpdir());
    tried.push({ backend, escaped, ...(lacks === undefined ? {} : { lacks }) });
    if (escaped.length === 0) found ??= sandbox;
    else log?.warn({ backend, escaped }, "sandbox backend not used");
  }
  const faults = tried.flatMap(({ backend, escaped }) => (escaped.length === 0 ? [] : [`${backend}: ${escaped.join(", ")}`]));
  const known = { counting, tried };
  if (found !== undefined) {
    return { sandbox: found, reason: [...faults, `${found.backend} holds (level ${found.level})`].join("; "), ...known };
  }
  const hint = "Install bubblewrap, and allow unprivileged user namespaces; sallyport doctor says how.";
  return { reason: `No sandbox holds here. ${faults.join("; ")}. ${hint}`, ...known };
}

interface Candidate {
  readonly backend: Sandbox["backend"];
  readonly sandbox?: Sandbox;
  /** The first program that it needs and that is not there. */
  readonly lacks?: string;
}

/** What the backends are built of. */
interface Parts {
  readonly programs: Programs;
  readonly layout: Layout;
  readonly groups: ControlGroups | undefined;
  readonly filter: Buffer | undefined;
  readonly loader: readonly string[] | undefined;
}

async function findPrograms(path: string): Promise<Programs> {
  const names = ["unshare", "setpriv", "prlimit", "bwrap", "pivot_root"];
  const [unshare, setpriv, prlimit, bwrap, pivotRoot] = await Promise.all(names.map((name) => findProgram(name, path)));
  return { unshare, setpriv, prlimit, bwrap, pivotRoot };
}

function bubblewrapCandidate({ programs, layout, groups, filter }: Parts): Candidate {
  const { bwrap, prlimit } = programs;
  if (bwrap === undefined || prlimit === undefined) return { backend: "bubblewrap", lacks: bwrap === undefined ? "bwrap" : "prlimit" };
  return { backend: "bubblewrap", sandbox: bubblewrapSandbox({ bwrap, prlimit, programs, layout, filter, groups }) };
}

function utilLinuxCandidate({ programs, layout, groups, loader }: Parts): Candidate {
  const { unshare, setpriv, prlimit, pivotRoot } = programs;
  if (unshare === undefined || setpriv === undefined || prlimit === undefined || pivotRoot === undefined) {
    const needed = { unshare, setpriv, prlimit, pivot_root: pivotRoot };
    const lacks = Object.entries(needed).find(([, file]) => file === undefined)?.[0] ?? "util-linux";
    return { backend: "util-linux", lacks };
  }
  const sandbox = utilLinuxSandbox({ unshare, setpriv, prlimit, programs, layout, groups, filterLoader: loader });
  return { backend: "util-linux", sandbox };
}
