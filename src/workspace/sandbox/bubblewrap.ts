import { handOver } from "../workspace-owner.ts";
import { stageForUser } from "./as-root.ts";
import type { Programs } from "./as-root.ts";
import { WORKSPACE } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { LIMITS, limitArguments } from "./limits.ts";
import { runLaunch } from "./run-launch.ts";
import type { Launch } from "./run-launch.ts";
import type { Sandbox } from "./sandbox.ts";

export interface BubblewrapSettings {
  readonly bwrap: string;
  readonly prlimit: string;
  readonly programs: Programs;
  readonly layout: Layout;
  /** The seccomp program; without one the level is partial. */
  readonly filter: Buffer | undefined;
}

const ISOLATION = ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"];
const POWERLESS = ["--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv"];

/**
 * Namespaces of every kind, none of them nested, no capability, an empty environment (the launcher's own, which `/proc/1/environ` shows,
 * is empty already), and allow-listed mounts. Source: bwrap(1).
 */
export function bubblewrapSandbox(settings: BubblewrapSettings): Sandbox {
  return {
    backend: "bubblewrap",
    level: settings.filter === undefined ? "partial" : "strong",
    async run(command) {
      await handOver(command.workspace);
      return runLaunch(launch(settings, command.workspace, command.command), command);
    },
  };
}

function launch({ bwrap, prlimit, programs, layout, filter }: BubblewrapSettings, workspace: string, command: string): Launch {
  const pipes = [...layout.files.map(({ text }) => Buffer.from(text)), ...(filter === undefined ? [] : [filter])];
  const staged = stageForUser(programs, [...layout.mounts.map(({ source }) => source), workspace]);
  const fixed = [...ISOLATION, ...POWERLESS];
  const environment = Object.entries(layout.environment).flatMap(([name, value]) => ["--setenv", name, value]);
  const mounts = layout.mounts.flatMap(({ source, target }) => ["--ro-bind", staged.reach(source), target]);
  const links = layout.links.flatMap(({ path, target }) => ["--symlink", target, path]);
  const files = layout.files.flatMap(({ path }, index) => ["--perms", "0444", "--ro-bind-data", String(3 + index), path]);
  const devices = ["--proc", "/proc", "--dev", "/dev", ...privateFolder("/dev/shm", LIMITS.sharedMemory), "--remount-ro", "/dev"];
  const folders = [...privateFolder("/tmp", LIMITS.temporary), ...privateFolder(layout.home, LIMITS.home)];
  const place = ["--bind", staged.reach(workspace), WORKSPACE, "--remount-ro", "/", "--chdir", WORKSPACE];
  const seccomp = filter === undefined ? [] : ["--seccomp", String(3 + layout.files.length)];
  const args = [fixed, environment, folders, mounts, links, files, devices, place, seccomp].flat();
  const [program = bwrap, ...rest] = [...staged.prefix, bwrap, ...args, "--", prlimit, ...limitArguments(), "--", ...shell(command)];
  return { program, args: rest, pipes };
}

const privateFolder = (path: string, bytes: number): string[] => ["--perms", "1777", "--size", String(bytes), "--tmpfs", path];

/** Both outputs go one way, in the order in which they are written; what the launcher itself has to say goes the other. */
export function shell(command: string): readonly string[] {
  return ["/bin/sh", "-c", 'exec /bin/sh -c -- "$1" 2>&1', "sh", command];
}
