import { execFileSync } from "node:child_process";
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileRead, Workspace } from "../../../src/workspace/workspace.ts";
import { readWorkspaceFile } from "../../../src/workspace/files.ts";
import { temporaryFolder } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";
import type { Opened } from "./opened.ts";

const temporary = temporaryFolder();
const CANARY = "outside and secret";
const BASE = {
  ".gitignore": "ignored/\n*.log\n",
  "a.txt": "alpha\n",
  "src/sum.js": "sum\n",
  "src/summary.md": "s\n",
  "lib/index.ts": "i\n",
  "run.sh": { mode: "100755", bytes: "#!/bin/sh\n" } as const,
  "link-in": { mode: "120000", bytes: "a.txt" } as const,
  "link-folder": { mode: "120000", bytes: "src" } as const,
  [Buffer.from("ordner/grüße.txt", "utf8").toString("latin1")]: "hallo\n",
};
let opened: Opened;
let workspace: Workspace;
let at: (path: string) => string;
beforeAll(async () => {
  opened = await openTestWorkspace(temporary.path, BASE);
  workspace = opened.workspace;
  at = (path) => join(workspace.directory, path);
  writeFileSync(join(workspace.directory, "..", "secret.txt"), CANARY);
  mkdirSync(join(workspace.directory, "..", "outside"));
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  temporary.remove();
});

const text = (read: FileRead): string => (read.status === "file" ? Buffer.from(read.bytes).toString("utf8") : read.status);

describe("reading", () => {
  test("gives the bytes, the path on disk and the executable bit", async () => {
    expect(await workspace.read("run.sh")).toEqual({ status: "file", path: "run.sh", bytes: Buffer.from("#!/bin/sh\n"), executable: true });
    expect(await workspace.read("src")).toEqual({ status: "folder" });
  });

  test("finds a name in another Unicode form, and says how it is spelled", async () => {
    const read = await workspace.read("ordner/grüße.txt".normalize("NFD"));
    expect(read).toMatchObject({ status: "file", path: "ordner/grüße.txt" });
  });

  test.each([
    ["src/sum.ts", ["src/sum.js"]],
    ["sum.js", ["src/sum.js"]],
    ["SRC/SUM.JS", ["src/sum.js"]],
    ["lib/indx.ts", ["lib/index.ts"]],
    ["nothing-like-it/zzzz", []],
  ])("of %s, which is missing, suggests what is near", async (path, near) => {
    const read = await workspace.read(path);
    expect(read.status === "missing" && read.near.slice(0, near.length || 1)).toEqual(near);
  });

  test.each([
    ["../secret.txt", /dot segment/],
    ["/etc/passwd", /absolute/],
    [".git/config", /git's own/],
    ["link-in", /link to "a.txt"/],
    ["link-folder/sum.js", /link/],
    ["a.txt/inside", /not a folder/],
    ["", /empty/],
  ])("of %j is refused", async (path, why) => {
    const read = await workspace.read(path);
    expect(read).toMatchObject({ status: "refused", why: expect.stringMatching(why) });
  });

  test("of links out of the workspace, and through them, never shows what is there", async () => {
    symlinkSync("../secret.txt", at("out"));
    symlinkSync("..", at("up"));
    for (const path of ["out", "up/secret.txt"]) expect(await workspace.read(path)).toMatchObject({ status: "refused" });
    rmSync(at("out"));
    rmSync(at("up"));
  });

  test("of a pipe is refused without waiting for its writer", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(await workspace.read("pipe")).toMatchObject({ status: "refused", why: expect.stringMatching(/special/) });
    await expect(workspace.write("pipe", Buffer.from("x"))).rejects.toThrow(/special/);
    rmSync(at("pipe"));
  });

  test("and writing while a folder is swapped for a link out again and again leaks nothing and lands nowhere else", async () => {
    mkdirSync(at("swap"));
    writeFileSync(at("swap/secret.txt"), "inside");
    symlinkSync("..", at("swap-link"));
    const script = `cd '${workspace.directory}'; i=0; while [ $i -lt 400 ]; do mv swap swap-real; mv swap-link swap; mv swap swap-link; mv swap-real swap; i=$((i+1)); done`;
    const swapping = execFileAsync("sh", ["-c", script]);
    let rounds = 0;
    let inside = 0;
    while (!swapping.done()) {
      const seen = attempt(() => text(readWorkspaceFile(workspace.directory, "swap/secret.txt", () => [])));
      expect(seen).not.toContain(CANARY);
      if (seen === "inside") inside += 1;
      await workspace.write("swap/written.txt", Buffer.from("w")).catch(() => undefined);
      rounds += 1;
      if (rounds % 50 === 0) await new Promise(setImmediate);
    }
    await swapping.ended;
    expect(inside).toBeGreaterThan(0);
    expect(existsSync(join(workspace.directory, "..", "written.txt"))).toBe(false);
    for (const name of ["swap", "swap-link"]) rmSync(at(name), { recursive: true, force: true });
  });
});

describe("writing", () => {
  test("makes folders, keeps an existing file's mode, and cuts what was longer", async () => {
    await workspace.write("new/folder/file.txt", Buffer.from("one"));
    expect(readFileSync(at("new/folder/file.txt"), "utf8")).toBe("one");
    await workspace.write("run.sh", Buffer.from("#"));
    expect(readFileSync(at("run.sh"), "utf8")).toBe("#");
    expect(lstatSync(at("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("in another Unicode form goes to the file that is there", async () => {
    await workspace.write("ordner/grüße.txt".normalize("NFD"), Buffer.from("neu"));
    expect(readdirSync(at("ordner"))).toEqual(["grüße.txt"]);
    expect(readFileSync(at("ordner/grüße.txt"), "utf8")).toBe("neu");
  });

  test.each([
    ["../escaped", /dot segment/],
    [".git/hooks/pre-commit", /git's own/],
    ["link-in", /link/],
    ["link-folder/x", /link/],
    ["src", /folder/],
    ["a.txt/x", /not a folder/],
    ["x\u0000y", /control/],
  ])("to %j is refused and changes nothing", async (path, why) => {
    const before = await workspace.changeSet();
    await expect(workspace.write(path, Buffer.from("bad"))).rejects.toThrow(why);
    expect(await workspace.changeSet()).toEqual(before);
  });

  test("to a file with a second name is refused", async () => {
    writeFileSync(at("first.log"), "1");
    linkSync(at("first.log"), at("second.log"));
    await expect(workspace.write("second.log", Buffer.from("2"))).rejects.toMatchObject({ code: "hard-link" });
    expect(readFileSync(at("first.log"), "utf8")).toBe("1");
  });

  test("never names a host path in its error", async () => {
    const error = await workspace.write(`${"x".repeat(250)}/${"y".repeat(250)}/a.txt/z`.replace("x", "a.txt/"), Buffer.of()).catch(String);
    expect(error).not.toContain(workspace.directory);
  });
});

describe("removing and moving", () => {
  test("a removal takes the folders that it leaves empty", async () => {
    await workspace.write("r/s/t.txt", Buffer.from("1"));
    await workspace.remove("r/s/t.txt");
    expect(existsSync(at("r"))).toBe(false);
    await workspace.remove("link-in");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("alpha\n");
    symlinkSync("a.txt", at("link-in"));
  });

  test.each([["missing.txt"], ["src"], ["link-folder/sum.js"], ["../secret.txt"], [".git"]])("of %s is refused", async (path) => {
    await expect(workspace.remove(path)).rejects.toThrow();
    await expect(workspace.move(path, "elsewhere")).rejects.toThrow();
    expect(existsSync(at("src/sum.js"))).toBe(true);
    expect(existsSync(at("elsewhere"))).toBe(false);
  });

  test("a move makes folders, keeps the mode, and never overwrites", async () => {
    await workspace.write("m.sh", Buffer.from("m"));
    execFileSync("chmod", ["755", at("m.sh")]);
    await workspace.move("m.sh", "moved/to/m.sh");
    expect(lstatSync(at("moved/to/m.sh")).mode & 0o777).toBe(0o755);
    expect(existsSync(at("m.sh"))).toBe(false);
    await expect(workspace.move("moved/to/m.sh", "a.txt")).rejects.toMatchObject({ code: "exists" });
    await expect(workspace.move("moved/to/m.sh", "link-folder/m.sh")).rejects.toThrow(/link/);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("alpha\n");
    await workspace.move("moved/to/m.sh", "m.sh");
    expect(existsSync(at("moved"))).toBe(false);
  });
});

describe("listing", () => {
  test("shows files, folders and links in order, and leaves out what is ignored or deeper", async () => {
    mkdirSync(at("ignored"), { recursive: true });
    writeFileSync(at("ignored/x"), "");
    const paths = async (path: string, depth: number) => (await workspace.list(path, depth)).map(({ path, kind }) => `${path} ${kind}`);
    expect(await paths("src", 1)).toEqual(["src/sum.js file", "src/summary.md file"]);
    const top = await paths("", 1);
    expect(top).toContain("link-folder link");
    expect(top).toContain("src folder");
    expect(top.some((line) => /ignored\b|\.log|sum\.js/.test(line) && !line.startsWith(".gitignore"))).toBe(false);
    expect(await paths(".", 2)).toContain("src/sum.js file");
    expect(await workspace.list("lib/", 9)).toEqual([{ path: "lib/index.ts", kind: "file", size: 2 }]);
  });

  test.each([
    ["nowhere", "missing"],
    ["a.txt", "not-a-folder"],
    ["link-folder", "not-a-folder"],
    ["../", "bad-path"],
  ])("of %s is an error", async (path, code) => {
    await expect(workspace.list(path, 1)).rejects.toMatchObject({ code });
  });
});

function attempt(work: () => string): string {
  try {
    return work();
  } catch {
    return "refused";
  }
}

function execFileAsync(file: string, args: readonly string[]): { done(): boolean; readonly ended: Promise<void> } {
  let done = false;
  const ended = import("node:child_process").then(
    ({ execFile }) =>
      new Promise<void>((resolve) => {
        execFile(file, args, () => {
          done = true;
          resolve();
        });
      }),
  );
  return { done: () => done, ended };
}
