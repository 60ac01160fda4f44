import { expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });
const issueOptions = { title: "sum subtracts", body: "`sum(1, 2)` gives -1.", user: "alice" };
const WORKFLOW = ".github/workflows/build.yml";

test("a hostile workflow is held at both doors: nothing of it exists on GitHub, and people are told", async () => {
  await using stage = await openStage({
    script: [
      call("write_file", { path: WORKFLOW, content: "on: push\n" }),
      call("run_shell", { command: `mkdir -p .github/workflows; echo 'on: push' > ${WORKFLOW}` }),
      openPull,
      say("I could not."),
    ],
  });
  const { github } = stage;
  github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport add a workflow");
  expect(github.branches(REPOSITORY)).toEqual(["main"]);
  expect(github.pulls(REPOSITORY)).toEqual([]);
  expect(JSON.stringify(github.requests.filter(({ method }) => method === "POST").map(({ path }) => path))).not.toMatch(
    /git\/(blobs|trees|commits|refs)/,
  );
  const [comment] = stage.comments(1);
  expect(comment).toMatch(/^\*\*blocked\*\*/);
  expect(comment).toContain("protected-paths");
  expect(comment).toContain(WORKFLOW);
});

test("a refused write never touches the workspace", async () => {
  await using stage = await openStage({
    script: [call("write_file", { path: WORKFLOW, content: "on: push\n" }), edit, openPull, say("ok")],
  });
  stage.github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport fix it");
  const head = stage.github.pulls(REPOSITORY)[0]?.headSha ?? "";
  expect(stage.github.fileAt(REPOSITORY, head, WORKFLOW)).toBeUndefined();
  expect(stage.github.fileAt(REPOSITORY, head, "src/sum.js")).toContain("a + b");
});

test.each([
  ["who may only read", "mallory", "@sallyport fix it"],
  ["a stranger", "nobody-here", "@sallyport fix it"],
])("%s gets no answer at all, not even a reaction", async (_, user, text) => {
  await using stage = await openStage({ script: [] });
  stage.github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, text, user);
  expect(stage.comments(1)).toEqual([]);
  expect(stage.github.reactions(REPOSITORY)).toEqual([]);
  stage.model.assertDone();
});

test("when GitHub cannot say who may ask, nobody is let in", async () => {
  await using stage = await openStage({ script: [] });
  stage.github.addIssue(REPOSITORY, issueOptions);
  stage.github.fault({
    match: /collaborators\/.*\/permission/,
    respond: { status: 403, body: { message: "Resource not accessible by integration" } },
  });
  await stage.github.say(REPOSITORY, 1, "@sallyport fix it", "alice");
  await expect.poll(() => stage.github.requests.filter(({ path }) => path.endsWith("/permission")).length).toBeGreaterThan(0);
  expect(stage.comments(1)).toEqual([]);
  expect(stage.github.reactions(REPOSITORY)).toEqual([]);
});

test.each([
  ["no model is configured", { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined }, /No model is configured\. .*OPENAI_API_KEY/],
  ["the model's port is closed", { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, /127\.0\.0\.1:9.*OPENAI_BASE_URL/s],
])("when %s, the comment ends as failed and says what to set", { timeout: 120_000 }, async (_, environment, says) => {
  await using stage = await openStage({ script: [], environment });
  stage.github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport fix it");
  expect(stage.comments(1)).toHaveLength(1);
  expect(stage.comments(1)[0]).toMatch(/^\*\*failed\*\*/);
  expect(stage.comments(1)[0]).toMatch(says);
  expect(stage.github.branches(REPOSITORY)).toEqual(["main"]);
});

test("in a repository without a commit the bot says so once", async () => {
  await using stage = await openStage({ script: [], files: {} });
  stage.github.addRepository("acme/empty", { permissions: { alice: "write" } });
  const issue = stage.github.addIssue("acme/empty", issueOptions);
  await stage.github.say("acme/empty", issue.number, "@sallyport fix it", "alice");
  await stage.idle();
  const said = stage.github.comments("acme/empty").filter(({ user }) => user === "sallyport[bot]");
  expect(said).toHaveLength(1);
  expect(said[0]?.body).toMatch(/^\*\*failed\*\* — The repository has no commit yet/);
});

test("a locked issue is tried at most once, and costs no model call", async () => {
  await using stage = await openStage({ script: [] });
  stage.github.addIssue(REPOSITORY, { ...issueOptions, locked: true });
  await stage.say(1, "@sallyport fix it");
  expect(
    stage.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/issues/1/comments")).length,
  ).toBeLessThanOrEqual(1);
  stage.model.assertDone();
});

test("an issue that is gone by the time of the run leaves nothing half done", async () => {
  await using stage = await openStage({ script: [] });
  stage.github.addIssue(REPOSITORY, issueOptions);
  stage.github.fault({ match: `* /repos/${REPOSITORY}/issues/**`, respond: { status: 404, body: { message: "Not Found" } } });
  await stage.say(1, "@sallyport fix it");
  expect(stage.github.branches(REPOSITORY)).toEqual(["main"]);
  stage.model.assertDone();
});

test("a fork's pull request is read and answered, never written to, whatever the model tries", async () => {
  await using stage = await openStage({ script: [edit, openPull, call("gh_commit_changes", { message: "x" }), say("Looks fine.")] });
  const { github } = stage;
  github.push(github.addFork(REPOSITORY, "joss"), "topic", { "src/extra.js": "1\n" });
  const pull = github.openPull(REPOSITORY, { title: "from a fork", user: "joss", head: "topic", headRepository: "joss/widgets" });
  await stage.say(pull.number, "@sallyport is this safe?");
  expect(github.branches(REPOSITORY)).toEqual(["main"]);
  expect(github.pulls(REPOSITORY)).toHaveLength(1);
  expect(stage.comments(pull.number)[0]).toContain("Looks fine.");
  expect(stage.model.requests.at(-1)?.results.join("\n")).toMatch(/edit_file is not offered here: this run is read-only.*fork/);
  const offered = stage.model.requests[0]?.toolNames ?? [];
  expect(offered).toContain("read_file");
  for (const tool of ["edit_file", "write_file", "run_shell", "gh_create_pr", "gh_commit_changes"]) expect(offered).not.toContain(tool);
});

test("a wrong App id or key stops the start with one line that names both variables", async () => {
  await using stage = await openStage({ script: [], startProduct: false, environment: { APP_ID: "1" } });
  await expect(stage.start()).rejects.toThrow(/APP_ID and PRIVATE_KEY do not belong together/);
});
