import { afterAll, expect, test } from "vitest";
import { readBaseFiles } from "../../../src/workspace/base-files.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { makeRepository, temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const raw = (path: string): string => Buffer.from(path).toString("latin1");
const TREE = {
  "a/x": "1",
  star: "2",
  "st*r": "3",
  ":(top)y": "4",
  ":!star": "5",
  "new\nline": "6",
  "tab\tbed": "7",
  "-r": "8",
  '"quoted"': "9",
  "100644 blob": "10",
  [raw("ü😀")]: "11",
  run: { mode: "100755", bytes: "12" },
  link: { mode: "120000", bytes: "star" },
  large: "x".repeat(2_000),
  // A key like any other only when it is computed.
  ["__proto__"]: "13",
} as const;

function openBase() {
  const origin = makeRepository(temporary.path);
  const commit = origin.commit(TREE);
  const store = { git: openGit({ path: process.env["PATH"] ?? "" }), gitDir: origin.gitDir };
  const stores = { open: () => Promise.resolve(store) } as unknown as Parameters<typeof readBaseFiles>[0];
  return {
    origin,
    commit,
    read: (paths: readonly string[], at = commit) => readBaseFiles(stores, { repositoryId: 1, commit: at, paths, maxBytes: 1_000 }),
  };
}

test("files of a commit are found by their names to the letter, however odd these are", async () => {
  const { read } = openBase();
  const names = ["a/x", "star", "st*r", ":(top)y", ":!star", "new\nline", "tab\tbed", "-r", '"quoted"', "100644 blob", "ü😀", "__proto__"];
  const found = await read(names);
  const texts = names.map((name) => Buffer.from(found?.get(name)?.content ?? []).toString());
  expect(texts).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "13"]);
  expect(found?.size).toBe(names.length);
});

test("one says how it is kept, and one that is too large comes without its bytes", async () => {
  const { read } = openBase();
  const found = await read(["run", "link", "large"]);
  expect(found?.get("run")).toMatchObject({ mode: "100755" });
  expect(found?.get("link")).toMatchObject({ mode: "120000" });
  expect(found?.get("large")).toEqual({ mode: "100644" });
});

test.each([
  ["", "an empty one"],
  ["..", "one that leads out"],
  ["../a", "one that leads out and in"],
  ["/etc/passwd", "an absolute one"],
  ["a/../star", "one with a dot segment"],
  ["./star", "one that begins here"],
  [".", "the whole tree"],
  ["a", "a folder"],
  ["a/", "a folder with a slash"],
  ["a//x", "one with two slashes"],
  ["s*", "a pattern"],
  [":/", "magic of git's"],
  [":(glob)**", "more magic of git's"],
  ["star\0", "one with an end inside"],
  ["none", "one that is not there"],
])("a path such as %j, %s, is no file, and hides no other", async (path) => {
  const { read } = openBase();
  expect([...((await read([path, "star"])) ?? [])].map(([name]) => name)).toEqual(["star"]);
  expect(await read([path])).toEqual(new Map());
});

test.each(["HEAD", "main", "--all", "", "0".repeat(40), "f".repeat(39)])("nothing is said of the commit %j", async (commit) => {
  expect(await openBase().read(["star"], commit)).toBeUndefined();
});

test("nothing is said of a tree or a blob in a commit's place", async () => {
  const { read, origin, commit } = openBase();
  for (const object of [`${commit}^{tree}`, `${commit}:star`])
    expect(await read(["star"], origin.text(["rev-parse", object]))).toBeUndefined();
});
