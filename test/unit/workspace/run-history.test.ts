import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGit } from "../../../src/workspace/git.ts";
import { borderOf } from "../../../src/workspace/reach.ts";
import { probeSandbox } from "../../../src/workspace/sandbox/probe.ts";
import { runIn } from "../../../src/workspace/sandbox/run-in.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { makeRepository, temporaryFolder } from "./git-host.ts";
import type { TestTree } from "./git-host.ts";
import { makeOrigin, openTestOrigin } from "./opened.ts";
import type { Opened } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
let sandbox: Sandbox | undefined;
beforeAll(async () => {
  ({ sandbox } = await probeSandbox({ path: process.env["PATH"] ?? "" }));
});

const TREE: TestTree = {
  "n.txt": "0\n",
  "src/a.ts": "export {};\n",
  "run.sh": { mode: "100755", bytes: "#!/bin/sh\n" },
  link: { mode: "120000", bytes: "n.txt" },
  sub: { submodule: "1".repeat(40) },
  "caf\xc3\xa9.txt": "x\n",
  "eol.txt": "unix\n",
  "wide.u": "no utf-16\n",
  ".gitattributes": "*.txt text eol=crlf diff=evil\n*.u working-tree-encoding=UTF-16\n*.ts filter=lfs\n",
  ".gitignore": "ignored\n",
};
const versions = (count: number): TestTree[] => Array.from({ length: count }, (_, index) => ({ ...TREE, "n.txt": `${index}\n` }));
const origin = makeOrigin(temporary.path, versions(70));

describe("git inside the sandbox", () => {
  const inside = (name: string, body: (opened: Opened, run: (command: string) => Promise<string>) => Promise<void>): void => {
    test(name, async ({ skip }) => {
      if (sandbox?.hasGit !== true) return skip("there is no sandbox with a git on this machine");
      const holding = sandbox;
      await using opened = await openTestOrigin(temporary.path, origin);
      await body(opened, async (command) => (await runIn(holding, opened.workspace, { command, timeoutMs: 30_000 })).output);
    });
  };

  inside("knows the commit and a clean tree, whatever the attributes say", async ({ commit }, run) => {
    expect(await run("git rev-parse HEAD; git rev-parse --show-toplevel; git status --porcelain; git diff-index HEAD; echo end")).toBe(
      `${commit}\n/workspace/repository\nend\n`,
    );
    expect(await run("git describe --always; git ls-files -z | tr '\\0' '\\n' | wc -l")).toBe(
      `${commit.slice(0, 7)}\n${Object.keys(TREE).length}\n`,
    );
  });

  inside("shows what the run has changed, by tools and by commands, of whatever size and however fast", async ({ workspace }, run) => {
    await workspace.write("n.txt", Buffer.from("7x\n"));
    await workspace.write("src/new.ts", Buffer.from("new\n"));
    expect(await run("printf 'UNIX\\n' > eol.txt; rm run.sh; touch ignored; git status --porcelain")).toBe(
      " M eol.txt\n M n.txt\n D run.sh\n?? src/new.ts\n",
    );
    expect(await run("git diff --stat HEAD | tail -1; git diff eol.txt | tail -2")).toBe(
      " 3 files changed, 2 insertions(+), 3 deletions(-)\n-unix\n+UNIX\n",
    );
  });

  inside("brings recent history for a command that names git, once, and says where it ends", async ({ host }, run) => {
    expect(await run("test -d ../.''g''it && echo there")).toContain("there");
    const before = host.requests.length;
    expect(await run("git log --format=%s -3 && git diff HEAD~1 -- n.txt | tail -2")).toBe("commit 69\ncommit 68\ncommit 67\n-68\n+69\n");
    expect(host.requests.length).toBeGreaterThan(before);
    const after = host.requests.length;
    expect(await run("git rev-list --count HEAD; git rev-parse --is-shallow-repository; git fsck --full; echo $?")).toBe("50\ntrue\n0\n");
    expect(host.requests).toHaveLength(after);
  });

  inside("is found from the workspace alone, and does not stand in the way of repositories that tests make", async (_, run) => {
    const elsewhere = await run("for folder in / /tmp ~ /usr /dev/shm; do cd $folder; git rev-parse --git-dir 2>&1; done");
    expect(elsewhere.match(/not a git repository/g)).toHaveLength(5);
    const own = "git init -q . && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m own && git log --format=%s";
    expect(await run(`mkdir /tmp/r && cd /tmp/r && ${own}; mkdir ~/r && cd ~/r && ${own}`)).toBe("own\nown\n");
  });
});

test("without a sandbox that shows it, no history is made", async () => {
  await using opened = await openTestOrigin(temporary.path, origin);
  const seen: unknown[] = [];
  const bare = { backend: "off", level: "off", run: (command: unknown) => (seen.push(command), Promise.reject(new Error("ran"))) } as const;
  await expect(runIn(bare, opened.workspace, { command: "git log", timeoutMs: 1 })).rejects.toThrow("ran");
  expect(seen).toEqual([{ command: "git log", timeoutMs: 1, workspace: opened.workspace.directory }]);
});

describe("the git folder", () => {
  const request = { isAsked: true };

  test("holds what the commit leads to and nothing else of the store", async () => {
    await using opened = await openTestOrigin(temporary.path, origin);
    const { store, remote, workspace } = opened;
    const other = origin.origin.commit({ "other.txt": "of another run\n" });
    await store.fetchCommit({ remote, sha: other });
    const folder = (await workspace.history(request)) ?? "";
    const packs = join(folder, "objects", "pack");
    const listed = readdirSync(packs).find((name) => name.endsWith(".idx")) ?? "";
    const held = await store.git.text(["show-index"], { input: readFileSync(join(packs, listed)) });
    expect(held).toContain(opened.commit);
    expect(held).not.toContain(other);
    expect(readdirSync(folder).sort()).toEqual(["HEAD", "config", "index", "info", "objects", "refs", "shallow"]);
    expect(readdirSync(join(folder, "objects"))).toEqual(["pack"]);
    for (const name of ["HEAD", "config", "info/attributes"]) {
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(new RegExp(`remote|url|${temporary.path}`));
    }
  });

  test("is gone with its workspace", async () => {
    const opened = await openTestOrigin(temporary.path, origin);
    const { workspace } = opened;
    await workspace.history({ isAsked: false });
    await workspace.history(request);
    const names = (): string[] =>
      readdirSync(dirname(workspace.directory)).filter((name) => name.startsWith(basename(workspace.directory)));
    expect(names()).toHaveLength(3);
    await opened[Symbol.asyncDispose]();
    expect(names()).toEqual([]);
  });

  test("is made of what is held when no more can be fetched", async () => {
    await using opened = await openTestOrigin(temporary.path, origin);
    opened.host.answer = (_, response) => (response.writeHead(503).end(), true);
    const folder = (await opened.workspace.history(request)) ?? "";
    expect(readFileSync(join(folder, "shallow"), "utf8")).toBe(`${opened.commit}\n`);
  });

  test("is not made of a broken store, and is made for the next who asks where the first has given up", async () => {
    await using opened = await openTestOrigin(temporary.path, origin);
    const { workspace } = opened;
    expect(await workspace.history({ isAsked: false, signal: AbortSignal.abort() })).toBeUndefined();
    expect(await workspace.history({ isAsked: false })).toBeDefined();
    await using broken = await openTestOrigin(temporary.path, origin);
    rmSync(join(broken.store.gitDir, "objects", "pack"), { recursive: true });
    expect(await broken.workspace.history({ isAsked: false })).toBeUndefined();
  });

  test("calls no file unchanged that was written before it was made", async () => {
    await using opened = await openTestOrigin(temporary.path, origin);
    const { workspace } = opened;
    writeFileSync(join(workspace.directory, "eol.txt"), "UNIX\n");
    mkdirSync(join(workspace.directory, "made"));
    symlinkSync("eol.txt", join(workspace.directory, "made", "link"));
    const index = readFileSync(join((await workspace.history({ isAsked: false })) ?? "", "index"));
    const sizeOf = (name: string): number => index.readUInt32BE(index.indexOf(`${name}\0`) - 62 + 36);
    expect([sizeOf("eol.txt"), sizeOf("wide.u"), sizeOf("link")]).toEqual([0, 10, 5]);
  });
});

describe("the border of a history", () => {
  test("is by generations, so that a merge of something old is no border", async () => {
    const repository = makeRepository(temporary.path);
    const tree = repository.text(["mktree"], "");
    const at = (seconds: number, ...parents: string[]): string => {
      const who = `A <a@example.test> ${seconds} +0000`;
      const lines = [`tree ${tree}`, ...parents.map((sha) => `parent ${sha}`), `author ${who}`, `committer ${who}`, "", "x", ""];
      return repository.text(["hash-object", "-t", "commit", "-w", "--stdin"], lines.join("\n"));
    };
    const root = at(1);
    const old = at(2, root);
    let main = root;
    for (let index = 0; index < 30; index += 1) main = at(1000 + index, main);
    const merge = at(5000, main, old);
    const store = { git: openGit({ path: process.env["PATH"] ?? "" }), gitDir: repository.gitDir };
    const border = await borderOf(store, { sha: merge, generations: 5 });
    expect(border).not.toContain(merge);
    expect(border).toEqual([repository.text(["rev-parse", `${main}~3`])]);
    expect(await borderOf(store, { sha: merge, generations: 100 })).toEqual([]);
  });
});
