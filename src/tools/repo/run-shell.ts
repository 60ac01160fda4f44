import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { type ToolResult, failed, ok } from "../../core/result.ts";
import { runIn } from "../../workspace/sandbox/run-in.ts";
import type { SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";

const DEFAULT_TIMEOUT_S = 120;
const LONGEST_TIMEOUT_S = 600;

export const runShell = defineTool({
  name: "run_shell",
  description:
    "Runs a command by /bin/sh in the repository's root, in a sandbox without network or token; only the repository and /tmp can be written, and /tmp is gone afterwards. git reads the commit that the run started on and recent commits before it, without branches, tags and remotes, but cannot add, commit, stash or check out. No process outlives the call. Answers standard output and error together; of long output the start and the end, and read_output has the rest. A non-zero exit is an error that begins with the exit code.",
  effect: "write",
  parameters: z.object({
    command: text(20_000, "The command line, as for sh -c.").min(1),
    timeout_s: z.int().min(1).max(LONGEST_TIMEOUT_S).optional().describe(`Seconds after which it is ended. Default: ${DEFAULT_TIMEOUT_S}.`),
  }),
  async handler({ command, timeout_s: seconds = DEFAULT_TIMEOUT_S }, { sandbox, workspace, signal }) {
    if (sandbox === undefined) return failed("There is no sandbox here, so no command can be run.");
    const result = await runIn(sandbox, workspace, { command, timeoutMs: seconds * 1000, signal });
    signal.throwIfAborted();
    return showRun(result, seconds);
  },
});

function showRun(result: SandboxResult, seconds: number): ToolResult {
  const shown = stripVTControlCharacters(wholeOutput(result));
  if (result.ended === "exited" && result.exitCode === 0) return ok(shown === "" ? "(exit code 0, no output)" : shown);
  return failed(`${howItEnded(result, seconds)}\n${shown}`.trimEnd());
}

/** What was not kept is named where it is missing, so that no line seems to follow another that it did not follow. */
function wholeOutput({ output, omittedBytes, omittedAt = output.length }: SandboxResult): string {
  if (omittedBytes === 0) return output;
  return `${output.slice(0, omittedAt)}\n[… ${omittedBytes} bytes of the output were not kept …]\n${output.slice(omittedAt)}`;
}

function howItEnded({ ended, exitCode }: SandboxResult, seconds: number): string {
  if (ended === "exited") return `exit code ${exitCode}`;
  if (ended === "timed-out")
    return `timed out after ${seconds} s and was ended; give a longer timeout_s (at most ${LONGEST_TIMEOUT_S}) or do less at once`;
  return ended === "signalled"
    ? "ended by a signal, as when it takes too much memory or kills itself"
    : "ended because the run was stopped";
}
