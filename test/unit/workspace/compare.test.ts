import { afterAll, describe, expect, test } from "vitest";
import { compareCommits, fetchMergeBase } from "../../../src/workspace/compare.ts";
import { linguistFlags } from "../../../src/workspace/linguist.ts";
import { makeRepository, temporaryFolder } from "./git-host.ts";
import { openTestOrigin } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

/** Test trees name their paths byte by byte. */
const latin1 = (name: string): string => Buffer.from(name).toString("latin1");
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${at}\n`).join("");

/** A base that went on by `ahead` commits after the head left it, and a head of two commits. */
function forked(ahead: number) {
  const origin = makeRepository(temporary.path);
  const start = origin.commit({ a: lines(30), evil: "x\n", ".gitattributes": "a diff=evil\n*.txt -diff\n" });
  let base = start;
  for (let at = 0; at < ahead; at += 1) base = origin.commit({ a: lines(30), "of-the-base": `${at}\n` }, { parent: base });
  const middle = origin.commit({ a: lines(30).replace("4\n", "four\n"), [latin1("über x.txt")]: "text\n" }, { parent: start });
  const head = origin.commit({ moved: lines(30).replace("4\n", "four\n"), [latin1("über x.txt")]: "text\n" }, { parent: middle });
  return { origin, start, base, head };
}

describe("what a pull request changes", () => {
  test.each([0, 3, 60])("is its head against where it left its base, %i commits ago", async (ahead) => {
    const { origin, start, base, head } = forked(ahead);
    await using opened = await openTestOrigin(temporary.path, { origin, commit: head });
    const { mergeBase, raw, patch } = await compareCommits({ store: opened.store, remote: opened.remote, base, head });
    expect(mergeBase).toBe(start);
    const tokens = raw.split("\0").filter((token) => token !== "");
    expect(tokens.filter((token) => !token.startsWith(":"))).toEqual([".gitattributes", "evil", "a", "moved", "über x.txt"]);
    expect(patch).toContain("-4\n+four\n");
    expect(patch).not.toContain("of-the-base");
  });

  test.each([3, 20])("is brought in one fetch, both sides with what lies %i commits back", async (ahead) => {
    const { origin, start, base, head } = forked(ahead);
    const elsewhere = origin.commit({ other: "x\n" });
    await using opened = await openTestOrigin(temporary.path, { origin, commit: elsewhere });
    const { host, store, remote } = opened;
    const fetches = () => host.requests.filter(({ url }) => url.includes("/info/refs")).length;
    const before = fetches();
    expect(await fetchMergeBase({ store, remote, base, head })).toBe(start);
    expect(fetches() - before).toBe(1);
    // What is known is not asked for again.
    expect(await fetchMergeBase({ store, remote, base, head })).toBe(start);
    expect(fetches() - before).toBe(1);
  });

  test("is found where one of both was checked out before, without its history", async () => {
    const { origin, start, base, head } = forked(3);
    await using opened = await openTestOrigin(temporary.path, { origin, commit: base });
    expect(await fetchMergeBase({ store: opened.store, remote: opened.remote, base, head })).toBe(start);
  });

  test.each(["base", "head"] as const)("cannot be had without its %s, and that is the commit which is named", async (side) => {
    const { origin, base, head } = forked(1);
    const elsewhere = origin.commit({ other: "x\n" });
    await using opened = await openTestOrigin(temporary.path, { origin, commit: elsewhere });
    const missing = "7".repeat(40);
    const fetching = fetchMergeBase({ store: opened.store, remote: opened.remote, base, head, [side]: missing });
    await expect(fetching).rejects.toMatchObject({ code: "commit-missing", message: expect.stringContaining(missing) as string });
  });

  test("two histories with nothing in common are compared as they stand", async () => {
    const { origin, base } = forked(1);
    const head = origin.commit({ other: "x\n" });
    await using opened = await openTestOrigin(temporary.path, { origin, commit: head });
    const { mergeBase, raw } = await compareCommits({ store: opened.store, remote: opened.remote, base, head });
    expect(mergeBase).toBeUndefined();
    expect(raw).toContain("other");
  });

  test("nothing differs between a commit and itself", async () => {
    const { origin, base } = forked(1);
    await using opened = await openTestOrigin(temporary.path, { origin, commit: base });
    const found = await compareCommits({ store: opened.store, remote: opened.remote, base, head: base });
    expect(found).toEqual({ mergeBase: base, raw: "", patch: "", isCut: false });
  });
});

describe("what the repository says of its files", () => {
  test("is read from the attributes of the commit, those of folders included", async () => {
    const origin = makeRepository(temporary.path);
    const commit = origin.commit({
      ".gitattributes": "*.pb.go linguist-generated\ndist/** linguist-generated=true\n/docs/* linguist-vendored=false\n",
      "lib/.gitattributes": "*.js linguist-vendored\nown.js -linguist-vendored\n",
      x: "x",
    });
    await using opened = await openTestOrigin(temporary.path, { origin, commit });
    const paths = ["a/b.pb.go", "dist/x/y.js", "lib/z.js", "lib/own.js", "docs/a.md", "plain.ts", "with blank.pb.go", "ü.pb.go"];
    const flags = await linguistFlags(opened.store, { commit, paths });
    expect(Object.fromEntries(flags)).toEqual({
      "a/b.pb.go": { generated: true },
      "dist/x/y.js": { generated: true },
      "lib/z.js": { vendored: true },
      "lib/own.js": { vendored: false },
      "docs/a.md": { vendored: false },
      "with blank.pb.go": { generated: true },
      "ü.pb.go": { generated: true },
    });
  });

  test("a commit without attributes says nothing", async () => {
    const origin = makeRepository(temporary.path);
    const commit = origin.commit({ x: "x" });
    await using opened = await openTestOrigin(temporary.path, { origin, commit });
    expect((await linguistFlags(opened.store, { commit, paths: ["x"] })).size).toBe(0);
    expect((await linguistFlags(opened.store, { commit, paths: [] })).size).toBe(0);
  });
});
