import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../src/gate/judged.ts";
import { sizeRule } from "../../../../src/gate/rules/size.ts";
import { ask, comment, commit, openPull, severities, write } from "../fixtures.ts";

const limits = { files: 3, bytes: 100, deletedShare: 0.2, pullRequests: 1, comments: 20 };
const ruleFor = (paths: readonly string[] | undefined) => sizeRule({ limits, basePaths: () => paths });
const rule = ruleFor(Array.from({ length: 10 }, (_, index) => `${index}.ts`));
/** A review with one remark on a file of that name. */
const review = (path: string): Judged => ({
  kind: "review",
  repository: { id: 1, owner: "acme", name: "app" },
  number: 2,
  commitId: "a".repeat(40),
  body: "Words.",
  comments: [{ path, line: 1, side: "RIGHT", body: "A remark." }],
});
const files = (count: number, side: object) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.ts`, side]));

describe("size", () => {
  it.each<[string, Judged, RegExp]>([
    ["a file more than the limit", commit(files(4, { after: "x" })), /4 files \(limit 3\)/],
    ["a byte more than the limit", commit({ a: { after: "x".repeat(101) } }), /101 new bytes \(limit 100\)/],
    ["bytes spread over files", commit(files(3, { after: "x".repeat(34) })), /102 new bytes/],
    ["a single write over the limit", write("a", "x".repeat(101)), /101 new bytes/],
    ["a title of 257 characters", openPull(undefined, { title: "x".repeat(257) }), /title has 257 characters \(limit 256\)/],
    ["a title of two lines", openPull(undefined, { title: "a\nb" }), /title .* more than one line/],
    ["a title with a Unicode line separator", openPull(undefined, { title: "a\u2028b" }), /more than one line/],
    ["a title with an escape", openPull(undefined, { title: "a\u001b[31m" }), /control character/],
    ["an empty title", openPull(undefined, { title: "  " }), /title is empty/],
    ["a branch with a line break", commit(undefined, { branch: "a\nb" }), /branch holds a control character/],
    ["an overlong branch", commit(undefined, { branch: "x".repeat(101) }), /branch has 101/],
    ["a body beyond GitHub's limit", comment("x".repeat(65_537)), /limit 65536/],
    ["a body with a NUL", comment("a\0b"), /control character/],
    ["a remark on a name with a NUL", review("a\0b"), /remarked path holds a control character/],
    ["half of a surrogate pair", comment("a\ud800b"), /surrogate/],
    ["an empty commit message", commit(undefined, { message: "\n" }), /message is empty/],
  ])("blocks %s", async (_, judged, why) => {
    const findings = await ask(rule, judged);
    expect(severities(findings)).toEqual(["block"]);
    expect(findings[0]?.why).toMatch(why);
  });

  it.each<[string, Judged]>([
    ["as many files as the limit", commit(files(3, { after: "x" }))],
    ["as many bytes as the limit", commit({ a: { after: "x".repeat(100) } })],
    ["a large file that only changes its mode", commit({ a: { before: "x".repeat(500), after: "x".repeat(500), mode: "100755" } })],
    ["a title of 256 emoji", openPull(undefined, { title: "🔑".repeat(256) })],
    ["an empty body", comment("")],
    ["a remark on a file whose name git allows", review("tab\tline\nend.ts")],
    ["a body of many lines", comment("a\r\n\tb\n".repeat(100))],
    ["two deletions of ten files", commit({ "1.ts": { before: "x" }, "2.ts": { before: "x" } })],
    ["moves, which delete nothing", commit({ ...files(1, { before: "x" }), a: { after: "x", movedFrom: "0.ts" } })],
  ])("lets through %s", async (_, judged) => {
    expect(await ask(rule, judged)).toEqual([]);
  });

  it("warns with both numbers when more than a fifth of the files go", async () => {
    expect(await ask(rule, commit(files(3, { before: "x" })))).toMatchObject([
      { severity: "warn", why: expect.stringContaining("3 of 10") as string },
    ]);
  });

  it("says so when it cannot tell the share of deletions", async () => {
    expect(severities(await ask(ruleFor(undefined), commit({ a: { before: "x" } })))).toEqual(["info"]);
  });
});
