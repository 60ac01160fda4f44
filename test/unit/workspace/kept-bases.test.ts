import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Git, GitProcess } from "../../../src/workspace/git.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { openKeptBases } from "../../../src/workspace/kept-bases.ts";
import { openObjectReader } from "../../../src/workspace/object-reader.ts";
import { readTree } from "../../../src/workspace/tree.ts";
import { checkouts, GIT } from "../../e2e/checkouts.ts";

const place = checkouts();
const plain = openGit({ path: process.env["PATH"] ?? "" });
/** The kept copy of repository 42, with an executable file, a link, a submodule, deep folders and a name that is no UTF-8. */
let folder = "";
let gitDir = "";
let commits: readonly string[] = [];

beforeAll(() => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many/${at % 7}/file ${at}.txt`, `${at}\n`.repeat(at)]));
  const { git, root } = place.checkout({ "a/b/c/deep.txt": "deep\n", "a.txt": "beside the folder\n", empty: "", ...many });
  const stage = (mode: string, content: string | undefined, path: Buffer): void => {
    const sha =
      content === undefined
        ? "1".repeat(40)
        : execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: root, env: GIT, input: content }).toString().trim();
    const input = Buffer.concat([Buffer.from(`${mode} ${sha}\t`), path, Buffer.of(0)]);
    execFileSync("git", ["update-index", "-z", "--index-info"], { cwd: root, env: GIT, input });
  };
  stage("100755", "#!/bin/sh\n", Buffer.from("run.sh"));
  stage("120000", "a.txt", Buffer.from("link"));
  stage("160000", undefined, Buffer.from("module"));
  stage("100644", "strange\n", Buffer.from([0x66, 0xff, 0x2e, 0x74]));
  git("commit", "-q", "-m", "what trees can hold");
  git("commit", "-q", "--allow-empty", "-m", "the same tree again");
  commits = git("log", "--format=%H").trim().split("\n");
  folder = dirname(root);
  gitDir = `${folder}/42.git`;
  git("clone", "--quiet", "--bare", ".", gitDir);
});
afterAll(() => place.remove());

/** Git, with the programs that it starts counted and at hand. */
function counted(): { readonly git: Git; readonly started: GitProcess[] } {
  const started: GitProcess[] = [];
  const start: Git["start"] = (args, call) => {
    const child = plain.start(args, call);
    started.push(child);
    return child;
  };
  return { git: { ...plain, start }, started };
}

describe("bases in kept copies", () => {
  it("reads each commit's tree as git itself lists it", async () => {
    const bases = openKeptBases({ git: plain, folder });
    for (const commit of commits) {
      const root = (await plain.text(["rev-parse", `${commit}^{tree}`], { gitDir })).trim();
      const tree = (await bases(42, commit))?.tree;
      const listed = await readTree(plain, gitDir, root);
      expect([...(tree?.files ?? [])]).toEqual([...listed.files]);
      expect([...(tree?.folders ?? [])]).toEqual([...listed.folders]);
    }
  });

  it("starts two gits for all commits, trees and files of a copy", async () => {
    const { git, started } = counted();
    const bases = openKeptBases({ git, folder });
    for (const commit of commits) {
      const base = await bases(42, commit);
      await base?.blobs([...base.tree.files.values()].filter(({ mode }) => mode !== "160000").map(({ sha }) => sha));
    }
    expect(started).toHaveLength(2);
  });

  it("gives a file's bytes, and nothing for a link, a submodule, a folder and what is not there", async () => {
    const base = await openKeptBases({ git: plain, folder })(42, commits[0] ?? "");
    expect(Buffer.from((await base?.file("a/b/c/deep.txt")) ?? []).toString()).toBe("deep\n");
    expect(await base?.file("empty")).toHaveLength(0);
    for (const path of ["link", "module", "a", "nowhere"]) expect(await base?.file(path)).toBeUndefined();
  });

  it.each([
    ["a commit that is not kept", 42, "2".repeat(40)],
    ["a name that is no id", 42, "main"],
    ["a repository without a copy", 43, "2".repeat(40)],
  ])("knows nothing of %s", async (_, repository, commit) => {
    expect(await openKeptBases({ git: plain, folder })(repository, commit)).toBeUndefined();
  });

  it("refuses to go on without a blob that a tree names", async () => {
    const base = await openKeptBases({ git: plain, folder })(42, commits[0] ?? "");
    await expect(base?.blobs(["3".repeat(40)])).rejects.toThrow(/holds no blob 3{40}/);
  });
});

describe("a git that stays to be asked", () => {
  it("answers many questions that are asked at once, each with its own object", async () => {
    const reader = openObjectReader({ git: plain, gitDir });
    const shas = (await plain.text(["rev-list", "--objects", "--all"], { gitDir }))
      .trim()
      .split("\n")
      .map((line) => line.slice(0, 40));
    const [read, looked] = await Promise.all([
      Promise.all(shas.map((sha) => reader.read([sha], 1_000_000))),
      reader.look([...shas, "4".repeat(40)]),
    ]);
    expect(read.map(([one]) => one?.sha)).toEqual(shas);
    expect(read.map(([one]) => one?.bytes?.length)).toEqual(looked.slice(0, -1).map((one) => one?.size));
    expect(looked.at(-1)).toBeUndefined();
  });

  it("leaves out the bytes of what is larger than was wanted, and goes on behind them", async () => {
    const reader = openObjectReader({ git: plain, gitDir });
    const [large, small] = await reader.read([`${commits[0]}:many/5/file 299.txt`, `${commits[0]}:a.txt`], 100);
    expect(large).toMatchObject({ kind: "blob", size: 1196 });
    expect(large).not.toHaveProperty("bytes");
    expect(Buffer.from(small?.bytes ?? []).toString()).toBe("beside the folder\n");
  });

  it("tells those who wait when git ends, and starts another for the next", async () => {
    const { git, started } = counted();
    // The first one keeps its answers to itself until it has been asked everything.
    const silentFirst: Git = { ...git, start: (args, call) => git.start(started.length === 0 ? [...args, "--buffer"] : args, call) };
    const reader = openObjectReader({ git: silentFirst, gitDir });
    const asked = reader.look([commits[0] ?? ""]);
    started[0]?.kill();
    await expect(asked).rejects.toThrow("git ended before it had read all objects.");
    expect(await reader.look([commits[0] ?? ""])).toMatchObject([{ kind: "commit" }]);
    expect(started).toHaveLength(2);
  });

  it("lets git end when nobody asks any more, and starts another for the next", async () => {
    const { git, started } = counted();
    const reader = openObjectReader({ git, gitDir });
    await reader.look([commits[0] ?? ""]);
    await started[0]?.done;
    expect(await reader.look([commits[0] ?? ""])).toMatchObject([{ kind: "commit" }]);
    expect(started).toHaveLength(2);
  });

  it.each(["", "HEAD\nHEAD", "HEAD\0"])("does not ask for %j, which would be answered as something else", async (name) => {
    const reader = openObjectReader({ git: plain, gitDir });
    await expect(async () => reader.look([name])).rejects.toThrow("names no object");
  });
});
