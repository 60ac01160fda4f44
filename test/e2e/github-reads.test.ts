import { expect, test } from "vitest";
import { call, say, type ModelRequest, type Turn } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(64, 9)]);
const LOG =
  "\ufeff2031-02-03T04:05:06.1234567Z ##[group]Run npm test\n2031-02-03T04:05:06.1234567Z ##[endgroup]\n2031-02-03T04:05:07.1234567Z \u001b[31mnot ok 1 - adds\u001b[39m\n2031-02-03T04:05:08.1234567Z ##[error]Process completed with exit code 1.\n";

test("a run reads why CI failed, cleaned and without secrets, and what it has used", async () => {
  let runId = 0;
  const script = ({ results }: ModelRequest): Turn => {
    const used = [call("gh_branch_create", { name: "main" }), call("get_token_usage", {}), call("list_recent_tags", {})];
    if (results.length === 0) return call("gh_list_workflow_runs", { branch: "main" });
    if (results.length === 1) return call("gh_get_run_logs", { run_id: runId });
    return results.length === 2 ? { calls: used.flatMap(({ calls }) => calls) } : say("The test of sum fails.");
  };
  await using stage = await openStage({ script });
  const token = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  const jobs = [
    { name: "test", conclusion: "failure", log: LOG.replace("adds", `adds ${token}`) },
    { name: "other", conclusion: "cancelled", log: "##[error]The operation was canceled.\n" },
  ];
  runId = stage.github.addWorkflowRun(REPOSITORY, { branch: "main", actor: "alice", jobs }).id;
  stage.github.addTag(REPOSITORY, "v1.0.0");
  stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await stage.say(1, "@sallyport why does CI fail?");
  const answers = stage.model.requests.at(-1)?.results ?? [];
  expect(answers[0]).toContain(`${runId} CI: failure, branch main`);
  expect(answers[1]).toContain("Step: Run npm test\nnot ok 1 - adds ***\nerror: Process completed with exit code 1.");
  expect(answers[1]).not.toMatch(/canceled|2031-02|ghp_|sig=/);
  expect(answers[2]).toMatch(/^This run's own branch is sallyport\/1-main \(main was a wish\)/);
  expect(answers[3]).toMatch(/^turns: 3 of 50/);
  expect(answers[4]).toContain("v1.0.0");
  expect(stage.github.storageRequests.every(({ authorization }) => authorization === undefined)).toBe(true);
  expect(stage.comments(1)[0]).toContain("The test of sum fails.");
  expect(stage.github.branches(REPOSITORY)).toEqual(["main"]);
});

test("a branch is named for the model's wish, and carries the change", async () => {
  const script = [
    call("gh_branch_create", { name: "Fix the SUM; $(rm -rf .)" }),
    call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
    call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
    say("Done."),
  ];
  await using stage = await openStage({ script });
  stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  await stage.say(1, "@sallyport fix it");
  expect(stage.github.pulls(REPOSITORY).map(({ headRef }) => headRef)).toEqual(["sallyport/1-fix-the-sum-rm-rf"]);
});

test("pictures of the thread reach the model beside its text, and what is none is said", async () => {
  await using stage = await openStage({ script: [say("I see.")] });
  const { github } = stage;
  const [shown, hidden, large] = [
    github.addAttachment(PNG),
    github.addAttachment(PNG, { isPrivate: true }),
    github.addAttachment(Buffer.concat([PNG, Buffer.alloc(2_000_000)])),
  ];
  const body = `![a](${shown}) <img src="${hidden}"> ![b](${large}) ![c](https://evil.example/x.png)`;
  github.addIssue(REPOSITORY, { title: "It looks wrong", user: "alice", body });
  await stage.say(1, "@sallyport what is this?");
  const sent = JSON.stringify(stage.model.requests[0]?.body);
  expect(sent.split(`data:image/png;base64,${PNG.toString("base64")}`)).toHaveLength(3);
  expect(stage.model.requests[0]?.text).toMatch(
    /not shown here:[\s\S]*larger than 1 MB[\s\S]*evil\.example\/x\.png in the body of the thread: it is not an upload of this GitHub/,
  );
});
