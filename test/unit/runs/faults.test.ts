import { expect, test } from "vitest";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Fault } from "../../../src/testing/index.ts";
import { callTo, say } from "../agent/doubles.ts";
import { openBench, REPOSITORY, type Bench } from "./bench.ts";

const TURNS = [
  callTo("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }, "edit"),
  callTo("gh_create_pr", { title: "Make sum add", body: "It subtracted." }, "open"),
  say("`sum` adds now."),
];
const script = (_: unknown, turn: number) => TURNS[turn] ?? say("");
const WRITES: readonly (readonly [string, RegExp])[] = [
  ["the eyes", /^POST .*\/reactions$/],
  ["the comment", /^POST .*\/issues\/\d+\/comments$/],
  ["the branch", /^POST .*\/git\/refs$/],
  ["the commit", /createCommitOnBranch/],
  ["the pull request", /^POST .*\/pulls$/],
  ["the last words", /^PATCH .*\/issues\/comments\/\d+$/],
];
const SERVER_ERROR = { status: 500, body: { message: "Server Error" } };
const LIMIT = { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." };
const KINDS: readonly (readonly [string, Pick<Fault, "respond" | "after">])[] = [
  ["answered 500 before it is done", { respond: SERVER_ERROR }],
  ["done, but answered 500", { respond: SERVER_ERROR, after: true }],
  ["cut off before it is done", { respond: "reset" }],
  ["done, but cut off before its answer", { respond: "reset", after: true }],
  ["done, but answered with a page of a proxy", { respond: { status: 200, body: "<html>Please log in</html>" }, after: true }],
  ["refused by a secondary limit", { respond: { status: 403, headers: { "retry-after": "1" }, body: LIMIT } }],
  ["refused with a token that has just expired", { respond: { status: 401, body: { message: "Bad credentials" } } }],
];

async function expectTheUsualEnd(bench: Bench): Promise<void> {
  const run = bench.ask("fix this");
  const { github } = bench;
  expect(await bench.attempt(run)).toBe("done");
  expect(github.requests.some(({ faulted }) => faulted)).toBe(true);
  expect(github.pulls(REPOSITORY)).toMatchObject([{ number: 2, draft: false, headRef: "sallyport/1-sum-subtracts" }]);
  expect(github.branches(REPOSITORY)).toEqual(["main", "sallyport/1-sum-subtracts"]);
  expect(github.fileAt(REPOSITORY, github.pulls(REPOSITORY)[0]?.headSha ?? "", "src/sum.js")).toContain("a + b");
  expect(github.reactions(REPOSITORY)).toHaveLength(1);
  expect(bench.comments(run)).toMatchObject([expect.stringMatching(/^\*\*done\*\* — Opened #2\.[\s\S]*`sum` adds now\.[\s\S]*state=done/)]);
}

test.each(WRITES.flatMap(([what, match]) => KINDS.map(([how, fault]) => [what, how, match, fault] as const)))(
  "%s, once %s, stands there once in the end",
  async (_, __, match, fault) => {
    await using bench = await openBench({ script });
    bench.github.fault({ match, times: 1, ...fault });
    await expectTheUsualEnd(bench);
  },
);

test.each([
  ["the permission", /collaborators\/.*\/permission/],
  ["the commit to work on", /^GET .*\/git\/ref\/heads\/main$/],
  ["the thread", /^GET .*\/issues\/1$/],
  ["the branches that exist", /matching-refs/],
])("%s that cannot be read at first is read again", async (_, match) => {
  await using bench = await openBench({ script });
  bench.github.fault({ match, times: 2, respond: { status: 503, body: { message: "Unavailable" } } });
  await expectTheUsualEnd(bench);
});

test("code that cannot be fetched is left to another try, and nothing is said to have failed", async () => {
  await using bench = await openBench({ script });
  const run = bench.ask("fix this");
  bench.github.fault({ match: /git-upload-pack/, times: 1, respond: { status: 503, body: "" } });
  const journal = memoryJournal();
  await expect(bench.attempt(run, { journal })).rejects.toMatchObject({ code: "remote-unreachable" });
  expect(bench.comments(run)).toMatchObject([expect.stringMatching(/^\*\*working\*\*/)]);
  expect(await bench.attempt(run, { journal, attempt: 2 })).toBe("done");
  expect(bench.comments(run)).toHaveLength(1);
});

test("the rest of a run's work is not dropped for a GitHub that is away for a while", async () => {
  await using bench = await openBench({ script: (_, turn) => (turn === 0 ? script(_, 0) : say("ok")) });
  const run = bench.ask("fix this");
  const back = bench.github.fault({ match: /^POST .*\/git\/refs$/, respond: { status: 503, body: { message: "Unavailable" } } });
  const journal = memoryJournal();
  await expect(bench.attempt(run, { journal })).rejects.toMatchObject({ code: "uncertain" });
  back();
  expect(await bench.attempt(run, { journal, attempt: 2 })).toBe("done");
  expect(bench.github.pulls(REPOSITORY)).toMatchObject([{ draft: true }]);
});
