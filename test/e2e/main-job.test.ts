import { expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { openStage as open, REPOSITORY, TESTED, type StageOptions } from "./stage.ts";

const openStage = (options: StageOptions) => open({ files: TESTED, ...options });

const edit = (old_string: string, new_string: string, path = "src/sum.js") => call("edit_file", { path, old_string, new_string });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });
const issueOptions = { title: "sum subtracts", body: "`sum(1, 2)` gives -1.", user: "alice" };

test("a mention becomes a pull request that holds exactly the edit, and one comment that says so", async () => {
  await using stage = await openStage({
    script: [call("read_file", { path: "src/sum.js" }), edit("a - b", "a + b"), openPull, say("`sum` adds now.")],
  });
  const { github, model } = stage;
  const issue = github.addIssue(REPOSITORY, issueOptions);
  await stage.say(issue.number, "@sallyport please fix this");

  const [pull, ...more] = github.pulls(REPOSITORY);
  expect(more).toEqual([]);
  expect(pull).toMatchObject({ number: 2, baseRef: "main", headRef: "sallyport/1-sum-subtracts", draft: false, title: "Make sum add" });
  expect(pull?.body).toMatch(/Closes #1$/);
  const head = pull?.headSha ?? "";
  const expected = { ...TESTED, "src/sum.js": TESTED["src/sum.js"].replace("a - b", "a + b") };
  for (const [path, content] of Object.entries(expected)) expect(github.fileAt(REPOSITORY, head, path)).toBe(content);
  expect(github.reactions(REPOSITORY)).toMatchObject([{ target: "issue-comment", content: "eyes", user: "sallyport[bot]" }]);

  const comments = stage.comments(1);
  expect(comments).toHaveLength(1);
  expect(comments[0]).toMatch(/^\*\*done\*\* — Opened #2\./);
  expect(comments[0]).toContain("`sum` adds now.");
  expect(comments[0]).toMatch(/<!-- sallyport run=\S+ state=done sig=[0-9a-f]{32} -->$/);
  expect(github.requests.filter(({ git }) => git === "push")).toEqual([]);
  model.assertDone();
});

test("no secret reaches the model, and GitHub's tokens are sent to GitHub alone", async () => {
  await using stage = await openStage({
    script: [call("run_shell", { command: "env; cat /proc/1/environ" }), edit("a - b", "a + b"), openPull, say("ok")],
  });
  const { github, model, secrets } = stage;
  const issue = github.addIssue(REPOSITORY, issueOptions);
  await stage.say(issue.number, "@sallyport please fix this");

  const tokens = secrets.values().filter((value) => value.startsWith("ghs_"));
  expect(tokens.length).toBeGreaterThan(0);
  const toModel = model.requests.map(({ text, authorization }) => `${text} ${authorization}`).join("\n");
  for (const secret of [...tokens, github.webhookSecret, github.privateKey]) expect(toModel).not.toContain(secret);
  const carried = github.requests.filter(({ authorization }) => authorization !== undefined);
  expect(new Set(carried.map(({ host }) => host))).toEqual(new Set([github.host]));
});

test("after an edit the repository's tests run, and the model is shown how they failed and that they pass", async () => {
  await using stage = await openStage({ script: [edit("a - b", "a * b"), edit("a * b", "a + b"), openPull, say("ok")] });
  const issue = stage.github.addIssue(REPOSITORY, issueOptions);
  await stage.say(issue.number, "@sallyport please fix this");

  const notes = stage.events.flatMap((event) => (event.kind === "note" ? [event.text] : []));
  expect(notes).toHaveLength(2);
  expect(notes[0]).toMatch(/^\[auto_test\] .*failed with exit code 1[\s\S]*(not ok|✖)/);
  expect(notes[1]).toMatch(/^\[auto_test\] .*passed/);
  expect(stage.github.pulls(REPOSITORY)[0]?.body).toMatch(/Tests: `npm test` passed\./);
  expect(stage.comments(1)[0]).toMatch(/Tests: `npm test` passed\./);
});

test("a run that ends with edits but without a pull request keeps them as a draft", async () => {
  await using stage = await openStage({ script: [edit("a - b", "a + b"), say("I fixed it.")] });
  stage.github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport please fix this");
  expect(stage.github.pulls(REPOSITORY)).toMatchObject([{ draft: true, title: "sum subtracts" }]);
  expect(stage.github.pulls(REPOSITORY)[0]?.body).toMatch(/Refs #1$/);
  expect(stage.comments(1)[0]).toContain("draft #2");
});

test("a commit and then a pull request give one branch with one commit and one pull request", async () => {
  await using stage = await openStage({
    script: [edit("a - b", "a + b"), call("gh_commit_changes", { message: "Add" }), openPull, say("ok")],
  });
  const { github } = stage;
  github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport please fix this");
  expect(github.pulls(REPOSITORY)).toMatchObject([{ headRef: "sallyport/1-sum-subtracts", draft: false }]);
  expect(github.branches(REPOSITORY)).toEqual(["main", "sallyport/1-sum-subtracts"]);
});

test("work after the pull request is added to it as a second commit", async () => {
  await using stage = await openStage({
    script: [
      edit("a - b", "a + b"),
      openPull,
      edit("# Widgets", "# Our widgets", "README.md"),
      call("gh_commit_changes", { message: "Say whose" }),
      say("ok"),
    ],
  });
  const { github } = stage;
  github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport please fix this");
  const [pull, ...more] = github.pulls(REPOSITORY);
  expect(more).toEqual([]);
  expect(github.fileAt(REPOSITORY, pull?.headSha ?? "", "README.md")).toBe("# Our widgets\n");
  expect(github.fileAt(REPOSITORY, pull?.headSha ?? "", "src/sum.js")).toContain("a + b");
});

test("a change asked for on a pull request lands on its head, on top of it", async () => {
  await using stage = await openStage({
    script: [edit("one", "two", "src/extra.js"), call("gh_commit_changes", { message: "Say two" }), say("ok")],
  });
  const { github } = stage;
  const before = github.push(REPOSITORY, "feature", { "src/extra.js": 'export const x = "one"\n' });
  const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature" });
  await stage.say(pull.number, "@sallyport say two instead");
  expect(github.tip(REPOSITORY, "feature")).not.toBe(before);
  expect(github.fileAt(REPOSITORY, "feature", "src/extra.js")).toBe('export const x = "two"\n');
  expect(github.pulls(REPOSITORY)).toHaveLength(1);
  expect(stage.comments(pull.number)[0]).toMatch(/^\*\*done\*\* — Committed [0-9a-f]{10} to `feature`\./);
});

test("work on a pull request that the model did not commit is committed to its head", async () => {
  await using stage = await openStage({ script: [edit("one", "two", "src/extra.js"), say("It says two now.")] });
  const { github } = stage;
  github.push(REPOSITORY, "feature", { "src/extra.js": 'export const x = "one"\n' });
  const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature" });
  await stage.say(pull.number, "@sallyport say two instead");
  expect(github.fileAt(REPOSITORY, "feature", "src/extra.js")).toBe('export const x = "two"\n');
  expect(github.pulls(REPOSITORY)).toHaveLength(1);
  expect(stage.comments(pull.number)[0]).toMatch(/^\*\*done\*\* — .*`feature`/);
});

test("a commit whose words were refused still lands on the head, under words of our own", async () => {
  const words = "Say two\n\nCo-authored-by: x <stolen@evil.example>";
  await using stage = await openStage({
    script: [edit("one", "two", "src/extra.js"), call("gh_commit_changes", { message: words }), say("It says two now.")],
  });
  const { github } = stage;
  github.push(REPOSITORY, "feature", { "src/extra.js": 'export const x = "one"\n' });
  const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature" });
  await stage.say(pull.number, "@sallyport say two instead");
  expect(stage.model.requests.at(-1)?.results.at(-1)).toMatch(/^\[blocked\] output/);
  expect(github.fileAt(REPOSITORY, "feature", "src/extra.js")).toBe('export const x = "two"\n');
  expect(github.branches(REPOSITORY)).toEqual(["feature", "main"]);
});

test("a protected head is left alone; the work becomes a draft pull request of its own", async () => {
  await using stage = await openStage({
    script: [edit("one", "two", "src/extra.js"), call("gh_commit_changes", { message: "Say two" }), say("ok")],
  });
  const { github } = stage;
  const before = github.push(REPOSITORY, "feature", { "src/extra.js": 'export const x = "one"\n' });
  github.protect(REPOSITORY, "feature");
  const pull = github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature" });
  await stage.say(pull.number, "@sallyport say two instead");
  expect(github.tip(REPOSITORY, "feature")).toBe(before);
  expect(github.pulls(REPOSITORY).filter(({ user }) => user === "sallyport[bot]")).toMatchObject([{ draft: true, baseRef: "main" }]);
});

test("a file's mode and bytes that are no text arrive as they are", async () => {
  await using stage = await openStage({
    files: { ...TESTED, "run.sh": "#!/bin/sh\necho old\n" },
    script: [call("run_shell", { command: "chmod +x run.sh && printf '\\377\\000\\001' > bytes.bin" }), openPull, say("ok")],
  });
  const { github } = stage;
  github.addIssue(REPOSITORY, issueOptions);
  await stage.say(1, "@sallyport make it executable");
  const head = github.pulls(REPOSITORY)[0]?.headSha ?? "";
  expect(github.modeAt(REPOSITORY, head, "run.sh")).toBe("100755");
  expect(github.bytesAt(REPOSITORY, head, "bytes.bin")).toEqual(Buffer.from([255, 0, 1]));
});
