import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installNote, installSentence } from "../../../../src/runs/install-note.ts";
import { installDependencies } from "../../../../src/runs/install.ts";
import type { Journal } from "../../../../src/core/journal.ts";
import { silent } from "../../../../src/core/log.ts";
import { memoryJournal } from "../../../../src/core/memory-journal.ts";
import { probeSandbox } from "../../../../src/workspace/sandbox/probe.ts";
import { openProxy } from "../../../../src/workspace/sandbox/proxy.ts";
import type { Sandbox } from "../../../../src/workspace/sandbox/sandbox.ts";
import { openTestWorkspace } from "../opened.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";
const base = mkdtempSync(join(tmpdir(), "wo-"));
const found: Partial<Record<Sandbox["backend"], Sandbox>> = {};
let far: Server;
beforeAll(async () => {
  for (const prefer of ["bubblewrap", "util-linux"] as const) {
    const { sandbox } = await probeSandbox({ path: PATH, prefer });
    if (sandbox !== undefined) found[sandbox.backend] = sandbox;
  }
  far = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\na package"));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  far.close();
  rmSync(base, { recursive: true, force: true });
});

const proxy = (hosts: readonly string[]) =>
  openProxy({
    hosts,
    folder: base,
    resolve: () => Promise.resolve(["93.184.216.34"]),
    dial: () => connect((far.address() as AddressInfo).port, "127.0.0.1"),
  });
/** As package managers do: the proxy's host and port from the environment, CONNECT, then a request. */
const FETCH = `const {hostname,port}=new URL(process.env.https_proxy);const [host]=process.argv.slice(1);
require("net").connect(port,hostname).on("connect",function(){this.write("CONNECT "+host+":80 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")})
.once("data",function(){this.write("GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")}).on("data",d=>process.stdout.write(String(d)+"\\n"))`;
const fetching = (host: string): string => `node -e '${FETCH}' ${host}`;

describe.each(["bubblewrap", "util-linux"] as const)("a command in %s with a way out", (backend) => {
  const inSandbox = (name: string, body: (sandbox: Sandbox) => Promise<void>): void => {
    test(name, ({ skip }) => {
      const sandbox = found[backend];
      return sandbox === undefined ? skip(`${backend} does not hold on this machine or is not installed`) : body(sandbox);
    });
  };

  inSandbox("reaches listed hosts by the variables that programs know, and no other", async (sandbox) => {
    await using out = await proxy(["registry.example.org"]);
    const command = `${fetching("registry.example.org")}; ${fetching("evil.example.org")}; exit 7`;
    const result = await sandbox.run({ command, workspace: mkdtempSync(join(base, "ws-")), timeoutMs: 20_000, proxy: out.socket });
    expect(result.output).toContain("a package");
    expect(result.output).toContain("403 Forbidden");
    expect(result.exitCode).toBe(7);
    expect(out.visits.map(({ host, refused }) => [host, refused === undefined])).toEqual([
      ["registry.example.org", true],
      ["evil.example.org", false],
    ]);
  });

  inSandbox("has none in the next call", async (sandbox) => {
    const workspace = mkdtempSync(join(base, "ws-"));
    await using out = await proxy(["registry.example.org"]);
    await sandbox.run({ command: "true", workspace, timeoutMs: 20_000, proxy: out.socket });
    const { output } = await sandbox.run({ command: "env | grep -i proxy; ls /run/sallyport; echo end", workspace, timeoutMs: 20_000 });
    expect(output).toMatch(/^(ls: .*\n)?end\n$/);
  });

  inSandbox("gets no descriptor that the server was itself started with", async (sandbox) => {
    const workspace = mkdtempSync(join(base, "ws-"));
    const secret = join(base, `secret-${backend}`);
    writeFileSync(secret, "must not be seen");
    const probe = join(import.meta.dirname, "../../../../src/workspace/sandbox/probe.ts");
    const script = `import { probeSandbox } from ${JSON.stringify(probe)};
      const { sandbox } = await probeSandbox({ path: ${JSON.stringify(PATH)}, prefer: "${sandbox.backend}" });
      const { output } = await sandbox.run({ command: "cat /dev/fd/7 /dev/fd/30; echo end", workspace: ${JSON.stringify(workspace)}, timeoutMs: 20000 });
      process.stdout.write(output);`;
    const held = openSync(secret, "r");
    const ignored = Array.from({ length: 31 }, (_, index) => (index === 1 ? "pipe" : index === 7 || index === 30 ? held : "ignore"));
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ignored as "pipe"[] });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
    await new Promise((resolve) => child.once("close", resolve));
    closeSync(held);
    expect(output).toContain("end\n");
    expect(output).not.toContain("must not be seen");
  });
});

describe("an installation before a run's work", () => {
  const contextOf = (journal: Journal = memoryJournal()) => ({ log: silent, signal: new AbortController().signal, journal });
  const mask = (text: string): string => text.replaceAll("s3cret", "***");
  const files = { "package.json": "{}", "package-lock.json": "{}", ".gitignore": "node_modules\n", "a.txt": "base\n" };
  const fake = (commands: string[], exitCode = 0): Sandbox => ({
    backend: "bubblewrap",
    level: "strong",
    run({ command, workspace }) {
      commands.push(command);
      mkdirSync(join(workspace, "node_modules"), { recursive: true });
      writeFileSync(join(workspace, "node_modules", "left.js"), "left");
      writeFileSync(join(workspace, "stray.txt"), "stray");
      return Promise.resolve({ exitCode, ended: "exited", output: "", omittedBytes: 0, durationMs: 1 });
    },
  });

  test("keeps what git ignores, puts everything else back, and leaves no socket", async () => {
    await using opened = await openTestWorkspace(base, files);
    const { workspace } = opened;
    await workspace.write("a.txt", Buffer.from("edited\n"));
    const commands: string[] = [];
    const folder = mkdtempSync(join(base, "px-"));
    const wish = { hosts: ["registry.example.org"] };
    await installDependencies(contextOf(), { wish, sandbox: fake(commands), workspace, tests: undefined, folder, mask });
    expect(commands).toEqual(["npm ci"]);
    const { changes } = await workspace.changeSet();
    expect(changes.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(readdirSync(join(workspace.directory, "node_modules"))).toEqual(["left.js"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["the operator's command", { command: "make deps" }, "npm ci --offline", "make deps", "npm ci --offline"],
    ["the repository's setup, which is not run again", {}, "npm ci --ignore-scripts", "npm ci --ignore-scripts", undefined],
    ["what the lockfile asks for", {}, undefined, "npm ci", undefined],
  ])("runs %s", async (_, wish, setup, command, left) => {
    await using opened = await openTestWorkspace(base, files);
    const commands: string[] = [];
    const tests = { commandsFor: () => ["npm test"], ...(setup === undefined ? {} : { setup }) };
    const options = { wish: { hosts: [], ...wish }, sandbox: fake(commands), workspace: opened.workspace, tests, folder: base, mask };
    expect((await installDependencies(contextOf(), options))?.setup).toBe(left);
    expect(commands).toEqual([command]);
  });

  test("that fails leaves the plan as it was, and is told to the model and to people", async () => {
    await using opened = await openTestWorkspace(base, files);
    const tests = { commandsFor: () => ["npm test"], setup: "npm ci" };
    const failing: Sandbox = {
      ...fake([], 1),
      run: async (command) => ({ ...(await fake([], 1).run(command)), output: "npm error 404 with s3cret\n" }),
    };
    const options = { wish: { hosts: [] }, sandbox: failing, workspace: opened.workspace, tests, folder: base, mask };
    const journal = memoryJournal();
    expect(await installDependencies(contextOf(journal), options)).toBe(tests);
    expect(journal.entries).toEqual([{ kind: "note", turn: 0, text: expect.stringContaining("npm error 404 with ***") }]);
    expect(installSentence(journal)).toBe("Dependencies: `npm ci` failed with exit code 1.");
    // The next attempt at the run installs again, and has told already that it cannot.
    await installDependencies(contextOf(journal), options);
    expect(journal.entries).toHaveLength(1);
    await installDependencies(contextOf(journal), { ...options, sandbox: fake([]) });
    expect(journal.entries.at(-1)).toMatchObject({ text: "[install] `npm ci` succeeded when it was run again." });
    expect(installSentence(journal)).toBeUndefined();
  });

  test("that cannot be begun is told too, without a word about this machine", async () => {
    await using opened = await openTestWorkspace(base, files);
    const options = { wish: { hosts: [] }, sandbox: fake([]), workspace: opened.workspace, tests: undefined, folder: base, mask };
    const journal = memoryJournal();
    const open = (): Promise<never> => Promise.reject(new Error(`${base}/proxy.sock: EACCES`));
    await installDependencies(contextOf(journal), { ...options, open });
    expect(installSentence(journal)).toBe("Dependencies: `npm ci` could not be run.");
    expect(JSON.stringify(journal.entries)).not.toContain(base);
  });

  test("that was called off is no failure", async () => {
    await using opened = await openTestWorkspace(base, files);
    const journal = memoryJournal();
    const stopping = new AbortController();
    const stopped: Sandbox = {
      ...fake([]),
      run(command) {
        stopping.abort(new Error("the server stops"));
        return fake([], 137).run(command);
      },
    };
    const options = { wish: { hosts: [] }, sandbox: stopped, workspace: opened.workspace, tests: undefined, folder: base, mask };
    const context = { log: silent, journal, signal: stopping.signal };
    await expect(installDependencies(context, options)).rejects.toThrow("the server stops");
    expect(journal.entries).toEqual([]);
  });

  test("names hosts that were refused, and no reader takes what a host is called for more than a name", () => {
    const text = installNote({ command: "npm ci", said: "was ended", refused: ["evil.test:443 (not`listed)\n@everyone"], output: "" });
    expect(text.split("\n")[0]).toBe("[install] `npm ci` was ended. Not reached: ``evil.test:443 (not`listed) @everyone``.");
  });

  test.each([
    ["nobody asks for it", undefined, fake([])],
    ["there is no sandbox", { hosts: [] }, undefined],
    ["the sandbox has no way out", { hosts: [] }, { ...fake([]), backend: "external" as const }],
  ])("is left out where %s", async (_, wish, sandbox) => {
    await using opened = await openTestWorkspace(base, files);
    const options = { wish, sandbox, workspace: opened.workspace, tests: undefined, folder: base, mask };
    await installDependencies(contextOf(), options);
    expect(readdirSync(opened.workspace.directory)).not.toContain("node_modules");
  });
});
