import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { runLaunch } from "./run-launch.ts";
import type { Sandbox } from "./sandbox.ts";
import { makeOwnFolder } from "./own-folder.ts";

/** What an operator writes to have commands run without a sandbox: whoever writes it has read what it means. */
export const ACKNOWLEDGEMENT = "commands that a model chooses run unconfined on this machine";

export interface ExternalSettings {
  /** Program and arguments in front of `/bin/sh -c <command>`; `{workspace}` stands for the workspace's absolute path. */
  readonly command: readonly string[];
  readonly path: string;
}

/** Commands run in a command of the operator's (a container engine, a remote runner), who answers for what it holds. */
export function externalSandbox({ command: wrapper, path }: ExternalSettings): Sandbox {
  return {
    backend: "external",
    level: "external",
    run(command) {
      const line = wrapper.map((word) => word.replaceAll("{workspace}", command.workspace));
      const [program, ...args] = [...line, "/bin/sh", "-c", 'exec /bin/sh -c -- "$1" 2>&1', "sh", command.command];
      return runLaunch({ program, args, pipes: [], environment: { PATH: path }, directory: command.workspace }, command);
    },
  };
}

/** No sandbox: a process group of its own, an environment without the server's, a home of its own, a time, and nothing else. */
export function noSandbox({ path }: { readonly path: string }): Sandbox {
  return {
    backend: "off",
    level: "off",
    async run(command) {
      const home = await makeOwnFolder(tmpdir(), "home");
      try {
        // No repository of the operator's that the folder happens to lie in.
        const ceiling = { GIT_CEILING_DIRECTORIES: dirname(command.workspace) };
        const environment = { ...ceiling, PATH: path, HOME: home, TMPDIR: home, LANG: "C.UTF-8", CI: "true", NO_COLOR: "1" };
        const args = ["-c", 'exec /bin/sh -c -- "$1" 2>&1', "sh", command.command];
        return await runLaunch({ program: "/bin/sh", args, pipes: [], environment, directory: command.workspace }, command);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
