import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { probeSandboxRuntime, runtimeSandbox, type SandboxRuntime } from "../../../../src/workspace/sandbox/sandbox-runtime.ts";

// The adapter for macOS, of which nothing but the command line that it builds can be tried on another system.
const base = realpathSync(mkdtempSync(join(tmpdir(), "runtime-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Wrapped = Parameters<SandboxRuntime["SandboxManager"]["wrapWithSandboxArgv"]>;

/** Stands for the package: it runs the command as it is, without `/usr/bin/sandbox-exec` in front. */
function runtime(calls: Wrapped[] = []): SandboxRuntime {
  return {
    SandboxManager: {
      initialize: () => Promise.resolve(),
      wrapWithSandboxArgv: (...call) => {
        calls.push(call);
        return Promise.resolve({ argv: ["env", "PROXIED=1", call[1], "-c", call[0]] });
      },
    },
  };
}

describe("sandbox-runtime, as its command line is built", () => {
  test("shows the workspace and tool chains, nothing else of people's, and no host", async () => {
    const calls: Wrapped[] = [];
    await runtimeSandbox(runtime(calls), ["/opt/go"], "/opt/node/bin/node").run({ command: "true", workspace: base, timeoutMs: 10_000 });
    const [[, shell, config] = []] = calls;
    expect(shell).toBe("/bin/bash");
    expect(config?.network).toEqual({ allowedDomains: [], deniedDomains: ["*"], strictAllowlist: true });
    expect(config?.filesystem.allowRead).toEqual([base, expect.stringMatching(/sallyport-home-/), "/opt/go", "/opt/node"]);
    expect(config?.filesystem.allowWrite).toEqual([base, expect.stringMatching(/sallyport-home-/)]);
    for (const folder of ["/Users", "/private/var", "/private/tmp", "/Volumes"]) expect(config?.filesystem.denyRead).toContain(folder);
  });

  test("limits processes, files and descriptors before the command", async () => {
    const calls: Wrapped[] = [];
    await runtimeSandbox(runtime(calls), [], process.execPath).run({ command: "true", workspace: base, timeoutMs: 10_000 });
    expect(calls[0]?.[0]).toMatch(/^ulimit -u 1024 && ulimit -f 2097152 && ulimit -n 4096 && ulimit -c 0 && cd '/);
  });

  test("hands the command over as one word, whatever it holds, from an environment that is ours alone", async () => {
    process.env["CANARY_OF_SERVER"] = "must not be seen";
    const sandbox = runtimeSandbox(runtime(), [], process.execPath);
    const { output } = await sandbox.run({ command: `printf '%s|' "it's" '$x' "a  b"; env; pwd`, workspace: base, timeoutMs: 10_000 });
    delete process.env["CANARY_OF_SERVER"];
    expect(output).toMatch(/^it's\|\$x\|a {2}b\|/);
    expect(output).toContain("PROXIED=1");
    expect(output.trimEnd().endsWith(base)).toBe(true);
    expect(output).not.toMatch(/must not be seen|VITEST/);
  });

  test("says what to install where the package is missing", async () => {
    const probe = await probeSandboxRuntime([], () => Promise.reject(new Error("Cannot find package")));
    expect(probe).toMatchObject({
      reason: expect.stringContaining("npm install @anthropic-ai/sandbox-runtime"),
      tried: [{ lacks: "@anthropic-ai/sandbox-runtime" }],
    });
    expect(probe.sandbox).toBeUndefined();
  });

  test("is not believed when the package lets things out, and each is named", async () => {
    const { sandbox, reason } = await probeSandboxRuntime([], () => Promise.resolve(runtime()));
    expect(sandbox).toBeUndefined();
    for (const what of ["reading", "writing"]) expect(reason).toContain(what);
  });

  test("is not believed when it does not start", async () => {
    const broken = { SandboxManager: { ...runtime().SandboxManager, initialize: () => Promise.reject(new Error("sandbox-exec is gone")) } };
    expect((await probeSandboxRuntime([], () => Promise.resolve(broken))).reason).toContain("sandbox-exec is gone");
  });
});
