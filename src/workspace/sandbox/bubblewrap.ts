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

export interface BubblewrapSettings {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly programs: Programs;
  readonly layout: Layout;
  /** The seccomp program; without one the level is partial. */
  readonly filter: Buffer | undefined;
  readonly groups?: ControlGroups | undefined;
}

const ISOLATION = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--uid",
  `${INNER_ID}`,
  "--gid",
  `${INNER_ID}`,
  "--hostname",
  "sandbox",
];
const POWERLESS = ["--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv"];

/**
 * Namespaces of every kind, none of them nested, no capability, an empty environment (the launcher's own, which `/proc/1/environ` shows,
 * is empty already), and allow-listed mounts. Source: bwrap(1).
 */
export function bubblewrapSandbox(settings: BubblewrapSettings): Sandbox {
  return {
    backend: "bubblewrap",
    hasGit: settings.layout.hasGit,
    level: settings.filter === undefined ? "partial" : "strong",
    async run(command) {
      await handOver(command.workspace);
      return runLaunch(await launch(settings, command), command, settings.groups);
    },
  };
}

async function launch(settings: BubblewrapSettings, { workspace, ...command }: SandboxCommand): Promise<Launch> {
  const { bwrap, prlimit, programs, filter } = settings;
  const { layout, line } = furnish(settings.layout, command);
  const pipes = [...layout.files.map(({ text }) => Buffer.from(text)), ...(filter === undefined ? [] : [filter])];
  const staged = await stageForUser(programs, [...layout.mounts.map(({ source }) => source), workspace]);
  const info = 3 + pipes.length;
  const fixed = [...ISOLATION, ...POWERLESS, "--info-fd", String(info)];
  const environment = Object.entries(layout.environment).flatMap(([name, value]) => ["--setenv", name, value]);
  const mounts = layout.mounts.flatMap(({ source, target }) => ["--ro-bind", staged.reach(source), target]);
  const links = layout.links.flatMap(({ path, target }) => ["--symlink", target, path]);
  const files = layout.files.flatMap(({ path }, index) => ["--perms", "0444", "--ro-bind-data", String(3 + index), path]);
  const devices = ["--proc", "/proc", "--dev", "/dev", ...privateFolder("/dev/shm", LIMITS.sharedMemory), "--remount-ro", "/dev"];
  const folders = [...privateFolder("/tmp", LIMITS.temporary), ...privateFolder(layout.home, LIMITS.home)];
  const place = ["--bind", staged.reach(workspace), WORKSPACE, "--remount-ro", "/", "--chdir", WORKSPACE];
  const seccomp = filter === undefined ? [] : ["--seccomp", String(3 + layout.files.length)];
  const args = [fixed, environment, folders, mounts, links, files, devices, place, seccomp].flat();
  const [program = bwrap, ...rest] = [...staged.prefix, bwrap, ...args, "--", prlimit, ...limitArguments(), "--", ...line];
  return { program, args: rest, pipes, info };
}

const privateFolder = (path: string, bytes: number): string[] => ["--perms", "1777", "--size", String(bytes), "--tmpfs", path];
