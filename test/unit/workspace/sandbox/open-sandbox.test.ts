import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSandbox } from "../../../../src/workspace/sandbox/open-sandbox.ts";
import { ACKNOWLEDGEMENT } from "../../../../src/workspace/sandbox/opted-out.ts";

const base = mkdtempSync(join(tmpdir(), "opted-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const path = process.env["PATH"] ?? "/usr/bin:/bin";
const workspace = (): string => mkdtempSync(join(base, "ws-"));

describe("a sandbox that the operator has traded", () => {
  test.each([
    ["off without an acknowledgement", { mode: "off" }, /acknowledge/],
    ["off with other words", { mode: "off", acknowledge: "yes, I know" }, /acknowledge/],
    ["off with the words in capitals", { mode: "off", acknowledge: ACKNOWLEDGEMENT.toUpperCase() }, /acknowledge/],
    ["external without a command", { mode: "external" }, /command/],
    ["external with an empty command", { mode: "external", command: [] }, /command/],
  ] as const)("is refused when it is %s", async (_, wish, why) => {
    await expect(openSandbox(wish, { path })).rejects.toMatchObject({ code: "bad-sandbox", message: expect.stringMatching(why) });
  });

  test("runs commands in the operator's own command, which is told the workspace", async () => {
    const wrapper = join(base, "wrapper.sh");
    writeFileSync(wrapper, '#!/bin/sh\necho "$1" >> "$1/seen"\nshift\nexec "$@"\n', { mode: 0o755 });
    const { sandbox } = await openSandbox({ mode: "external", command: [wrapper, "{workspace}"] }, { path });
    expect(sandbox).toMatchObject({ backend: "external", level: "external" });
    const folder = workspace();
    const result = await sandbox?.run({ command: "echo out; echo err >&2; pwd; exit 4", workspace: folder, timeoutMs: 10_000 });
    expect(result).toMatchObject({ exitCode: 4, ended: "exited", output: `out\nerr\n${folder}\n` });
    expect(readFileSync(join(folder, "seen"), "utf8")).toBe(`${folder}\n`);
  });

  test.each([
    ["cannot be found", ["/no/such/wrapper"]],
    ["refuses", ["/bin/false"]],
    ["runs something else", ["/bin/echo"]],
  ])("is not used when its command %s", async (_, command) => {
    const { sandbox, reason } = await openSandbox({ mode: "external", command }, { path });
    expect(sandbox).toBeUndefined();
    expect(reason).toMatch(/^sandbox\.command does not run commands/);
  });

  test("that is off still hands on nothing of the server's environment, and ends at its time", async () => {
    process.env["CANARY_OF_SERVER"] = "must not be seen";
    const { sandbox } = await openSandbox({ mode: "off", acknowledge: ACKNOWLEDGEMENT }, { path });
    expect(sandbox).toMatchObject({ backend: "off", level: "off" });
    const result = await sandbox?.run({ command: "env; pwd; sleep 60", workspace: workspace(), timeoutMs: 700 });
    delete process.env["CANARY_OF_SERVER"];
    expect(result).toMatchObject({ ended: "timed-out" });
    expect(result?.output).toMatch(/^HOME=/m);
    expect(result?.output).not.toMatch(/must not be seen|VITEST/);
  });

  test("that is off shows no repository that the folder of workspaces lies in", async () => {
    const repository = join(base, "of-the-operator");
    execFileSync("git", ["init", "--quiet", repository]);
    const inside = mkdtempSync(join(repository, "ws-"));
    const { sandbox } = await openSandbox({ mode: "off", acknowledge: ACKNOWLEDGEMENT }, { path });
    const result = await sandbox?.run({ command: "git rev-parse --show-toplevel", workspace: inside, timeoutMs: 10_000 });
    expect(result).toMatchObject({ exitCode: 128, output: expect.stringContaining("not a git repository") as string });
  });
});

test("a level that is asked for and not had means that no command is run", async () => {
  const { sandbox, reason } = await openSandbox({ level: "strong" }, { path: "/nonexistent" });
  if (sandbox === undefined) expect(reason).toMatch(/strong|No sandbox holds/);
  else expect(sandbox.level).toBe("strong");
});
