import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tryEscapes } from "../../../src/workspace/sandbox/canaries.ts";
import { planLayout } from "../../../src/workspace/sandbox/layout.ts";
import { LIMITS } from "../../../src/workspace/sandbox/limits.ts";
import { probeSandbox } from "../../../src/workspace/sandbox/probe.ts";
import { SandboxError } from "../../../src/workspace/sandbox/run-launch.ts";
import type { Sandbox, SandboxCommand, SandboxResult } from "../../../src/workspace/sandbox/sandbox.ts";
import { temporaryFolder } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const PATH = process.env["PATH"] ?? "/usr/bin:/bin";
const chain = join(temporary.path, "a chain");
const found: Partial<Record<Sandbox["backend"], Sandbox>> = {};
beforeAll(async () => {
  mkdirSync(join(chain, "bin"), { recursive: true });
  writeFileSync(join(chain, "bin", "own-tool"), "#!/bin/sh\necho own tool\n", { mode: 0o755 });
  for (const prefer of ["bubblewrap", "util-linux"] as const) {
    const { sandbox } = await probeSandbox({ path: PATH, prefer, toolchains: [chain] });
    if (sandbox !== undefined) found[sandbox.backend] = sandbox;
  }
});

const newWorkspace = (): string => mkdtempSync(join(temporary.path, "work space-"));

describe.each(["bubblewrap", "util-linux"] as const)("a command in %s", (backend) => {
  type Run = (command: string, more?: Partial<SandboxCommand>) => Promise<SandboxResult>;
  const inSandbox = (name: string, body: (run: Run, sandbox: Sandbox) => Promise<void>): void => {
    test(name, async ({ skip }) => {
      const sandbox = found[backend];
      if (sandbox === undefined) return skip(`${backend} does not hold on this machine or is not installed`);
      const run: Run = (command, more = {}) => sandbox.run({ command, workspace: newWorkspace(), timeoutMs: 20_000, ...more });
      return body(run, sandbox);
    });
  };

  inSandbox("answers its output in order, both streams together, and its exit code", async (run) => {
    const { output, ...rest } = await run("echo one; echo two >&2; echo three; exit 3");
    expect(output).toBe("one\ntwo\nthree\n");
    expect(rest).toMatchObject({ exitCode: 3, ended: "exited", omittedBytes: 0 });
  });

  inSandbox("is one argument, whatever it holds", async (run) => {
    expect((await run(`printf '%s|' "a  b" '$x' "\`echo y\`" -- ; cat <<'EOF'\nli'ne "two" \\\nEOF`)).output).toBe(
      'a  b|$x|y|--|li\'ne "two" \\\n',
    );
    expect((await run("--version")).exitCode).toBe(127);
  });

  inSandbox("starts in the workspace under a neutral name and sees no host path", async (run) => {
    const { output } = await run("pwd; env; cat /etc/passwd /etc/hosts; ls /; ls /opt; mount | cut -d' ' -f3");
    expect(output.startsWith("/workspace/repository\n")).toBe(true);
    expect(output).not.toContain(temporary.path.replace(/^.*\//, "work space-"));
    expect(output).not.toMatch(/\/root\/|\/home\/(?!sandbox)|node_modules/);
    expect(output).not.toContain(process.cwd());
  });

  inSandbox("has exactly the environment that was made for it", async (run) => {
    process.env["CANARY_OF_HOST"] = "must not be seen";
    const { output } = await run("env; tr '\\0' '\\n' < /proc/1/environ");
    delete process.env["CANARY_OF_HOST"];
    const names = new Set(output.split("\n").map((line) => line.split("=")[0]));
    for (const name of ["PATH", "HOME", "USER", "TMPDIR", "CI", "LANG"]) expect(names).toContain(name);
    expect(output).not.toMatch(/must not be seen|VITEST|TOKEN/);
  });

  inSandbox("finds the tools that tests need", async (run) => {
    const workspace = newWorkspace();
    writeFileSync(join(workspace, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
    writeFileSync(join(workspace, "sum.test.mjs"), "import test from 'node:test';\ntest('adds', () => {});\n");
    writeFileSync(join(workspace, "Makefile"), "hello:\n\t@echo from make\n");
    const { output, exitCode } = await run("npm test && node --version && make hello && git init -q inner && ls -d inner/.git", {
      workspace,
    });
    expect(output).toMatch(/# pass 1|pass 1/);
    expect(output).toContain(`${process.version}\nfrom make\ninner/.git\n`);
    expect(exitCode).toBe(0);
  });

  inSandbox("may listen and connect on its own loopback", async (run) => {
    const script =
      "const s=require('net').createServer(c=>c.end('hello')).listen(0,'127.0.0.1',()=>require('net').connect(s.address().port,'localhost').on('data',d=>console.log(String(d))).on('end',()=>s.close()))";
    expect((await run(`node -e "${script}"`)).output).toBe("hello\n");
  });

  inSandbox("reads the operator's tool chains and cannot change them", async (run) => {
    expect((await run("own-tool")).output).toBe("own tool\n");
    const { output } = await run(`echo x > '${chain}/bin/own-tool'; echo y > '${chain}/new'; touch /usr/x; own-tool`);
    expect(output).toMatch(/own tool\n$/);
    expect(readFileSync(join(chain, "bin", "own-tool"), "utf8")).toContain("own tool");
  });

  inSandbox("writes its workspace, its home and /tmp, and nothing of the last two stays", async (run) => {
    const workspace = newWorkspace();
    await run("echo w > in-workspace; echo t > /tmp/t; echo h > ~/h; echo s > /dev/shm/s", { workspace });
    expect(readFileSync(join(workspace, "in-workspace"), "utf8")).toBe("w\n");
    expect((await run("ls -A /tmp ~ /dev/shm; echo x > /etc/x; echo x > /x", { workspace })).output).not.toMatch(/^[ths]$/m);
  });

  inSandbox("is ended at its time, with everything it started, and keeps what it printed", async (run) => {
    const mark = `3${process.pid}.${backend.length}`;
    const result = await run(`echo begun; (setsid sleep ${mark} &); sleep ${mark}`, { timeoutMs: 1500 });
    expect(result).toMatchObject({ ended: "timed-out", exitCode: undefined, output: "begun\n" });
    await expect.poll(() => isRunning(`sleep ${mark}`)).toBe(false);
  });

  inSandbox("is ended by an abort", async (run) => {
    const stop = new AbortController();
    const running = run("echo begun; sleep 60", { signal: stop.signal });
    setTimeout(() => stop.abort(), 700);
    expect(await running).toMatchObject({ ended: "aborted", exitCode: undefined });
    await expect(run("true", { signal: stop.signal })).rejects.toThrow();
  });

  inSandbox("leaves no process behind when it ends by itself", async (run) => {
    const mark = `4${process.pid}.${backend.length}`;
    expect((await run(`(setsid nohup sleep ${mark} >/dev/null 2>&1 &); echo done`)).output).toBe("done\n");
    expect(isRunning(`sleep ${mark}`)).toBe(false);
  });

  inSandbox("tells of a signal as shells do", async (run) => {
    expect(await run("kill -9 $$")).toMatchObject({ ended: "exited", exitCode: 137 });
  });

  inSandbox("prints without end, and a head and a tail are kept", async (run) => {
    const { output, omittedBytes } = await run("echo first; yes '0123456789 ü' | head -c 39999988; echo; echo last");
    expect(output.startsWith("first\n0123")).toBe(true);
    expect(output.endsWith("\nlast\n")).toBe(true);
    expect(output).not.toContain("\ufffd");
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(LIMITS.output);
    expect(Buffer.byteLength(output) + omittedBytes).toBe(39_999_988 + "first\n".length + "\nlast\n".length);
  });

  inSandbox("answers bytes that are no text as text", async (run) => {
    const { output } = await run("printf 'a\\377\\376b\\000c'");
    expect(output).toBe("a\ufffd\ufffdb\u0000c");
  });

  inSandbox("is under every limit", async (run) => {
    const { output } = await run("cat /proc/self/limits");
    const limit = (name: string): string | undefined => new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, "m").exec(output)?.slice(1).join(" ");
    expect(limit("Max processes")).toBe("1024 1024");
    expect(limit("Max data size")).toBe(`${4 * 1024 ** 3} ${4 * 1024 ** 3}`);
    expect(limit("Max file size")).toBe(`${1024 ** 3} ${1024 ** 3}`);
    expect(limit("Max core file size")).toBe("0 0");
  });

  inSandbox("is ended when its processes write more to disk together than one may", async (run) => {
    const result = await run("for i in 1 2 3 4 5 6; do dd if=/dev/zero of=f$i bs=1M count=300 2>/dev/null; done; sleep 5; echo survived");
    expect(result).toMatchObject({
      ended: "signalled",
      exitCode: undefined,
      output: expect.stringMatching(/ended by the sandbox: more than 1024 MiB written/),
    });
  });

  inSandbox("runs beside others", async (run) => {
    const outputs = await Promise.all([1, 2, 3, 4].map(async (number) => (await run(`sleep 0.2; echo ${number}`)).output));
    expect(outputs).toEqual(["1\n", "2\n", "3\n", "4\n"]);
  });

  inSandbox("shares a check-out with the run: each can change what the other wrote", async (run) => {
    await using opened = await openTestWorkspace(temporary.path, {
      "a/b.txt": "1\n",
      "run.sh": { mode: "100755", bytes: "#!/bin/sh\necho ran > a/ran.txt\n" },
    });
    const { workspace } = opened;
    await workspace.write("new/file.txt", Buffer.from("by the run\n"));
    const { directory } = workspace;
    expect(
      (await run("./run.sh && echo more >> new/file.txt && echo 2 > a/b.txt && mkdir made && echo m > made/m", { workspace: directory }))
        .exitCode,
    ).toBe(0);
    await workspace.write("made/m", Buffer.from("by the run again\n"));
    await workspace.move("made/m", "moved");
    const { changes } = await workspace.changeSet();
    expect(changes.map(({ path }) => path)).toEqual(["a/b.txt", "a/ran.txt", "moved", "new/file.txt"]);
    const edited = await workspace.read("new/file.txt");
    expect(edited.status === "file" && Buffer.from(edited.bytes).toString()).toBe("by the run\nmore\n");
  });

  inSandbox("leaves no mount behind", async (run) => {
    const mounts = (): string => readFileSync("/proc/self/mountinfo", "utf8");
    const before = mounts();
    await run("true");
    await run("sleep 60", { timeoutMs: 300 });
    expect(mounts()).toBe(before);
  });

  inSandbox("that cannot be started is an error of its own, not an exit code", async (run) => {
    await expect(run("true", { workspace: join(temporary.path, "missing") })).rejects.toThrow();
  });

  inSandbox("ends with the process that asked for it, even one that is killed", async (_, sandbox) => {
    const mark = `5${process.pid}.${backend.length}`;
    const probe = join(import.meta.dirname, "../../../src/workspace/sandbox/probe.ts");
    const script = `import { probeSandbox } from ${JSON.stringify(probe)};
      const { sandbox } = await probeSandbox({ path: ${JSON.stringify(PATH)}, prefer: "${sandbox.backend}" });
      await sandbox.run({ command: "sleep ${mark}", workspace: ${JSON.stringify(newWorkspace())}, timeoutMs: 60000 });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    await expect.poll(() => isRunning(`sleep ${mark}`), { timeout: 15_000 }).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isRunning(`sleep ${mark}`), { timeout: 5000 }).toBe(false);
  });
});

function isRunning(commandLine: string): boolean {
  try {
    return execFileSync("pgrep", ["-x", "-f", commandLine]).length > 0;
  } catch {
    return false;
  }
}

describe("the probe", () => {
  test("does not believe a backend that lets things out, and names each", async () => {
    const layout = await planLayout({ node: process.execPath, toolchains: [] });
    const open: Sandbox = {
      backend: "bubblewrap",
      level: "strong",
      run: async ({ command, workspace }) => {
        await new Promise((resolve) => spawn("/bin/sh", ["-c", command], { cwd: workspace, stdio: "ignore" }).on("close", resolve));
        return { exitCode: 0, ended: "exited", output: "", omittedBytes: 0, durationMs: 0 };
      },
    };
    const escaped = (await tryEscapes(open, layout, temporary.path)).join("\n");
    for (const kind of ["environment", "reading", "writing", "tcp", "udp", "sockets", "privileges", "limits", "namespace", "seccomp"]) {
      expect.soft(escaped).toContain(kind);
    }
  });

  test("does not believe a backend in which nothing runs", async () => {
    const layout = await planLayout({ node: process.execPath, toolchains: [] });
    const dead: Sandbox = {
      backend: "util-linux",
      level: "partial",
      run: () => Promise.reject(new SandboxError("It did not start.", { code: "sandbox-failed" })),
    };
    const mute: Sandbox = {
      ...dead,
      run: () => Promise.resolve({ exitCode: 127, ended: "exited", output: "node: not found", omittedBytes: 0, durationMs: 1 }),
    };
    expect(await tryEscapes(dead, layout, temporary.path)).toEqual(["It did not start."]);
    expect(await tryEscapes(mute, layout, temporary.path)).toEqual([expect.stringContaining("node: not found")]);
  });

  test("says which backend holds, at which level", async ({ skip }) => {
    const { sandbox, reason } = await probeSandbox({ path: PATH });
    if (sandbox === undefined) return skip(reason);
    expect(reason).toContain(`${sandbox.backend} holds (level ${sandbox.level})`);
    expect(sandbox.level).toBe(sandbox.backend === "bubblewrap" ? "strong" : "partial");
    return undefined;
  });
});

describe("the layout", () => {
  test.each(["/", "/home", "/root", "/etc", "/proc", "relative/chain", "/no/such/folder", "/etc/passwd", "link-to-root"])(
    "refuses the tool chain %s",
    async (folder) => {
      const link = join(temporary.path, "link-to-root");
      if (folder === "link-to-root") symlinkSync("/root", link);
      const planning = planLayout({ node: process.execPath, toolchains: [folder === "link-to-root" ? link : folder] });
      await expect(planning).rejects.toMatchObject({ code: "bad-toolchain" });
    },
  );

  test("shows of /etc neither accounts nor keys of the host", async () => {
    const { mounts, files } = await planLayout({ node: process.execPath, toolchains: [] });
    const targets = mounts.map(({ target }) => target);
    for (const secret of ["/etc", "/etc/ssl", "/etc/ssl/private", "/etc/shadow", "/root", "/home", "/var", "/run"])
      expect(targets).not.toContain(secret);
    expect(files.map(({ path }) => path)).toContain("/etc/passwd");
  });

  test("brings the runtime with the programs that were installed beside it", async () => {
    const root = mkdtempSync(join(temporary.path, "runtime-"));
    mkdirSync(join(root, "bin"));
    mkdirSync(join(root, "lib", "node_modules", "npm"), { recursive: true });
    writeFileSync(join(root, "bin", "node"), "");
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "bin", "npm"));
    symlinkSync("/etc/shadow", join(root, "bin", "evil"));
    const { mounts, links, environment } = await planLayout({ node: join(root, "bin", "node"), toolchains: [] });
    expect(mounts.map(({ source }) => source)).toEqual(
      expect.arrayContaining([join(root, "bin", "node"), join(root, "lib", "node_modules")]),
    );
    expect(mounts.map(({ source }) => source)).not.toContain(root);
    expect(links.filter(({ path }) => path.startsWith("/opt/"))).toEqual([
      { path: "/opt/sallyport/node/bin/npm", target: "../lib/node_modules/npm/bin/npm-cli.js" },
    ]);
    expect(environment["PATH"]?.split(":")[0]).toBe("/opt/sallyport/node/bin");
  });
});
