import { describe, expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import type { CheckRun } from "../../src/testing/index.ts";
import { namedChecks, propose, pushTo, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage, type StageOptions } from "./stage.ts";

const WORKFLOW = { ".github/workflows/x.yml": "on: pull_request_target\njobs: {}\n" };
const HIDDEN = 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n';
const FIXED = { "src/sum.js": "export function sum(a, b) {\n  return a + b\n}\n" };

interface Wish extends Partial<Omit<StageOptions, "files">> {
  readonly configuration?: string;
  readonly files?: Readonly<Record<string, string>>;
}
/** A product without a model, in a repository that has the gate check everybody's pull requests. */
async function openGated({ configuration = "gate_check: true\nreview: false\n", files = {}, ...more }: Wish = {}): Promise<Stage> {
  return openStage({
    script: [],
    files: { ...FILES, [CONFIGURATION_FILE]: configuration, ...files },
    environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
    ...more,
  });
}
const gateChecks = (stage: Stage, sha: string): readonly CheckRun[] => namedChecks(stage, "sallyport/gate", sha);
const gateCheck = (stage: Stage, sha: string): CheckRun => {
  const [check, ...others] = gateChecks(stage, sha);
  expect(others).toEqual([]);
  if (check === undefined) throw new Error(`the gate has said nothing of ${sha}`);
  return check;
};
const writes = ({ github }: Stage) =>
  github.requests.filter(({ method, path }) => method !== "GET" && !path.includes("access_tokens") && !path.includes("git-upload-pack"));
const summaryOf = ({ output }: CheckRun): string => output.summary ?? "";

/** Opens a pull request of its own branch and tells the bot, without waiting for what comes of it. */
async function open(
  { github }: Stage,
  head: string,
  files: Readonly<Record<string, string | null>>,
  more: Partial<Parameters<Stage["github"]["openPull"]>[1]> = {},
) {
  github.push(REPOSITORY, head, files);
  const pull = github.openPull(REPOSITORY, { title: head, user: "alice", head, ...more });
  await github.deliver(github.events.pullRequest(REPOSITORY, pull, { action: "opened", sender: pull.user ?? "ghost" }));
  return pull;
}

describe("the gate's check", () => {
  test("judges everybody's pull requests without a model, one check for each head, and says how far they reach", async () => {
    await using stage = await openGated({ files: { "src/level.js": `${HIDDEN}export const a = 1\n` } });
    const fork = stage.github.addFork(REPOSITORY, "mallory");
    stage.github.push(fork.fullName, "main2", WORKFLOW);
    const pulls = {
      harmless: await open(stage, "harmless", FIXED),
      draft: await open(stage, "draft", { "README.md": "# Soon\n" }, { draft: true }),
      bot: await open(stage, "bot", { "README.md": "# Mine\n" }, { user: stage.github.botLogin }),
      hidden: await open(stage, "hidden", { "src/other.js": `export const one = 1\n${HIDDEN}` }, { user: "mallory" }),
      beside: await open(stage, "beside", { "src/level.js": `${HIDDEN}export const a = 2\n` }),
      forked: stage.github.openPull(REPOSITORY, { title: "x", user: "mallory", head: "main2", headRepository: fork.fullName }),
    };
    await tell(stage, pulls.forked);
    // Another event that names the same head asks for nothing new.
    await tell(stage, pulls.draft, "ready_for_review");
    const ends = Object.entries(pulls).map(([name, { headSha }]) => [name, gateCheck(stage, headSha).conclusion]);
    expect(Object.fromEntries(ends)).toEqual({
      harmless: "success",
      draft: "success",
      bot: "success",
      hidden: "failure",
      beside: "success",
      forked: "failure",
    });
    expect(gateCheck(stage, pulls.hidden.headSha).output.annotations).toMatchObject([
      { path: "src/other.js", start_line: 2, annotation_level: "failure", title: "held back: unicode" },
    ]);
    expect(gateCheck(stage, pulls.forked.headSha).output).toMatchObject({
      title: "The gate holds it back: 1 finding",
      summary: expect.stringMatching(/\*\*held back\*\* `\S+` in `\.github\/workflows\/x\.yml/) as string,
    });
    const harmless = summaryOf(gateCheck(stage, pulls.harmless.headSha));
    expect(harmless).toContain(`#${pulls.harmless.number} changes 1 file from `);
    expect(harmless).toMatch(/`sum` changed, `src\/sum\.js:1`: nothing else uses it; reached by 1 test/);
    expect(harmless).toMatch(/```mermaid\ngraph LR\n {2}n0\[\["sum"\]\]\n[^]*--> n0\n```/);
    // It speaks in its check only, in the base repository, and asks no model.
    expect(writes(stage).flatMap(({ path }) => (path.startsWith(`/repos/${REPOSITORY}/check-runs`) ? [] : path))).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });

  test("is made anew for each push over the whole difference, and again for those who may ask", async () => {
    await using stage = await openGated();
    const pull = propose(stage, FIXED);
    await tell(stage, pull);
    const heads = [pull.headSha];
    for (const files of [WORKFLOW, { "README.md": "# More\n" }]) {
      await pushTo(stage, pull, files);
      heads.push(pull.headSha);
    }
    expect(heads.map((sha) => gateCheck(stage, sha).conclusion)).toEqual(["success", "failure", "failure"]);

    const check = gateCheck(stage, pull.headSha);
    const ask = async (sender: string, run = check) => {
      await stage.github.deliver(stage.github.events.checkRun(REPOSITORY, run, { action: "rerequested", sender }));
      await stage.idle();
    };
    await ask("mallory");
    await ask("alice", { ...check, name: "sallyport/other" });
    expect(gateChecks(stage, pull.headSha)).toHaveLength(1);
    await ask("alice");
    expect(gateChecks(stage, pull.headSha).map(({ conclusion }) => conclusion)).toEqual(["failure", "failure"]);
  });

  test("does not turn a commit green for a pull request against another base while it is held back elsewhere", async () => {
    await using stage = await openGated();
    stage.github.push(REPOSITORY, "evil", WORKFLOW);
    stage.github.push(REPOSITORY, "same", WORKFLOW);
    const held = stage.github.openPull(REPOSITORY, { title: "held", user: "alice", head: "same" });
    await tell(stage, held);
    const beside = stage.github.openPull(REPOSITORY, { title: "beside", user: "alice", head: "same", base: "evil" });
    await tell(stage, beside);
    expect(gateChecks(stage, held.headSha)).toMatchObject([
      { conclusion: "failure" },
      { conclusion: "failure", output: { title: `The gate holds this commit back on #${held.number}` } },
    ]);
  });

  test("is wanted by the default branch alone, and says nothing where that does not", async () => {
    await using stage = await openGated({ configuration: "review: false\n" });
    const pull = propose(stage, { ...WORKFLOW, [CONFIGURATION_FILE]: "gate_check: true\n" });
    await tell(stage, pull);
    expect(stage.github.checkRuns(REPOSITORY)).toEqual([]);
    stage.github.push(REPOSITORY, "main", { [CONFIGURATION_FILE]: "gate_check: true\nenabled: observe\n" });
    await pushTo(stage, pull, { "README.md": "# More\n" });
    expect(gateCheck(stage, pull.headSha)).toMatchObject({
      conclusion: "neutral",
      output: { title: expect.stringMatching(/^Observed: The gate holds it back: /) as string },
    });
  });
});

describe("a pull request that people must approve", () => {
  const ASKING = "gate_check: true\nreview: false\ngate:\n  protected:\n    src/**: ask\n";
  const idIn = (check: CheckRun): string => /Approval `([a-z]{5}-[a-z]{5})`/.exec(summaryOf(check))?.[1] ?? "none";

  test("waits in its check, and turns green by somebody's word who may give it, for that head alone", async () => {
    await using stage = await openGated({ configuration: ASKING });
    const pull = propose(stage, FIXED);
    await tell(stage, pull);
    const id = idIn(gateCheck(stage, pull.headSha));
    expect(gateCheck(stage, pull.headSha)).toMatchObject({
      conclusion: "action_required",
      output: { title: `A person must approve it: ${id}` },
    });
    await stage.say(pull.number, `@sallyport approve ${id}`, "alice");
    expect(stage.comments(pull.number)).toEqual([expect.stringMatching(/one needs the permission `maintain`/)]);
    await stage.say(pull.number, `@sallyport approve ${id}`, "maria");
    expect(gateCheck(stage, pull.headSha)).toMatchObject({
      conclusion: "success",
      output: { title: "The gate lets it through, with 1 warning", summary: expect.stringContaining(`maria approved \`${id}\``) as string },
    });
    const approved = pull.headSha;
    await pushTo(stage, pull, { "src/more.js": "export const more = 1\n" });
    expect(gateCheck(stage, pull.headSha).conclusion).toBe("action_required");
    const second = idIn(gateCheck(stage, pull.headSha));
    await stage.say(pull.number, `@sallyport deny ${second}`, "maria");
    expect(gateCheck(stage, pull.headSha)).toMatchObject({
      conclusion: "failure",
      output: { summary: expect.stringContaining(`maria denied \`${second}\`.`) as string },
    });
    expect(gateCheck(stage, approved).conclusion).toBe("success");
    // Nothing was published of it.
    expect(stage.github.branches(REPOSITORY).toSorted()).toEqual(["main", "topic"]);
  });
});
