import type { Workspace } from "../workspace.ts";
import type { Sandbox, SandboxCommand, SandboxResult } from "./sandbox.ts";

/** Runs a command in a workspace, with the history that its git commands can read. One that names git has more of it brought first. */
export async function runIn(
  sandbox: Sandbox,
  workspace: Workspace,
  command: Omit<SandboxCommand, "workspace" | "history">,
): Promise<SandboxResult> {
  const { signal } = command;
  const isAsked = /\bgit\b/.test(command.command);
  const history = sandbox.hasGit === true ? await workspace.history({ isAsked, signal }) : undefined;
  return sandbox.run({ ...command, workspace: workspace.directory, ...(history === undefined ? {} : { history }) });
}
