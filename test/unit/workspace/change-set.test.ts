import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { ChangeSet } from "../../../src/core/change-set.ts";
import { objectId } from "../../../src/workspace/object-id.ts";
import { temporaryFolder } from "./git-host.ts";
import type { TestTree } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";
import type { Opened } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const BASE: TestTree = {
  ".gitignore": "dist/\n*.log\n!keep.log\n/build\n",
  "a.txt": "alpha\n",
  "b.txt": "beta\n",
  "src/sum.js": "export const sum = (a, b) => a - b;\n",
  "src/deep/er/x": "x\n",
  "dist/tracked.js": "tracked though ignored\n",
  "run.sh": { mode: "100755", bytes: "#!/bin/sh\n" },
  link: { mode: "120000", bytes: "a.txt" },
  module: { submodule: "1".repeat(40) },
};

/** Git's own verdict: the workspace added to an index over the pinned tree, in a store of its own, as `git add -A` would. */
function treeByGit({ store, commit, workspace }: Opened): string {
  const index = join(mkdtempSync(join(temporary.path, "index-")), "index");
  const objects = mkdtempSync(join(temporary.path, "objects-"));
  const env = {
    PATH: process.env["PATH"],
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(store.gitDir, "objects"),
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", [`--git-dir=${store.gitDir}`, `--work-tree=${workspace.directory}`, ...args], { env, cwd: workspace.directory })
      .toString()
      .trim();
  git("read-tree", commit);
  git("add", "-A");
  return git("write-tree");
}

const shape = ({ changes }: ChangeSet): string[] =>
  changes.map(({ path, before, after, movedFrom }) => {
    const kind = before === undefined ? "+" : after === undefined ? "-" : "~";
    return `${kind} ${path}${after === undefined ? "" : ` ${after.mode}`}${movedFrom === undefined ? "" : ` from ${movedFrom}`}`;
  });

interface Row {
  readonly name: string;
  readonly act: (at: (path: string) => string) => void;
  readonly expected: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: "nothing done", act: () => undefined, expected: [] },
  { name: "an edit", act: (at) => writeFileSync(at("a.txt"), "changed\n"), expected: ["~ a.txt 100644"] },
  { name: "a file rewritten with its own bytes", act: (at) => writeFileSync(at("a.txt"), "alpha\n"), expected: [] },
  {
    name: "an edit of the same size under the old modification time",
    act(at) {
      const { atime, mtime } = statSync(at("a.txt"));
      writeFileSync(at("a.txt"), "ALPHA\n");
      utimesSync(at("a.txt"), atime, mtime);
    },
    expected: ["~ a.txt 100644"],
  },
  { name: "an executable bit", act: (at) => chmodSync(at("a.txt"), 0o755), expected: ["~ a.txt 100755"] },
  { name: "an executable bit taken away", act: (at) => chmodSync(at("run.sh"), 0o644), expected: ["~ run.sh 100644"] },
  { name: "other permission bits", act: (at) => chmodSync(at("a.txt"), 0o600), expected: [] },
  {
    name: "a new file in a new folder",
    act: (at) => (mkdirSync(at("n/e/w"), { recursive: true }), writeFileSync(at("n/e/w/f"), "1")),
    expected: ["+ n/e/w/f 100644"],
  },
  { name: "a deletion", act: (at) => rmSync(at("src/deep/er/x")), expected: ["- src/deep/er/x"] },
  { name: "a folder deleted", act: (at) => rmSync(at("src"), { recursive: true }), expected: ["- src/deep/er/x", "- src/sum.js"] },
  { name: "a move", act: (at) => renameSync(at("b.txt"), at("src/c.txt")), expected: ["- b.txt", "+ src/c.txt 100644 from b.txt"] },
  { name: "an empty folder", act: (at) => mkdirSync(at("nothing/in/here"), { recursive: true }), expected: [] },
  { name: "a new link", act: (at) => symlinkSync("../outside", at("src/out")), expected: ["+ src/out 120000"] },
  { name: "a link turned", act: (at) => (rmSync(at("link")), symlinkSync("/etc/passwd", at("link"))), expected: ["~ link 120000"] },
  { name: "a file become a link", act: (at) => (rmSync(at("a.txt")), symlinkSync("b.txt", at("a.txt"))), expected: ["~ a.txt 120000"] },
  { name: "a link become a file", act: (at) => (rmSync(at("link")), writeFileSync(at("link"), "a.txt")), expected: ["~ link 100644"] },
  {
    name: "a folder become a link to its own copy",
    act: (at) => (renameSync(at("src"), at("source")), symlinkSync("source", at("src"))),
    expected: [
      "+ source/deep/er/x 100644 from src/deep/er/x",
      "+ source/sum.js 100644 from src/sum.js",
      "+ src 120000",
      "- src/deep/er/x",
      "- src/sum.js",
    ],
  },
  {
    name: "a file become a folder",
    act: (at) => (rmSync(at("a.txt")), mkdirSync(at("a.txt")), writeFileSync(at("a.txt/in"), "1")),
    expected: ["- a.txt", "+ a.txt/in 100644"],
  },
  {
    name: "ignored files, new",
    act: (at) => (
      writeFileSync(at("x.log"), "1"),
      writeFileSync(at("dist/new.js"), "1"),
      mkdirSync(at("build")),
      writeFileSync(at("build/o"), "1")
    ),
    expected: [],
  },
  {
    name: "a tracked file in an ignored folder, edited",
    act: (at) => writeFileSync(at("dist/tracked.js"), "2"),
    expected: ["~ dist/tracked.js 100644"],
  },
  { name: "a file that a rule takes back", act: (at) => writeFileSync(at("keep.log"), "1"), expected: ["+ keep.log 100644"] },
  {
    name: "an ignored name where the rule does not reach",
    act: (at) => (mkdirSync(at("src/build")), writeFileSync(at("src/build/o"), "1")),
    expected: ["+ src/build/o 100644"],
  },
  {
    name: "a cache that ignores itself",
    act: (at) => (mkdirSync(at(".cache")), writeFileSync(at(".cache/.gitignore"), "*\n"), writeFileSync(at(".cache/data"), "1")),
    expected: [],
  },
  {
    name: "a rule added by the change",
    act: (at) => (writeFileSync(at(".gitignore"), "secret.txt\n"), writeFileSync(at("secret.txt"), "1"), writeFileSync(at("x.log"), "1")),
    expected: ["~ .gitignore 100644", "+ x.log 100644"],
  },
  {
    name: "a rule that names a tracked file, which stays tracked",
    act: (at) => (writeFileSync(at(".gitignore"), "*\n"), writeFileSync(at("a.txt"), "2")),
    expected: ["~ .gitignore 100644", "~ a.txt 100644"],
  },
  {
    name: "names that git's own syntax would read otherwise",
    act: (at) => [":(glob)x", "*", "-n", "sp ace", "!bang", "#hash"].forEach((name) => writeFileSync(at(name), name)),
    expected: ["+ !bang 100644", "+ #hash 100644", "+ * 100644", "+ -n 100644", "+ :(glob)x 100644", "+ sp ace 100644"],
  },
  {
    name: "names in bytes order",
    act: (at) => ["\u{1f34e}", "\uffee", "Z", "a-b", "a"].forEach((name) => writeFileSync(at(name), "1")),
    expected: ["+ Z 100644", "+ a 100644", "+ a-b 100644", "+ \uffee 100644", "+ \u{1f34e} 100644"],
  },
  {
    name: "a repository of its own made by a test",
    act: (at) => (mkdirSync(at(".git")), writeFileSync(at(".git/config"), "[core]\nfsmonitor=touch pwned\n")),
    expected: [],
  },
  { name: "a submodule's folder removed", act: (at) => rmSync(at("module"), { recursive: true }), expected: ["- module"] },
];

describe("the change set", () => {
  test.each(ROWS)("of $name", async ({ act, expected }) => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const { directory } = opened.workspace;
    act((path) => join(directory, path));
    const changes = await opened.workspace.changeSet();
    expect(shape(changes)).toEqual(expected);
    expect(changes.tree).toBe(treeByGit(opened));
    expect(changes.base).toEqual({ commit: opened.commit, tree: opened.origin.text(["rev-parse", `${opened.commit}^{tree}`]) });
    for (const { before, after } of changes.changes) {
      const bytes = after && changes.blobs.get(after.sha);
      if (after !== undefined) expect(bytes && objectId("blob", bytes)).toBe(after.sha);
      if (after !== undefined) expect(bytes?.length).toBe(after.size);
      if (before !== undefined && before.mode !== "160000")
        expect(objectId("blob", changes.before.get(before.sha) ?? Buffer.of())).toBe(before.sha);
    }
  });

  test("of any mixture of edits is the tree that git itself would write", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const { directory } = opened.workspace;
    const name = fc.constantFrom("a.txt", "b.txt", "src", "sum.js", "n", "dist", "x.log", "é", "deep", "er");
    const edit = fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 3 }),
      kind: fc.constantFrom("write", "remove", "link", "execute"),
      text: fc.string({ maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
        for (const { path, kind, text } of edits) attempt(join(directory, ...path), kind, text);
        expect((await opened.workspace.changeSet()).tree).toBe(treeByGit(opened));
      }),
      { numRuns: 25 },
    );
  });

  function attempt(file: string, kind: string, text: string): void {
    try {
      if (kind === "remove") rmSync(file, { recursive: true });
      else if (kind === "execute") chmodSync(file, 0o755);
      else {
        mkdirSync(join(file, ".."), { recursive: true });
        if (kind === "write") writeFileSync(file, text, { flag: existsSync(file) ? "r+" : "w" });
        else symlinkSync(text || "x", file);
      }
    } catch {
      // Not every mixture can be made; what was made is compared.
    }
  }

  test("leaves the store and the workspace as they were", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const { directory } = opened.workspace;
    writeFileSync(join(directory, "a.txt"), "changed\n");
    const objects = (): string[] => readdirSync(join(opened.store.gitDir, "objects"), { recursive: true, encoding: "utf8" }).sort();
    const before = objects();
    await opened.workspace.changeSet();
    await opened.workspace.git.diff({});
    expect(objects()).toEqual(before);
    expect(readdirSync(directory)).not.toContain(".git");
    expect(existsSync(join(opened.store.gitDir, "index"))).toBe(false);
  });

  test("keeps the bytes that it hashed, whatever is written afterwards", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const file = join(opened.workspace.directory, "a.txt");
    writeFileSync(file, "first\n");
    const changes = await opened.workspace.changeSet();
    writeFileSync(file, "later\n");
    const sha = changes.changes[0]?.after?.sha ?? "";
    expect(Buffer.from(changes.blobs.get(sha) ?? []).toString()).toBe("first\n");
  });
});

describe("what no commit can hold stops the change set and is named", () => {
  const rows: readonly {
    readonly name: string;
    readonly act: (at: (path: string) => string) => void;
    readonly path: string;
    readonly why: RegExp;
  }[] = [
    { name: "a pipe", act: (at) => execFileSync("mkfifo", [at("pipe")]), path: "pipe", why: /special file/ },
    {
      name: "a pipe where ignore rules are read",
      act: (at) => execFileSync("mkfifo", [at("src/.gitignore")]),
      path: "src/.gitignore",
      why: /special file/,
    },
    { name: "a hard link", act: (at) => (writeFileSync(at("one"), "1"), linkSync(at("one"), at("two"))), path: "one", why: /hard link/ },
    {
      name: "a tracked file edited under a second, ignored name",
      act: (at) => (linkSync(at("a.txt"), at("x.log")), writeFileSync(at("x.log"), "2")),
      path: "a.txt",
      why: /hard link/,
    },
    { name: "git's folder in other letters", act: (at) => mkdirSync(at(".GIT")), path: ".GIT", why: /git's own folder/ },
    { name: "a short name for git's folder", act: (at) => writeFileSync(at("src/git~1"), ""), path: "src/git~1", why: /git's own folder/ },
    { name: "a file in a submodule", act: (at) => writeFileSync(at("module/x"), ""), path: "module/x", why: /submodule/ },
    {
      name: "a name that is not UTF-8",
      act: (at) => writeFileSync(Buffer.from(`${at("")}\xff`, "latin1"), ""),
      path: "\ufffd",
      why: /UTF-8/,
    },
    { name: "a file too large for GitHub", act: (at) => execFileSync("truncate", ["-s", "41M", at("large")]), path: "large", why: /bytes/ },
    {
      name: "folders without end",
      act: (at) => mkdirSync(at(Array.from({ length: 300 }, () => "d").join("/")), { recursive: true }),
      path: Array.from({ length: 256 }, () => "d").join("/"),
      why: /deeper/,
    },
  ];
  test.each(rows)("$name", async ({ act, path, why }) => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    act((name) => `${opened.workspace.directory}/${name}`);
    const refused = opened.workspace.changeSet();
    await expect(refused).rejects.toMatchObject({
      code: "unpublishable-workspace",
      findings: expect.arrayContaining([expect.objectContaining({ severity: "block", where: { path }, why: expect.stringMatching(why) })]),
    });
  });

  test("unless the repository ignores it", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    execFileSync("mkfifo", [join(opened.workspace.directory, "pipe.log")]);
    expect((await opened.workspace.changeSet()).changes).toEqual([]);
  });

  test("and an unchanged file may have a second name", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    linkSync(join(opened.workspace.directory, "a.txt"), join(opened.workspace.directory, "x.log"));
    expect((await opened.workspace.changeSet()).changes).toEqual([]);
  });
});

describe("restoring a snapshot", () => {
  test("brings a fresh check-out, and one that went on, to the same tree", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const { workspace } = opened;
    const at = (path: string): string => join(workspace.directory, path);
    rmSync(at("a.txt"));
    mkdirSync(at("a.txt"));
    writeFileSync(at("a.txt/in"), "1");
    renameSync(at("b.txt"), at("moved.txt"));
    chmodSync(at("src/sum.js"), 0o755);
    symlinkSync("a.txt", at("new-link"));
    rmSync(at("module"), { recursive: true });
    const taken = await workspace.changeSet();
    const entries = taken.changes.map(({ path, after }) => (after === undefined ? { path } : { path, mode: after.mode, blob: after.sha }));
    const blob = (sha: string) => Promise.resolve(taken.blobs.get(sha));
    writeFileSync(at("src/sum.js"), "later\n");
    writeFileSync(at("later.txt"), "later\n");
    rmSync(at("run.sh"));
    await workspace.restore(entries, blob);
    expect(await workspace.changeSet()).toEqual(taken);
    await workspace.restore([], blob);
    expect((await workspace.changeSet()).changes).toEqual([]);
    expect(readFileSync(at("b.txt"), "utf8")).toBe("beta\n");
    await workspace.restore(entries, blob);
    expect(await workspace.changeSet()).toEqual(taken);
  });

  test("keeps two names apart that are one in composed form", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const { workspace } = opened;
    for (const name of ["caf\u00e9.txt", "cafe\u0301.txt"]) writeFileSync(join(workspace.directory, name), name);
    const taken = await workspace.changeSet();
    const entries = taken.changes.map(({ path, after }) => ({ path, mode: "100644" as const, blob: after?.sha ?? "" }));
    await workspace.restore([], () => Promise.resolve(undefined));
    await workspace.restore(entries, (sha) => Promise.resolve(taken.blobs.get(sha)));
    expect(await workspace.changeSet()).toEqual(taken);
  });

  test("lets others have their turn, however many files it brings back", async () => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    const bytes = Buffer.from("x\n");
    const entries = Array.from({ length: 500 }, (_, index) => ({
      path: `many/${index}.txt`,
      mode: "100644" as const,
      blob: objectId("blob", bytes),
    }));
    let placed = 0;
    const seen = new Set<number>();
    const watch = (): void => {
      seen.add(placed);
      if (placed < entries.length) setImmediate(watch);
    };
    setImmediate(watch);
    await opened.workspace.restore(entries, () => {
      placed += 1;
      return Promise.resolve(bytes);
    });
    expect([...seen].filter((count) => count > 0 && count < entries.length).length).toBeGreaterThan(2);
  });

  test.each([
    ["a path that leaves the workspace", { path: "../x", mode: "100644", blob: "0".repeat(40) }],
    ["bytes that are gone", { path: "x", mode: "100644", blob: "0".repeat(40) }],
    ["git's own folder", { path: ".git/config", mode: "100644", blob: "0".repeat(40) }],
  ] as const)("refuses %s", async (_, entry) => {
    await using opened = await openTestWorkspace(temporary.path, BASE);
    await expect(opened.workspace.restore([entry], () => Promise.resolve(undefined))).rejects.toThrow();
  });
});
