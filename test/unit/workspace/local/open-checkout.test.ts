import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openGit } from "../../../../src/workspace/git.ts";
import { diffChange, directoryChange, fileAt, rangeChange } from "../../../../src/workspace/local/local-change.ts";
import { openCheckout } from "../../../../src/workspace/local/open-checkout.ts";
import { temporaryFolder } from "../git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const git = openGit({ path: process.env["PATH"] ?? "" });

/** A checkout with a commit of each list of files. */
function makeCheckout(...versions: readonly Readonly<Record<string, string | null>>[]) {
  const root = mkdtempSync(join(temporary.path, "checkout-"));
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const call = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.test", ...args], { cwd: root, env })
      .toString()
      .trim();
  call("init", "-q", "-b", "main");
  for (const version of versions) {
    for (const [path, text] of Object.entries(version)) {
      if (text === null) call("rm", "-q", path);
      else {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    }
    call("add", "-A");
    call("commit", "-q", "--allow-empty", "-m", "x");
  }
  return { root, call };
}

describe("a checkout", () => {
  it("is found from a folder inside it, and from a linked work tree", async () => {
    const { root, call } = makeCheckout({ "src/a": "a" }, { "src/a": "b" });
    expect((await openCheckout(git, join(root, "src"))).root).toBe(root);
    const linked = join(temporary.path, "linked");
    call("worktree", "add", "-q", "--detach", linked, "HEAD~1");
    const checkout = await openCheckout(git, linked);
    expect(checkout.root).toBe(linked);
    expect((await checkout.resolve("HEAD")).commit).toBe(call("rev-parse", "HEAD~1"));
  });

  it.each([
    ["a folder that is in none", () => mkdtempSync(join(temporary.path, "none-")), /is not in a git checkout/],
    ["a folder that is not there", () => join(temporary.path, "nowhere"), /There is no folder .*nowhere/],
    [
      "a .git that is none",
      () => {
        const root = mkdtempSync(join(temporary.path, "empty-"));
        mkdirSync(join(root, ".git"));
        return root;
      },
      /no git checkout that can be read/,
    ],
    [
      "SHA-256 ids",
      () => {
        const root = mkdtempSync(join(temporary.path, "sha256-"));
        execFileSync("git", ["init", "-q", "--object-format=sha256", root]);
        return root;
      },
      /sha256 object ids/,
    ],
  ])("is not taken from %s", async (_, make, message) => {
    await expect(openCheckout(git, make())).rejects.toThrow(message);
  });

  it("is not taken from a bare repository that lies in a work tree", async () => {
    const { root } = makeCheckout({ a: "a" });
    const trap = join(root, "trap");
    execFileSync("git", ["init", "-q", "--bare", trap]);
    expect((await openCheckout(git, trap)).root).toBe(root);
  });

  it.runIf(process.getuid?.() === 0)(
    `may belong to another user (${process.getuid?.() === 0 ? "run" : "NOT RUN: only root can give files away"})`,
    async () => {
      const { root } = makeCheckout({ a: "a" }, { a: "b" });
      for (const path of [root, join(root, ".git")]) chownSync(path, 12_345, 12_345);
      const checkout = await openCheckout(git, root);
      expect((await rangeChange(checkout, await checkout.resolveRange("HEAD~1..HEAD"))).changes.changes).toHaveLength(1);
    },
  );

  it("runs nothing that its configuration names, and leaves everything as it was", async () => {
    const { root, call } = makeCheckout({ "a.x": "a\n", ".gitattributes": "* diff=x filter=x\n" }, { "a.x": "b\n" });
    const ran = join(temporary.path, "ran");
    const trap = join(temporary.path, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\necho "$@" >> ${ran}\n`);
    chmodSync(trap, 0o755);
    const lines = [
      `[core]\nfsmonitor=${trap}\nhooksPath=${temporary.path}\npager=${trap}\nsshCommand=${trap}`,
      `[diff "x"]\ntextconv=${trap}\ncommand=${trap}`,
      `[filter "x"]\nclean=${trap}\nsmudge=${trap}`,
      `[diff]\nexternal=${trap}`,
      `[remote "o"]\nurl=ext::${trap}\npromisor=true\nuploadpack=${trap}`,
      `[extensions]\npartialClone=o`,
      `[uploadpack]\npackObjectsHook=${trap}`,
      `[alias]\nrev-parse=!${trap}`,
    ];
    appendFileSync(join(root, ".git", "config"), `${lines.join("\n")}\n`);
    writeFileSync(join(root, "untracked"), "x");
    const status = (): string => execFileSync("find", [root, "-newer", trap, "-type", "f"]).toString();
    const before = status();
    const checkout = await openCheckout(git, root);
    const range = await checkout.resolveRange("HEAD~1..HEAD");
    await rangeChange(checkout, range);
    await diffChange(checkout, range.base, Buffer.from("--- a/a.x\n+++ b/a.x\n@@ -1 +1 @@\n-a\n+c\n"));
    await directoryChange(checkout, range.base, root);
    await fileAt(checkout, range.base, ".gitattributes");
    await expect(checkout.resolve("a".repeat(40))).rejects.toThrow("names no commit");
    expect(existsSync(ran)).toBe(false);
    expect(status()).toBe(before);
    expect(call("--version")).toContain("git");
  });
});

describe("a range", () => {
  it("is what changed between two trees", async () => {
    const { root } = makeCheckout({ a: "1", b: "2", "d/e": "3" }, { a: "one", b: null, "d/f": "4" });
    const checkout = await openCheckout(git, root);
    const { changes, base, basePaths, problems } = await rangeChange(checkout, await checkout.resolveRange("HEAD~1..HEAD"));
    expect(changes.changes.map(({ path, before, after }) => [path, before !== undefined, after !== undefined])).toEqual([
      ["a", true, true],
      ["b", true, false],
      ["d/f", false, true],
    ]);
    expect(base.name).toBe("HEAD~1");
    expect([...basePaths].toSorted()).toEqual(["a", "b", "d/e"]);
    expect(problems).toEqual([]);
    expect(changes.tree).toBe((await checkout.resolve("HEAD")).tree);
  });

  it("may begin at nothing, at where two branches parted, and at HEAD by default", async () => {
    const { root, call } = makeCheckout({ a: "1" }, { a: "2" });
    call("checkout", "-q", "-b", "side", "HEAD~1");
    writeFileSync(join(root, "s"), "s");
    call("add", "-A");
    call("commit", "-q", "-m", "side");
    const checkout = await openCheckout(git, root);
    const paths = async (range: string) =>
      (await rangeChange(checkout, await checkout.resolveRange(range))).changes.changes.map(({ path }) => path);
    expect(await paths("4b825dc642cb6eb9a060e54bf8d69288fbee4904..side")).toEqual(["a", "s"]);
    expect(await paths("main..side")).toEqual(["a", "s"]);
    expect(await paths("main...side")).toEqual(["s"]);
    expect(await paths("main..")).toEqual(["a", "s"]);
    expect(await paths("..main")).toEqual(["a", "s"]);
    expect(await paths("side..side")).toEqual([]);
  });

  it.each([
    ["no-such..HEAD", /"no-such" names no commit/],
    ["HEAD..no-such", /"no-such" names no commit/],
    ["HEAD", /is no range/],
    ["..", /is no range/],
    ["", /is no range/],
    ["--output=x..HEAD", /names no commit/],
    ["HEAD:a..HEAD", /names no commit/],
  ])("%j is refused", async (range, message) => {
    const { root } = makeCheckout({ a: "1" });
    await expect((await openCheckout(git, root)).resolveRange(range)).rejects.toThrow(message);
  });

  it("without a common commit has no beginning", async () => {
    const { root, call } = makeCheckout({ a: "1" });
    call("checkout", "-q", "--orphan", "other");
    call("commit", "-q", "-m", "other");
    await expect((await openCheckout(git, root)).resolveRange("main...other")).rejects.toThrow("no common commit");
  });
});

describe("a folder", () => {
  it("counts with all that is in it: ignored files, links, modes, and what is not there", async () => {
    const { root } = makeCheckout({ ".gitignore": "ignored\n", a: "1", b: "2" });
    const checkout = await openCheckout(git, root);
    const folder = mkdtempSync(join(temporary.path, "folder-"));
    for (const [path, text] of Object.entries({ ".gitignore": "ignored\n", a: "1", ignored: "x", ".git/config": "x", "sub/.git": "x" })) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    chmodSync(join(folder, "a"), 0o755);
    symlinkSync("/etc/passwd", join(folder, "link"));
    const { changes, problems } = await directoryChange(checkout, await checkout.resolve("HEAD"), folder);
    expect(changes.changes.map(({ path, after }) => [path, after?.mode])).toEqual([
      ["a", "100755"],
      ["b", undefined],
      ["ignored", "100644"],
      ["link", "120000"],
    ]);
    expect(problems).toEqual([]);
  });

  it("may be reached through a link; what no commit can hold is a problem of its own", async () => {
    const { root } = makeCheckout({ a: "1" });
    const checkout = await openCheckout(git, root);
    const folder = mkdtempSync(join(temporary.path, "folder-"));
    writeFileSync(join(folder, "a"), "1");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    const { changes, problems } = await directoryChange(checkout, await checkout.resolve("HEAD"), link);
    expect(changes.changes).toEqual([]);
    expect(problems).toMatchObject([{ severity: "block", where: { path: "pipe" }, fix: "Remove it." }]);
  });

  it.each(["nowhere", "a"])("that is none (%s) is refused", async (name) => {
    const { root } = makeCheckout({ a: "1" });
    const checkout = await openCheckout(git, root);
    await expect(directoryChange(checkout, await checkout.resolve("HEAD"), join(root, name))).rejects.toThrow(
      `There is no folder ${join(root, name)}`,
    );
  });
});

describe("a file at a revision", () => {
  it("is read from the commit, not from the work tree", async () => {
    const { root } = makeCheckout({ "d/a": "committed" });
    writeFileSync(join(root, "d/a"), "changed");
    const checkout = await openCheckout(git, root);
    const head = await checkout.resolve("HEAD");
    expect(Buffer.from((await fileAt(checkout, head, "d/a")) ?? "").toString()).toBe("committed");
    expect(await fileAt(checkout, head, "d/b")).toBeUndefined();
  });

  it.each(["link", "d"])("that is no regular file (%s) is refused", async (path) => {
    const { root, call } = makeCheckout({ "d/a": "x" });
    symlinkSync("d/a", join(root, "link"));
    call("add", "-A");
    call("commit", "-q", "-m", "link");
    const checkout = await openCheckout(git, root);
    await expect(fileAt(checkout, await checkout.resolve("HEAD"), path)).rejects.toThrow("no regular file");
  });
});
