import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { appendFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../src/workspace/find-program.ts";
import { WORKSPACE } from "../../src/workspace/sandbox/layout.ts";
import { probeSandbox } from "../../src/workspace/sandbox/probe.ts";
import type { Sandbox, SandboxResult } from "../../src/workspace/sandbox/sandbox.ts";

/**
 * Attempts to leave the sandbox, one a line: a command that a model could run, what the host prepares first, and a shell check on the
 * host that holds only when nothing got out. The variables are filled in by {@link openWorld}.
 */
interface Escape {
  readonly id: string;
  readonly command: string;
  readonly setup: string;
  readonly expect: string;
}
const escapes: readonly Escape[] = ["escapes.jsonl", "escapes-own.jsonl"].flatMap((file) =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Escape),
);
/** They take long, or much of the machine's memory and disk: tried against the best backend alone, since what counts there is the same for all. */
const HEAVY = /fill|exhaust|flood|sparse|decompressed|memory-bomb|fork-bomb-(?:nothing|orphans|raises)/;

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";
const TIMEOUT_MS = 8000;
/** Starting hundreds of processes up to a limit takes a busy machine long. */
const LIMIT_TIMEOUT_MS = 60_000;
/** Contained by the seccomp filter alone, so not where there is none. */
const NEEDS_FILTER = new Set([
  "net-af-alg-socket",
  "io-uring-setup",
  "io-uring-open",
  "userfaultfd-syscall",
  "time-namespace",
  "vsock-host",
  "session-keyring-search",
  "new-mount-api",
  "perf-and-bpf",
  "clone-new-user",
  "clone3-new-user",
]);
/** Harmless enough to be run without a sandbox: there they get out, which shows that the checks can fail. */
const CONTROLS = [
  "write-outside-abs",
  "write-outside-dotdot",
  "write-host-tmp",
  "symlink-out-read",
  "hardlink-out",
  "net-tcp-loopback-host",
  "net-udp-loopback-host",
  "daemon-survives",
  "dev-shm-shared",
  "gh-actions-command-files",
  "abstract-unix-socket",
  "proc-all-environ",
  "proc-net-of-host",
  "memfd-exec-keeps-confinement",
];

interface World {
  readonly variables: Readonly<Record<string, string>>;
  readonly workspace: string;
  close(): void;
}

/** A workspace, and around it everything that an escape could reach: files, a process, listeners, a home, an open file. */
async function openWorld(): Promise<World> {
  const base = mkdtempSync(join(tmpdir(), "escape-"));
  const [outer, workspace, home] = ["outer", "ws", "home"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [outer, workspace, home]) mkdirSync(folder, { mode: 0o755 });
  const canary = `canary-${randomUUID()}`;
  process.env["ESCAPE_CANARY"] = canary;
  const log = join(outer, "net.log");
  writeFileSync(log, "");
  writeFileSync(join(outer, "open.txt"), canary);
  openSync(join(outer, "open.txt"), "r");
  const victim = spawn("sleep", ["600"], { env: { SECRET: canary }, stdio: "ignore" });
  const tcp = createServer((socket) => socket.on("data", (bytes) => appendFileSync(log, bytes)).on("error", () => undefined));
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const abstract = createServer((socket) => socket.on("data", (bytes) => appendFileSync(log, bytes)).on("error", () => undefined));
  await new Promise<void>((resolve) => abstract.listen(`\0escape-${canary}`, resolve));
  const udp = createSocket("udp4", (bytes) => appendFileSync(log, bytes));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    workspace,
    variables: {
      OUTER: outer,
      WS: workspace,
      HOMEDIR: home,
      CANARY: canary,
      VICTIM: String(victim.pid),
      TCP: String((tcp.address() as AddressInfo).port),
      UDP: String(udp.address().port),
      OUT: join(outer, "output"),
    },
    close() {
      closeAll(victim);
      tcp.close();
      abstract.close();
      udp.close();
      rmSync(base, { recursive: true, force: true });
      rmSync(`/tmp/esc-pwn-${canary}`, { force: true });
    },
  };
}

function closeAll(victim: ChildProcess): void {
  victim.kill("SIGKILL");
  try {
    execFileSync("sh", ["-c", "ipcrm -M 0xbeef"], { stdio: "ignore" });
  } catch {
    // Only one of the cases makes a segment.
  }
}

type Runner = (command: string, workspace: string) => Promise<Pick<SandboxResult, "output" | "durationMs" | "ended">>;

/** Whether the check holds on the host after the command has run. */
async function isContained(
  { command, setup, expect: check }: Escape,
  run: Runner,
  inside: string,
): Promise<{ readonly held: boolean; readonly output: string }> {
  const world = await openWorld();
  try {
    const shell = (script: string, more: Readonly<Record<string, string>> = {}): boolean => {
      try {
        execFileSync("sh", ["-c", script], { cwd: world.workspace, env: { PATH, ...world.variables, ...more }, stdio: "ignore" });
        return true;
      } catch {
        return false;
      }
    };
    if (setup !== "" && !setup.startsWith("#")) shell(setup);
    const names = Object.entries({ ...world.variables, WS_IN: inside === "" ? world.workspace : inside });
    // The longest name first: WS is the beginning of WS_IN.
    const aimed = names
      .sort((a, b) => b[0].length - a[0].length)
      .reduce((text, [name, value]) => text.replaceAll(`$${name}`, value), command);
    const { output, durationMs, ended } = await run(aimed, world.workspace);
    writeFileSync(world.variables["OUT"] ?? "", output);
    // Listeners write when this process has its turn.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { held: shell(check, { MS: String(durationMs), ENDED: ended }), output };
  } finally {
    world.close();
  }
}

/** Programs without which an attempt would fail for the wrong reason. */
async function lacking({ id, command, setup }: Escape): Promise<string[]> {
  const words = ["python3", "strace", "ipcs", "ipcrm", "unshare", "setsid", "fallocate", "getent"].filter((word) =>
    new RegExp(`\\b${word}\\b`).test(command + setup),
  );
  const found = await Promise.all(
    words.map(async (word) => ((await findProgram(word, "/usr/bin:/bin:/usr/sbin:/sbin")) === undefined ? [word] : [])),
  );
  return [...found.flat(), ...(id === "keyring-read" && process.arch !== "x64" ? ["an x86-64 processor"] : [])];
}

const found: Partial<Record<Sandbox["backend"], Sandbox>> = {};
const reasons: string[] = [];
beforeAll(async () => {
  for (const prefer of ["bubblewrap", "util-linux"] as const) {
    const { sandbox, reason } = await probeSandbox({ path: PATH, prefer });
    if (sandbox !== undefined) found[sandbox.backend] = sandbox;
    reasons.push(reason);
  }
});
const best = (): Sandbox["backend"] | undefined => found.bubblewrap?.backend ?? found["util-linux"]?.backend;
afterAll(() => delete process.env["ESCAPE_CANARY"]);

test("a Linux machine with user namespaces has a sandbox", () => {
  expect(Object.keys(found), reasons.join("\n")).not.toEqual([]);
});

describe.each(["bubblewrap", "util-linux"] as const)("%s contains", (backend) => {
  afterAll(() => {
    const heavy = escapes.filter(({ id }) => HEAVY.test(id)).map(({ id }) => id);
    if (found[backend] === undefined || backend === best()) return;
    process.stdout.write(`not tried on ${backend}: ${heavy.join(", ")} (heavy; tried on ${best()}, where the same limits hold)\n`);
  });

  test.for(escapes)("$id", { timeout: 2 * LIMIT_TIMEOUT_MS }, async (escape, { skip }) => {
    const sandbox = found[backend];
    if (sandbox !== undefined && HEAVY.test(escape.id) && backend !== best()) return skip("heavy");
    const missing = sandbox === undefined ? [backend] : await lacking(escape);
    if (sandbox?.level === "partial" && NEEDS_FILTER.has(escape.id)) missing.push("a seccomp filter");
    if (sandbox === undefined || missing.length > 0) return skip(needs(`${backend} ${escape.id}`, missing));
    const timeoutMs = escape.id.includes("timeout") ? 2000 : escape.id.startsWith("fork-bomb-") ? LIMIT_TIMEOUT_MS : TIMEOUT_MS;
    const run: Runner = (command, workspace) => sandbox.run({ command, workspace, timeoutMs });
    const { held, output } = await isContained(escape, run, WORKSPACE);
    expect(held, output.slice(0, 2000)).toBe(true);
    return undefined;
  });
});

describe("without a sandbox the same attempts get out", () => {
  test.for(escapes.filter(({ id }) => CONTROLS.includes(id)))("$id", async (escape, { skip }) => {
    const missing = await lacking(escape);
    if (missing.length > 0) return skip(needs(`control ${escape.id}`, missing));
    const run: Runner = async (command, workspace) => {
      try {
        const output = execFileAsText(command, workspace);
        return await Promise.resolve({ output, durationMs: 0, ended: "exited" });
      } catch (error) {
        return { output: String(error), durationMs: 0, ended: "exited" };
      }
    };
    expect((await isContained(escape, run, "")).held).toBe(false);
    return undefined;
  });
});

function execFileAsText(command: string, workspace: string): string {
  return execFileSync("sh", ["-c", `${command} 2>&1`], { cwd: workspace, encoding: "utf8", timeout: TIMEOUT_MS });
}

/** Said where people look, since a row that proves nothing must not pass for one that does. */
function needs(name: string, missing: readonly string[]): string {
  const note = `not tried: ${name} needs ${missing.join(", ")}`;
  process.stdout.write(`${note}\n`);
  return note;
}
