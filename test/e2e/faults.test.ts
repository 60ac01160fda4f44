import { expect, test } from "vitest";
import { call, resumable, say, type Fault } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

const FILES = { "README.md": "# Widgets\n", "src/sum.js": "export const sum = (a, b) => a - b\n" };
const TURNS = [
  call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
  call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
  say("`sum` adds now."),
];
/** Every kind of write that the main job makes. */
const WRITES = [
  /^POST .*\/reactions$/,
  /^POST .*\/issues\/\d+\/comments$/,
  /^POST .*\/git\/refs$/,
  /createCommitOnBranch/,
  /^POST .*\/pulls$/,
  /^PATCH .*\/issues\/comments\/\d+$/,
];
const SERVER_ERROR = { status: 500, body: { message: "Server Error" } };
const LIMIT = { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." };

test.each<readonly [string, Pick<Fault, "respond" | "after">]>([
  ["done, but answered 500", { respond: SERVER_ERROR, after: true }],
  ["refused by a secondary limit that names its time", { respond: { status: 403, headers: { "retry-after": "1" }, body: LIMIT } }],
])("each write once %s, the main job leaves one of everything", { timeout: 60_000 }, async (_, fault) => {
  await using stage = await openStage({ files: FILES, script: resumable(TURNS) });
  const { github, model } = stage;
  github.addIssue(REPOSITORY, { title: "sum subtracts", body: "It does.", user: "alice" });
  for (const match of WRITES) github.fault({ match, times: 1, ...fault });
  await stage.say(1, "@sallyport fix this");

  expect(github.requests.filter(({ faulted }) => faulted)).toHaveLength(WRITES.length);
  expect(github.pulls(REPOSITORY)).toMatchObject([{ number: 2, draft: false, headRef: "sallyport/1-sum-subtracts" }]);
  expect(github.branches(REPOSITORY)).toEqual(["main", "sallyport/1-sum-subtracts"]);
  expect(github.fileAt(REPOSITORY, github.pulls(REPOSITORY)[0]?.headSha ?? "", "src/sum.js")).toContain("a + b");
  expect(github.reactions(REPOSITORY)).toHaveLength(1);
  expect(stage.comments(1)).toMatchObject([expect.stringMatching(/^\*\*done\*\* — Opened #2\.[\s\S]*`sum` adds now\.[\s\S]*state=done/)]);
  expect(model.requests).toHaveLength(TURNS.length);
  expect(model.problems).toEqual([]);
});

test("a refusal is not repeated unchanged, and what it means is said", async () => {
  await using stage = await openStage({ files: FILES, script: resumable(TURNS) });
  stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "It does.", user: "alice" });
  stage.github.fault({ match: /^POST .*\/git\/refs$/, respond: { status: 422, body: { message: "Repository rule violations found" } } });
  await stage.say(1, "@sallyport fix this");
  const sent = stage.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/git/refs"));
  // The model's try and the run's own: the work is not dropped after one refusal.
  expect(sent).toHaveLength(2);
  expect(stage.github.pulls(REPOSITORY)).toEqual([]);
  expect(stage.comments(1)).toMatchObject([
    expect.stringMatching(/^\*\*failed\*\* — The change could not be published: .*Repository rule violations/),
  ]);
});
