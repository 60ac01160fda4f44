import { describe, expect, it } from "vitest";
import { runShell } from "../../../../src/tools/repo/run-shell.ts";
import type { Sandbox, SandboxCommand, SandboxResult } from "../../../../src/workspace/sandbox/sandbox.ts";
import { answerOf, contextFor, folderWorkspace } from "../folder-workspace.ts";

function sandboxOf(result: Partial<SandboxResult>): { readonly sandbox: Sandbox; readonly ran: SandboxCommand[] } {
  const ran: SandboxCommand[] = [];
  const run = (command: SandboxCommand) => {
    ran.push(command);
    return Promise.resolve({ exitCode: 0, ended: "exited", output: "", omittedBytes: 0, durationMs: 1, ...result } as const);
  };
  return { sandbox: { backend: "bubblewrap", level: "strong", run }, ran };
}

const answer = (result: Partial<SandboxResult>, args: object = {}) =>
  answerOf(runShell, { command: "npm test", ...args }, contextFor({ sandbox: sandboxOf(result).sandbox }));

describe("run_shell", () => {
  it.each([
    ["output", { output: "second\n42\n" }, "second\n42\n"],
    ["silence", {}, "(exit code 0, no output)"],
    ["a failure, the code first", { exitCode: 3, output: "not ok 1\n" }, "[error] exit code 3\nnot ok 1"],
    ["a silent failure", { exitCode: 1 }, "[error] exit code 1"],
    ["output without escapes of terminals", { output: "\u001b[31mred\u001b[0m\n" }, "red\n"],
    [
      "what was not kept",
      { output: "head\ntail\n", omittedBytes: 475, omittedAt: 5 },
      "head\n\n[… 475 bytes of the output were not kept …]\ntail\n",
    ],
    ["a signal", { exitCode: undefined, ended: "signalled", output: "Killed\n" }, /^\[error\] ended by a signal, .*\nKilled$/],
    [
      "a time that was too short",
      { exitCode: undefined, ended: "timed-out", output: "x\n" },
      /^\[error\] timed out after 120 s and was ended; .*\nx$/,
    ],
  ] as const)("shows %s", async (_, result, expected) => {
    if (typeof expected === "string") expect(await answer(result)).toBe(expected);
    else expect(await answer(result)).toMatch(expected);
  });

  it("leaves long output whole, for the run to keep it", async () => {
    const output = `the-first-line\n${"🍎".repeat(250_000)}\nthe-last-line\n`;
    expect(await answer({ output })).toBe(output);
  });

  it.each([
    [{}, 120_000],
    [{ timeout_s: 600 }, 600_000],
  ])("runs in the workspace, with %j for %i ms", async (args, timeoutMs) => {
    const { sandbox, ran } = sandboxOf({});
    const workspace = folderWorkspace();
    const context = contextFor({ sandbox, workspace });
    await answerOf(runShell, { command: "a | b 'c'", ...args }, context);
    expect(ran).toEqual([{ command: "a | b 'c'", workspace: workspace.directory, timeoutMs, signal: context.signal }]);
  });

  it("runs nothing for longer than ten minutes", async () => {
    const { sandbox, ran } = sandboxOf({});
    expect(await answerOf(runShell, { command: "x", timeout_s: 601 }, contextFor({ sandbox }))).toMatch(/^\[error\] .*at most 600/);
    expect(ran).toEqual([]);
  });

  it("throws when the run was stopped meanwhile", async () => {
    const { sandbox } = sandboxOf({ ended: "aborted" });
    await expect(runShell.call({ command: "x" }, contextFor({ sandbox, signal: AbortSignal.abort(new Error("stop")) }))).rejects.toThrow(
      "stop",
    );
  });

  it("answers an error where there is no sandbox", async () => {
    expect(await answerOf(runShell, { command: "x" }, contextFor({}))).toMatch(/^\[error\] There is no sandbox/);
  });
});
