import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openQuarters, removeWorkspacesOf } from "../../../src/workspace/quarters.ts";
import { temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
let count = 0;
const freshFolder = (): string => join(temporary.path, `all ${(count += 1)}`);
const MODULE = new URL("../../../src/workspace/quarters.ts", import.meta.url);

/** Another process with quarters of its own, and a workspace in them. */
async function startNeighbour(folder: string): Promise<{ readonly directory: string; kill(): Promise<void> }> {
  const script = `import { openQuarters } from ${JSON.stringify(MODULE.href)};
import { mkdirSync } from "node:fs";
const { directory } = await openQuarters(process.argv[1]);
mkdirSync(directory + "/run.1");
process.stdout.write(directory + "\\n");
setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout.setEncoding("utf8");
  const directory = await new Promise<string>((resolve) => child.stdout.once("data", (text: string) => resolve(text.trim())));
  return {
    directory,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("the quarters of a process", () => {
  test("are its own, and are gone with it", async () => {
    const folder = freshFolder();
    const one = await openQuarters(folder);
    const two = await openQuarters(folder);
    expect(one.directory).not.toBe(two.directory);
    writeFileSync(join(one.directory, "f"), "");
    await one[Symbol.asyncDispose]();
    expect([existsSync(one.directory), existsSync(two.directory)]).toEqual([false, true]);
    await two[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("are left alone while another process lives in them, and swept once it was killed", async () => {
    const folder = freshFolder();
    const neighbour = await startNeighbour(folder);
    try {
      await using first = await openQuarters(folder);
      expect(first.swept).toEqual([]);
      expect(existsSync(join(neighbour.directory, "run.1"))).toBe(true);
    } finally {
      await neighbour.kill();
    }
    expect(existsSync(neighbour.directory)).toBe(true);
    await using second = await openQuarters(folder);
    expect(second.swept).toHaveLength(1);
    expect(existsSync(neighbour.directory)).toBe(false);
  });

  test("that were never finished are swept when they are old, as is whatever else stands there", async () => {
    const folder = freshFolder();
    for (const name of ["new-young", "new-old", "run.1", "run.1.tick"]) mkdirSync(join(folder, name), { recursive: true });
    const before = new Date(Date.now() - 2 * 60 * 60_000);
    utimesSync(join(folder, "new-old"), before, before);
    await using quarters = await openQuarters(folder);
    expect([...quarters.swept].sort()).toEqual(["new-old", "run.1", "run.1.tick"]);
    expect(existsSync(join(folder, "new-young"))).toBe(true);
  });

  test("work where the folder's path is longer than a socket's may be", async () => {
    const folder = join(freshFolder(), "a".repeat(120), "b".repeat(120));
    await using one = await openQuarters(folder);
    await using two = await openQuarters(folder);
    expect(two.swept).toEqual([]);
    expect(existsSync(one.directory)).toBe(true);
  });

  test("lose the workspaces of runs that are to be forgotten, and no other's", async () => {
    const folder = freshFolder();
    await using one = await openQuarters(folder);
    await using two = await openQuarters(folder);
    for (const name of ["a.1", "b.1"]) mkdirSync(join(one.directory, name));
    for (const name of ["a.2", "ab.1"]) mkdirSync(join(two.directory, name));
    await removeWorkspacesOf(folder, new Set(["a"]));
    expect([readdirSync(one.directory), readdirSync(two.directory)]).toEqual([
      ["alive", "b.1"],
      ["ab.1", "alive"],
    ]);
  });
});
