import { handOver } from "../workspace-owner.ts";
import { stageForUser } from "./as-root.ts";
import type { Programs } from "./as-root.ts";
import type { ControlGroups } from "./control-groups.ts";
import { furnish } from "./furnish.ts";
import { INNER_ID, WORKSPACE } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { LIMITS, limitArguments } from "./limits.ts";
import { runLaunch } from "./run-launch.ts";
import type { Launch } from "./run-launch.ts";
import type { Sandbox, SandboxCommand } from "./sandbox.ts";
import { SETUP } from "./util-linux-setup.ts";

export interface UtilLinuxSettings {
  readonly unshare: string;
  readonly setpriv: string;
  readonly prlimit: string;
  readonly programs: Programs;
  readonly layout: Layout;
  /** What loads the seccomp program inside; undefined where nothing can: the level is partial then. */
  readonly filterLoader: readonly string[] | undefined;
  readonly groups?: ControlGroups | undefined;
}

/** The same profile as bubblewrap's, built by a fixed shell script out of util-linux's own programs. The seccomp filter needs an interpreter that can load it. */
export function utilLinuxSandbox(settings: UtilLinuxSettings): Sandbox {
  return {
    backend: "util-linux",
    hasGit: settings.layout.hasGit,
    level: settings.filterLoader === undefined ? "partial" : "strong",
    async run(command) {
      await handOver(command.workspace);
      return runLaunch(await launch(settings, command), command, settings.groups);
    },
  };
}

async function launch(settings: UtilLinuxSettings, { workspace, ...command }: SandboxCommand): Promise<Launch> {
  const { unshare, setpriv, prlimit, programs, filterLoader = [] } = settings;
  const { layout, line: own } = furnish(settings.layout, command);
  const staged = await stageForUser(programs, [...layout.mounts.map(({ source }) => source), workspace]);
  const mounts = layout.mounts.flatMap(({ kind, source, target }) => [kind, target, staged.reach(source)]);
  const links = layout.links.flatMap(({ path, target }) => ["link", path, target]);
  const files = layout.files.flatMap(({ path, text }) => ["text", path, text]);
  const folders = { "/tmp": LIMITS.temporary, [layout.home]: LIMITS.home, "/dev/shm": LIMITS.sharedMemory };
  const privates = Object.entries(folders).flatMap(([path, size]) => ["private", path, String(size)]);
  const steps = [privates, mounts, links, files, ["workspace", WORKSPACE, staged.reach(workspace)]].flat();
  const namespaces = [
    "--user",
    "--map-root-user",
    "--mount",
    "--net",
    "--ipc",
    "--uts",
    "--cgroup",
    "--pid",
    "--fork",
    "--kill-child=KILL",
  ];
  const environment = Object.entries(layout.environment).map(([name, value]) => `${name}=${value}`);
  // One more user namespace, the last that is allowed: in it nothing owns the mounts, and nobody is root.
  const inner = [unshare, "--user", `--map-user=${INNER_ID}`, `--map-group=${INNER_ID}`, "--keep-caps", "--"];
  const powerless = [setpriv, "--no-new-privs", "--ambient-caps=-all", "--inh-caps=-all", "--bounding-set=-all", "--"];
  const bare = ["/usr/bin/env", "-i", ...environment];
  const outer = [setpriv, "--pdeathsig=KILL", "--", unshare, ...namespaces, "--propagation", "private", "--"];
  const setup = ["/bin/sh", "-c", SETUP, "sh", staged.stand, WORKSPACE, ...steps, "--"];
  const limits = [prlimit, ...limitArguments(), "--"];
  const line = [staged.prefix, outer, setup, inner, powerless, limits, bare, filterLoader, own].flat();
  const [program = unshare, ...args] = line;
  return { program, args, pipes: [] };
}
