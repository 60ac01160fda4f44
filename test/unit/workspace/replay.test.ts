import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChangeSet } from "../../../src/core/change-set.ts";
import { changeSetOf } from "../../../src/workspace/change-set.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { objectId } from "../../../src/workspace/object-id.ts";
import { replayChanges } from "../../../src/workspace/replay.ts";
import { openStores, type Remote, type Store } from "../../../src/workspace/store.ts";
import { rawOf, readTree } from "../../../src/workspace/tree.ts";
import type { TreeFile } from "../../../src/workspace/tree.ts";
import { makeRepository, startHost, temporaryFolder } from "./git-host.ts";
import type { TestFile, TestHost, TestRepository, TestTree } from "./git-host.ts";

const temporary = temporaryFolder();
let origin: TestRepository;
let host: TestHost;
let store: Store;
let remote: Remote;
beforeAll(async () => {
  origin = makeRepository(temporary.path);
  host = await startHost(origin);
  const path = process.env["PATH"] ?? "";
  store = await openStores({ git: openGit({ path }), folder: mkdtempSync(join(temporary.path, "stores-")), path }).open(1);
  remote = { url: host.url, token: () => Promise.resolve(undefined) };
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  temporary.remove();
});

/** A commit of its own, beside every other. */
const commitOf = (tree: TestTree) => origin.commit(tree, { message: JSON.stringify(Object.keys(tree)) });

/** What leads from one tree to the other, as a workspace would tell it. */
async function changesFrom(before: TestTree, after: TestTree): Promise<ChangeSet> {
  const commit = commitOf(before);
  const { tree: sha } = await store.fetchCommit({ remote, sha: commit });
  const tree = await readTree(store.git, store.gitDir, sha);
  const edited = new Map<string, TreeFile | undefined>();
  const blobs = new Map<string, Uint8Array>();
  for (const path of Object.keys(before)) if (!(path in after)) edited.set(rawOf(path), undefined);
  for (const [path, file] of Object.entries(after)) {
    const { mode, bytes } = asFile(file);
    const made = { mode, sha: objectId("blob", bytes), size: bytes.length };
    const old = tree.files.get(rawOf(path));
    if (old?.sha === made.sha && old.mode === mode) continue;
    edited.set(rawOf(path), made);
    blobs.set(made.sha, bytes);
  }
  return (await changeSetOf({ git: store.git, gitDir: store.gitDir, commit, tree }, edited, blobs)).changes;
}

function asFile(file: TestFile): { readonly mode: TreeFile["mode"]; readonly bytes: Buffer } {
  if (typeof file === "string" || file instanceof Uint8Array) return { mode: "100644", bytes: Buffer.from(file) };
  if ("submodule" in file) throw new TypeError("no submodules here");
  return { mode: file.mode, bytes: Buffer.from(file.bytes) };
}

async function replay(before: TestTree, after: TestTree, theirs: TestTree) {
  const onto = commitOf(theirs);
  const changes = await changesFrom(before, after);
  return { onto, changes, replay: await replayChanges({ store, remote, changes, onto }) };
}

const lines = (...changed: readonly (readonly [number, string])[]): string => {
  const all = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  for (const [index, text] of changed) all[index] = text;
  return `${all.join("\n")}\n`;
};
const executable = (bytes: string): TestFile => ({ mode: "100755", bytes });
const NUL = "\0\x01binary";

describe("a change that is done once more on another commit", () => {
  const clean: readonly (readonly [string, TestTree, TestTree, TestTree, TestTree])[] = [
    ["keeps what came there", { a: "1\n" }, { a: "2\n" }, { a: "1\n", b: "theirs\n" }, { a: "2\n", b: "theirs\n" }],
    [
      "merges both sides' lines of one file",
      { a: lines() },
      { a: lines([1, "ours"]) },
      { a: lines([10, "theirs"]) },
      { a: lines([1, "ours"], [10, "theirs"]) },
    ],
    [
      "leaves out what stands there already",
      { a: "1\n", b: "1\n" },
      { a: "2\n", b: "2\n" },
      { a: "2\n", b: "1\n" },
      { a: "2\n", b: "2\n" },
    ],
    ["leaves out a removal that was made there too", { a: "1\n", b: "1\n" }, { b: "2\n" }, { b: "1\n" }, { b: "2\n" }],
    ["joins a mode of the one with the bytes of the other", { a: "1\n" }, { a: executable("1\n") }, { a: "2\n" }, { a: executable("2\n") }],
    ["joins bytes of the one with a mode of the other", { a: "1\n" }, { a: "2\n" }, { a: executable("1\n") }, { a: executable("2\n") }],
    [
      "puts a file where a folder became empty on both sides",
      { "a/b": "1\n", c: "1\n" },
      { a: "file\n", c: "1\n" },
      { "a/b": "1\n", c: "2\n" },
      { a: "file\n", c: "2\n" },
    ],
    [
      "takes over what is binary where only one side changed it",
      { a: NUL, b: "1\n" },
      { a: `${NUL}2`, b: "1\n" },
      { a: NUL, b: "2\n" },
      { a: `${NUL}2`, b: "2\n" },
    ],
    [
      "keeps line ends and a missing last one",
      { a: "1\r\n2\r\n3\r\n4\r\n5" },
      { a: "one\r\n2\r\n3\r\n4\r\n5" },
      { a: "1\r\n2\r\n3\r\n4\r\nfive" },
      { a: "one\r\n2\r\n3\r\n4\r\nfive" },
    ],
  ];
  test.each(clean)("%s", async (_, before, after, theirs, expected) => {
    const { onto, replay: replayed } = await replay(before, after, theirs);
    if (replayed.status !== "replayed") throw new Error(JSON.stringify(replayed));
    expect(replayed.changes.base.commit).toBe(onto);
    expect(replayed.changes.tree).toBe(origin.text(["rev-parse", `${commitOf(expected)}^{tree}`]));
    for (const { after: made } of replayed.changes.changes) {
      const bytes = made === undefined ? undefined : replayed.changes.blobs.get(made.sha);
      if (made !== undefined && bytes !== undefined) expect(objectId("blob", bytes)).toBe(made.sha);
    }
  });

  test("is empty where all of it stands there", async () => {
    const { replay: replayed, onto } = await replay({ a: "1\n" }, { a: "2\n" }, { a: "2\n", b: "x\n" });
    expect(replayed).toMatchObject({ status: "replayed", changes: { base: { commit: onto }, changes: [] } });
  });

  const overlapping: readonly (readonly [string, TestTree, TestTree, TestTree, string, RegExp])[] = [
    ["the same lines", { a: lines() }, { a: lines([3, "ours"]) }, { a: lines([3, "theirs"]) }, "a", /same lines/],
    ["a file that was removed there", { a: "1\n", b: "" }, { a: "2\n", b: "" }, { b: "" }, "a", /was removed or moved there/],
    [
      "a file that is removed here",
      { a: "1\n", b: "" },
      { b: "" },
      { a: "2\n", b: "" },
      "a",
      /was changed there, and is removed or moved here/,
    ],
    ["two new files of one name", { b: "" }, { a: "1\n", b: "" }, { a: "2\n", b: "" }, "a", /was added there with other contents/],
    ["what has no lines", { a: NUL }, { a: `${NUL}1` }, { a: `${NUL}2` }, "a", /is binary/],
    ["a link on the other side", { a: "1\n" }, { a: "2\n" }, { a: { mode: "120000", bytes: "b" } }, "a", /is a link or a submodule/],
    [
      "a file below what became a file there",
      { b: "" },
      { "a/c": "1\n", b: "" },
      { a: "file\n", b: "" },
      "a/c",
      /lies in a folder that is a file there/,
    ],
    ["a file where a folder came to be there", { b: "" }, { a: "1\n", b: "" }, { "a/c": "1\n", b: "" }, "a", /is a folder there/],
    [
      "a file where a folder got another file there",
      { "a/b": "1\n" },
      { a: "file\n" },
      { "a/b": "1\n", "a/c": "1\n" },
      "a",
      /is a folder there/,
    ],
  ];
  test.each(overlapping)("names as an overlap: %s", async (_, before, after, theirs, path, why) => {
    const { replay: replayed } = await replay(before, after, theirs);
    expect(replayed).toMatchObject({ status: "overlaps", overlaps: [{ path, why: expect.stringMatching(why) }] });
  });

  test("shows the other commit's files to whoever judges it", async () => {
    const theirs = { a: "1\n", "only-theirs": "t\n", link: { mode: "120000", bytes: "a" } } as const;
    const { replay: replayed } = await replay({ a: "1\n" }, { a: "2\n" }, theirs);
    if (replayed.status !== "replayed") throw new Error("overlaps");
    const { base } = replayed;
    expect([...base.paths()].sort()).toEqual(["a", "link", "only-theirs"]);
    const shown = await Promise.all(["only-theirs", "link", "none"].map((path) => base.file(path)));
    expect(shown.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(["t\n", undefined, undefined]);
  });

  test("hears no merge driver and no attribute of the repository", async () => {
    const attributes = { ".gitattributes": "* merge=union -text\na merge=ours\n" };
    const [before, after, theirs] = ["1\n", "ours\n", "theirs\n"].map((a) => ({ ...attributes, a }));
    const { replay: replayed } = await replay(before ?? {}, after ?? {}, theirs ?? {});
    expect(replayed.status).toBe("overlaps");
  });

  const tree = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("1\n", "2\n", "3\n"), { minKeys: 1 });
  test("never undoes what the other side changed, whatever the two sides are", async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, tree, async (before, after, theirs) => {
        const { replay: replayed } = await replay(before, after, theirs);
        const paths = [...new Set([before, after, theirs].flatMap(Object.keys))];
        const isBoth = (path: string) => before[path] !== after[path] && before[path] !== theirs[path] && after[path] !== theirs[path];
        if (paths.some(isBoth)) {
          expect(replayed.status).toBe("overlaps");
          return;
        }
        const merged = paths.map((path): [string, string | undefined] => [path, before[path] === after[path] ? theirs[path] : after[path]]);
        const expected = Object.fromEntries(merged.filter((pair): pair is [string, string] => pair[1] !== undefined));
        const sha = origin.text(["rev-parse", `${commitOf(expected)}^{tree}`]);
        expect(replayed).toMatchObject({ status: "replayed", changes: { tree: sha } });
      }),
      { numRuns: 20 },
    );
  });
});
