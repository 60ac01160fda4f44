import { describe, expect, test } from "vitest";
import { call, say, type Script, type Turn } from "../../src/testing/index.ts";
import { propose, turnOf } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const OVER = { timeout: 90_000 };
const TEST = "import { test } from 'node:test'\ntest('is fresh', () => {})\n";

/** A model that goes through these turns in each conversation. */
const turns =
  (...all: readonly Turn[]): Script =>
  (request) =>
    all[turnOf(request)] ?? say("Done.");

async function onPull(script: Script, files?: Readonly<Record<string, string>>) {
  const stage = await openStage({ script, ...(files === undefined ? {} : { files }) });
  return { stage, pull: propose(stage) };
}
const firstOf = ({ model }: Stage) => model.requests[0] ?? expect.fail("the model was never asked");

describe("a pull request is", () => {
  test("described: its difference is shown, the answer is the proposal, and nothing is edited", OVER, async () => {
    const proposal = "Title: Add four fresh lines\n\nAdds `src/fresh.js`.\n\nLook at line 2 first.";
    const { stage, pull } = await onPull(turns(call("write_file", { path: "a", content: "b" }), say(proposal)));
    await using _ = stage;
    await stage.say(1, "@sallyport describe\nfor people who do not know the code");
    const request = firstOf(stage);
    expect(request.text).toContain('=== "src/fresh.js" (added)');
    expect(request.text).toContain("+2 two");
    expect(request.text).toMatch(/for people who do not know the code[\s\S]*Propose a title and a description/);
    expect(request.toolNames).toContain("read_diff");
    expect(
      request.toolNames.filter((name) => /^(?:write_file|edit_file|run_shell|gh_commit_changes|gh_create_pr|gh_review_pr)$/.test(name)),
    ).toEqual([]);
    expect(stage.model.requests[1]?.results[0]).toMatch(/^\[error\].*this run looks and explains/s);
    expect(stage.comments(1)).toEqual([expect.stringContaining("Add four fresh lines\n\nAdds `src/fresh.js`.")]);
    expect(stage.github.issue(REPOSITORY, 1)).toMatchObject({ title: "A feature" });
    expect(stage.github.pulls(REPOSITORY)).toMatchObject([{ headSha: pull.headSha }]);
  });

  test("explained", OVER, async () => {
    const { stage } = await onPull(turns(say("It adds four lines, see src/fresh.js:2.")));
    await using _ = stage;
    await stage.say(1, "@sallyport explain");
    expect(firstOf(stage).text).toMatch(/\+2 two[\s\S]*Explain this:/);
    expect(stage.comments(1)).toEqual([expect.stringContaining("It adds four lines, see src/fresh.js:2.")]);
  });

  test("given the tests that it lacks, as a commit on its branch", OVER, async () => {
    const write = call("write_file", { path: "test/fresh.test.js", content: TEST });
    const { stage, pull } = await onPull(turns(write, call("gh_commit_changes", { message: "Test what is fresh" }), say("Tested.")));
    await using _ = stage;
    const before = pull.headSha;
    await stage.say(1, "@sallyport tests");
    expect(firstOf(stage).text).toContain("Write the tests that this pull request's change lacks.");
    expect(pull.headSha).not.toBe(before);
    expect(stage.github.fileAt(REPOSITORY, pull.headSha, "test/fresh.test.js")).toBe(TEST);
    expect(stage.comments(1)).toEqual([expect.stringContaining("Tested.")]);
  });

  test("given its changelog entry, in the file that there is", OVER, async () => {
    const log = "# Changelog\n\n## Unreleased\n";
    const edit = call("edit_file", {
      path: "CHANGELOG.md",
      old_string: "## Unreleased\n",
      new_string: "## Unreleased\n\n- Four fresh lines.\n",
    });
    const { stage, pull } = await onPull(turns(edit, call("gh_commit_changes", { message: "Log it" }), say("Logged.")), {
      ...FILES,
      "CHANGELOG.md": log,
    });
    await using _ = stage;
    await stage.say(1, "@sallyport changelog");
    expect(firstOf(stage).text).toContain("Write the changelog entry for this pull request.");
    expect(stage.github.fileAt(REPOSITORY, pull.headSha, "CHANGELOG.md")).toBe(`${log}\n- Four fresh lines.\n`);
  });
});

test("on a fork's pull request tests are proposed in the answer, and nothing that writes is in reach", OVER, async () => {
  await using stage = await openStage({ script: turns(say("test/fresh.test.js:\n\n```js\ntest()\n```")) });
  stage.github.addFork(REPOSITORY, "mallory");
  stage.github.push("mallory/widgets", "main", { "src/fresh.js": "one\n" });
  const pull = stage.github.openPull(REPOSITORY, { title: "From afar", user: "mallory", head: "main", headRepository: "mallory/widgets" });
  await stage.say(pull.number, "@sallyport tests");
  expect(firstOf(stage).toolNames).not.toContain("write_file");
  expect(stage.comments(pull.number)).toEqual([expect.stringContaining("test/fresh.test.js:")]);
});

describe("on an issue", () => {
  test.each(["describe", "tests", "changelog"])("%s is answered with why not, without a model", OVER, async (name) => {
    await using stage = await openStage({ script: [] });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
    await stage.say(number, `@sallyport ${name}`);
    expect(stage.comments(number)).toEqual([
      expect.stringContaining(`**failed** — #${number} is an issue, and \`${name}\` is about a pull request's change: there is none here.`),
    ]);
    stage.model.assertDone();
  });

  test("explain explains it", OVER, async () => {
    await using stage = await openStage({ script: turns(say("It subtracts, see src/sum.js:2.")) });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "Why?", user: "alice" });
    await stage.say(number, "@sallyport explain");
    expect(firstOf(stage).text).toContain("Explain this:");
    expect(stage.comments(number)).toEqual([expect.stringContaining("It subtracts, see src/sum.js:2.")]);
  });
});
