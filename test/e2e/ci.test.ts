import { describe, expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { call, say, type EmbeddedGitHub, type EmbeddedGitHubOptions, type Script, type Turn } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

type WorkflowRunOptions = Parameters<EmbeddedGitHub["addWorkflowRun"]>[1];
type JobOptions = NonNullable<WorkflowRunOptions["jobs"]>[number];

const LOG = [
  "2031-02-03T04:05:06.1234567Z ##[group]Run npm test",
  "2031-02-03T04:05:06.1234567Z \u001b[36;1mnpm test\u001b[0m",
  "2031-02-03T04:05:06.1234567Z ##[endgroup]",
  "2031-02-03T04:05:06.1234567Z src/sum.js(2,10): error TS2322: it subtracts",
  "2031-02-03T04:05:06.1234567Z ##[error]Process completed with exit code 1.",
].join("\n");
const failed = (name: string, log = LOG): JobOptions => ({ name, conclusion: "failure", log });
const EXPLAIN: Script = (request) => say(request.text.includes("it subtracts") ? "`sum` subtracts." : "I see no log.");
const FIX: readonly Turn[] = [
  call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
  call("gh_commit_changes", { message: "Make sum add" }),
  say("`sum` subtracted; now it adds."),
];

interface Wish {
  readonly script?: readonly Turn[] | Script;
  readonly configuration?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly permissions?: EmbeddedGitHubOptions["permissions"];
}
async function openCi({ script = EXPLAIN, configuration, ...options }: Wish = {}): Promise<{ stage: Stage; pull: number }> {
  const files = configuration === undefined ? FILES : { ...FILES, [CONFIGURATION_FILE]: configuration };
  const stage = await openStage({ script, files, ...options });
  stage.github.push(REPOSITORY, "feature", { "src/extra.js": "export const x = 1\n" });
  const pull = stage.github.openPull(REPOSITORY, { title: "extra", user: "alice", head: "feature" });
  return { stage, pull: pull.number };
}
async function fail({ github, idle }: Stage, options: Partial<WorkflowRunOptions> = {}) {
  const run = github.addWorkflowRun(REPOSITORY, { branch: "feature", actor: "alice", jobs: [failed("test")], ...options });
  await github.deliver(github.events.workflowRun(REPOSITORY, run));
  await idle();
  return run;
}
const checks = ({ github }: Stage) => github.checkRuns(REPOSITORY).filter(({ name }) => name === "sallyport/ci");

describe("failed CI", () => {
  test("is explained once on its pull request, and remarked on in a neutral check run", async () => {
    const { stage, pull } = await openCi();
    await using _ = stage;
    const run = await fail(stage);
    await stage.github.deliver(stage.github.events.workflowRun(REPOSITORY, run));
    await stage.idle();
    expect(stage.comments(pull)).toEqual([expect.stringMatching(/^\*\*done\*\*[^]*`sum` subtracts\./)]);
    expect(stage.github.reactions(REPOSITORY)).toEqual([]);
    expect(checks(stage)).toMatchObject([
      { conclusion: "neutral", headSha: run.headSha, output: { annotations: [{ path: "src/sum.js", start_line: 2 }] } },
    ]);
  });

  test("is mended on the pull request's own branch, and the bot's own failing commits end after the configured attempts", async () => {
    let turn = 0;
    const script: Script = (request) => {
      const asked = request.messages.filter(({ role }) => role === "tool").length;
      if (asked === 0) return call("write_file", { path: "src/extra.js", content: `export const x = ${(turn += 1) + 1}\n` });
      return asked === 1 ? call("gh_commit_changes", { message: `Try ${turn}` }) : say(`Try ${turn}.`);
    };
    const { stage, pull } = await openCi({ script });
    await using _ = stage;
    await fail(stage);
    const { botLogin } = stage.github;
    for (let again = 0; again < 4; again += 1) await fail(stage, { actor: botLogin });
    expect(turn).toBe(2);
    const comments = stage.comments(pull);
    expect(comments).toHaveLength(3);
    expect(comments[2]).toMatch(/^\*\*failed\*\*[^]*still fails after 2 attempts of mine, so I stop here[^]*it subtracts/);
    // A person's commit is looked at anew.
    stage.github.push(REPOSITORY, "feature", { "src/more.js": "export const y = 1\n" });
    await fail(stage);
    expect(turn).toBe(3);
  });

  test("without a pull request is mended by one against its branch", async () => {
    const script = [FIX[0], call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }), FIX[2]].filter(
      (one) => one !== undefined,
    );
    await using stage = await openStage({ script });
    await fail(stage, { branch: "main" });
    expect(stage.github.pulls(REPOSITORY)).toMatchObject([
      { baseRef: "main", headRef: expect.stringMatching(/^sallyport\/[0-9a-z]{26}-/) },
    ]);
    expect(stage.github.issue(REPOSITORY, 1).body).toMatch(/Made for the failed workflow run \S+\/actions\/runs\/\d+\.$/);
    // While that is open, the next commit that fails in the same way asks for no second one.
    stage.github.push(REPOSITORY, "main", { "src/more.js": "export const y = 1\n" });
    await fail(stage, { branch: "main" });
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
    expect(checks(stage).at(-1)?.output.summary).toContain("#1 is open");
  });

  test.each([
    ["a person without the permission pushed", { actor: "mallory" }],
    ["a person without the permission had it run", { triggeringActor: "mallory" }],
    ["a bot that is not listed pushed", { actor: "renovate[bot]" }],
    ["it was cancelled", { conclusion: "cancelled" }],
    ["its commit is not the head any more", { branch: "main" }],
  ] as const)("starts nothing when %s", async (why, options) => {
    const { stage } = await openCi();
    await using _ = stage;
    const run = stage.github.addWorkflowRun(REPOSITORY, { branch: "feature", actor: "alice", jobs: [failed("test")], ...options });
    if (why.includes("head")) stage.github.push(REPOSITORY, "main", { "a.txt": "a\n" });
    await stage.github.deliver(stage.github.events.workflowRun(REPOSITORY, run));
    await stage.idle();
    expect(stage.model.requests).toEqual([]);
    expect(checks(stage)).toEqual([]);
  });

  test("of a fork is explained on the pull request with that head, and nothing else is written", async () => {
    const { stage } = await openCi({ script: FIX });
    await using _ = stage;
    const { github } = stage;
    github.addFork(REPOSITORY, "alice");
    github.push("alice/widgets", "topic", { "src/z.js": "export const z = 1\n" });
    const pull = github.openPull(REPOSITORY, { title: "z", user: "alice", head: "topic", headRepository: "alice/widgets" });
    await fail(stage, { branch: "topic", headRepository: "alice/widgets" });
    expect(stage.comments(pull.number)).toEqual([expect.stringContaining("now it adds")]);
    expect(github.branches(REPOSITORY).toSorted()).toEqual(["feature", "main"]);
  });

  test("is shown as the first error of each job where there is no model", async () => {
    const { stage, pull } = await openCi({ environment: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined } });
    await using _ = stage;
    await fail(stage);
    expect(stage.comments(pull)).toEqual([]);
    const [check] = checks(stage);
    expect(check).toMatchObject({ conclusion: "neutral", output: { title: "test: src/sum.js(2,10): error TS2322: it subtracts" } });
    expect(check?.output.summary).toContain("`src/sum.js:2`");
  });
});

describe("a flake is told from a cause before a model is paid", () => {
  test.each([
    ["known by name", "ci: { flaky: ['te*'] }\n", {}, "known to be flaky"],
    [
      "a job that passed in an earlier attempt",
      "",
      { attempt: 2, jobs: [{ name: "test", attempt: 1 }, failed("test")] },
      "have passed in an earlier attempt",
    ],
  ])("%s", async (_, configuration, options, says) => {
    const { stage, pull } = await openCi({ configuration });
    await using __ = stage;
    await fail(stage, options);
    expect(stage.model.requests).toEqual([]);
    expect(stage.comments(pull)).toEqual([]);
    expect(checks(stage)[0]?.output.summary).toContain(says);
  });

  test("a job that fails on the base branch too", async () => {
    const { stage, pull } = await openCi();
    await using _ = stage;
    stage.github.addWorkflowRun(REPOSITORY, { branch: "main", jobs: [failed("test")] });
    await fail(stage);
    expect(stage.model.requests).toEqual([]);
    expect(stage.comments(pull)).toEqual([]);
    expect(checks(stage)[0]?.output.summary).toContain("this change is not the cause");
  });
});

describe("with ci.rerun the failed jobs are run once more", () => {
  const configuration = "ci: { rerun: true }\n";
  test("before anything else, and what comes of that is looked at", async () => {
    const permissions = {
      contents: "write",
      issues: "write",
      pull_requests: "write",
      checks: "write",
      actions: "write",
      metadata: "read",
    } as const;
    const { stage, pull } = await openCi({ configuration, permissions });
    await using _ = stage;
    const { github } = stage;
    const run = await fail(stage);
    const reruns = () =>
      github.requests.filter(({ method, path }) => method === "POST" && path.endsWith(`/actions/runs/${run.id}/rerun-failed-jobs`));
    expect(reruns()).toHaveLength(1);
    expect([stage.model.requests.length, stage.comments(pull)]).toEqual([0, []]);
    expect(checks(stage)[0]?.output.summary).toContain("started once more");
    await fail(stage, { id: run.id, attempt: 2, triggeringActor: github.botLogin });
    expect(reruns()).toHaveLength(1);
    expect(stage.comments(pull)).toEqual([expect.stringContaining("`sum` subtracts.")]);
  });

  test("and a permission that is missing is named", async () => {
    const { stage, pull } = await openCi({ configuration });
    await using _ = stage;
    await fail(stage);
    expect(checks(stage)[0]?.output.summary).toContain("lacks the permission");
    expect(checks(stage)[0]?.output.summary).toContain("actions: write");
    expect(stage.comments(pull)).toEqual([expect.stringContaining("`sum` subtracts.")]);
  });
});

describe("failed CI without a pull request that is only to be explained", () => {
  test("stays on the run's page", async () => {
    const { stage } = await openCi({ configuration: "ci: explain\n" });
    await using _ = stage;
    await fail(stage, { branch: "main" });
    expect(stage.github.comments(REPOSITORY)).toEqual([]);
    expect(checks(stage)[0]?.output.summary).toContain("`sum` subtracts.");
  });

  test("has one issue per workflow and branch where that is wanted, and a new one once that was closed", async () => {
    const { stage, pull } = await openCi({ configuration: "ci: { mode: explain, issue: true }\n" });
    await using _ = stage;
    const { github } = stage;
    await fail(stage, { branch: "main" });
    const issue = github.issue(REPOSITORY, pull + 1);
    expect(issue).toMatchObject({ title: "CI fails on main", user: github.botLogin, body: expect.stringContaining("`sum` subtracts.") });
    github.push(REPOSITORY, "main", { "src/b.js": "export const b = 1\n" });
    await fail(stage, { branch: "main" });
    expect(stage.comments(pull + 1)).toEqual([expect.stringContaining("`sum` subtracts.")]);
    expect(() => github.issue(REPOSITORY, pull + 2)).toThrow();
    github.issue(REPOSITORY, pull + 1).state = "closed";
    github.push(REPOSITORY, "main", { "src/c.js": "export const c = 1\n" });
    await fail(stage, { branch: "main" });
    expect(github.issue(REPOSITORY, pull + 2)).toMatchObject({ title: "CI fails on main" });
  });
});
