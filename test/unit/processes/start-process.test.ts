import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { openLauncher } from "../../../src/processes/launcher.ts";
import { startHere, type ProcessCommand, type StartedProcess } from "../../../src/processes/start-process.ts";

const launcher = await openLauncher({ log: silent });
afterAll(() => launcher[Symbol.asyncDispose]());

const command = (program: string, ...args: string[]): ProcessCommand => ({
  program,
  args,
  cwd: "/",
  env: { PATH: "/usr/bin:/bin", WHO: "me" },
});
const shell = (script: string): ProcessCommand => command("sh", "-c", script);
const said = async (child: StartedProcess) => {
  const [out, complaint, end] = await Promise.all([text(child.stdout), text(child.stderr), child.ended]);
  return { out, complaint, ...end };
};

describe.each([
  ["from this process", startHere],
  ["by a launcher", launcher.start],
] as const)("a program started %s", (_, start) => {
  test("sees its arguments, its folder and the variables that were named, and nothing else", async () => {
    const child = start({ ...command("sh", "-c", 'pwd; echo "$@"; env | sort', "sh", "a b", "$x", ""), cwd: "/usr" });
    child.stdin.end();
    const { out, exitCode } = await said(child);
    expect(out.split("\n").filter((line) => !/^(_|OLDPWD|SHLVL)=/.test(line))).toEqual([
      "/usr",
      "a b $x ",
      "PATH=/usr/bin:/bin",
      "PWD=/usr",
      "WHO=me",
      "",
    ]);
    expect(exitCode).toBe(0);
  });

  test("is told apart by how it ends", async () => {
    expect(await said(start(shell("echo out; echo no >&2; exit 3")))).toEqual({
      out: "out\n",
      complaint: "no\n",
      exitCode: 3,
      signal: null,
    });
    expect(await said(start(shell("kill -TERM $$")))).toMatchObject({ exitCode: null, signal: "SIGTERM" });
  });

  test("that is not there ends without output, with what the machine says", async () => {
    const child = start(command("no-such-program"));
    expect(await text(child.stdout)).toBe("");
    await expect(child.ended).rejects.toMatchObject({ code: "ENOENT" });
    await expect(start({ ...command("true"), cwd: "/no/such/folder" }).ended).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("gets every byte and gives every byte back, however many they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(1, 997, 40_000), async (piece, times) => {
        const bytes = Buffer.alloc(piece.length * times, piece.length === 0 ? 0 : Buffer.from(piece));
        const child = start(command("cat"));
        child.stdin.end(bytes);
        expect((await buffer(child.stdout)).equals(bytes)).toBe(true);
        expect(await child.ended).toEqual({ exitCode: 0, signal: null });
      }),
      { numRuns: 15 },
    );
  });

  test("that does not read its input is no fault", async () => {
    const child = start(command("true"));
    child.stdin.end(Buffer.alloc(3_000_000));
    expect(await said(child)).toMatchObject({ exitCode: 0 });
  });

  test("is killed with what it has started", async () => {
    const child = start(shell("sleep 600 & echo; wait"));
    await once(child.stdout, "data");
    child.kill();
    // The sleeper holds its standard output: were it not killed, this would wait for it.
    expect(await said(child)).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  test("is killed also before it runs, and is not harmed by a kill after its end", async () => {
    const child = start(command("sleep", "600"));
    child.kill();
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    child.kill();
  });

  test("has streams of its own, among many that run at once", async () => {
    const all = Array.from({ length: 60 }, (__, index) => {
      const child = start(shell(`read line; echo "$line ${index}"; echo e${index} >&2; exit ${index}`));
      child.stdin.end(`line ${index}\n`);
      return said(child);
    });
    expect(await Promise.all(all)).toEqual(
      all.map((__, index) => ({ out: `line ${index} ${index}\n`, complaint: `e${index}\n`, exitCode: index, signal: null })),
    );
  });

  test("has ended when its output is closed, whoever holds that", async () => {
    const child = start(shell("(sleep 0.3; echo late) & exit 0"));
    expect(await said(child)).toMatchObject({ out: "late\n", exitCode: 0 });
  });
});

test("a launcher's door is closed to whoever does not know a program's key", async () => {
  const mine = readdirSync(tmpdir()).filter((name) => name.startsWith("sallyport-launcher-"));
  await using other = await openLauncher({ log: silent });
  const folder = readdirSync(tmpdir()).find((name) => name.startsWith("sallyport-launcher-") && !mine.includes(name));
  const child = other.start(command("cat"));
  const stranger = connect({ path: join(tmpdir(), folder ?? "", "socket") });
  stranger.end(`${"0".repeat(32)}1${"stolen\n".repeat(9)}`);
  expect(await text(stranger)).toBe("");
  child.stdin.end("mine\n");
  expect(await said(child)).toMatchObject({ out: "mine\n", exitCode: 0 });
});

test("when a launcher is killed, nobody can tell how its programs end, and the next ones are started without it", async () => {
  await using other = await openLauncher({ log: silent });
  const where = other.start(shell("echo $PPID; exec cat"));
  const [pid] = (await once(where.stdout, "data")) as [Buffer];
  process.kill(Number(pid.toString()), "SIGKILL");
  await expect(where.ended).rejects.toThrow("the process that starts programs has ended");
  expect(await said(other.start(shell("echo on; echo $PPID")))).toMatchObject({ out: `on\n${process.pid}\n` });
});

test("a launcher that is disposed takes what it has started with it", async () => {
  const other = await openLauncher({ log: silent });
  const child = other.start(shell("echo; sleep 600 & wait"));
  await once(child.stdout, "data");
  await other[Symbol.asyncDispose]();
  // The sleeper holds this open: were it alive, there would be no end.
  expect(await text(child.stdout)).toBe("");
});

test("where no launcher can be had, programs are started from this process", async () => {
  const warned: string[] = [];
  const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
  await using other = await openLauncher({ log, entry: new URL("file:///no/such/launcher.ts") });
  expect(await said(other.start(shell("echo $PPID")))).toMatchObject({ out: `${process.pid}\n` });
  expect(warned).toEqual(["programs are started from this process, which takes longer"]);
});

test("a launcher ends with the process that it works for, and does not keep it alive; its folder goes with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "launched-"));
  const script = `
    const { openLauncher } = await import(${JSON.stringify(new URL("../../../src/processes/launcher.ts", import.meta.url).href)});
    const launcher = await openLauncher({ log: console });
    const child = launcher.start({ program: "sh", args: ["-c", "echo $PPID"], cwd: "/", env: { PATH: "/usr/bin:/bin" } });
    child.stdout.pipe(process.stdout);
    await child.ended;`;
  const parent = startHere({ program: process.execPath, args: ["--input-type=module", "-e", script], cwd: "/", env: { TMPDIR: folder } });
  const { out, complaint, exitCode } = await said(parent);
  expect(complaint).toBe("");
  expect(exitCode).toBe(0);
  await expect.poll(() => isAlive(Number(out))).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
