import { describe, expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { call, say } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const withConfiguration = (yaml: string) => ({ ...FILES, [CONFIGURATION_FILE]: yaml });
const WORDS = "It is about `sum`, in `src/sum.js`. Which version is it?\n\nLabels: Bug, made-up";

async function open({ github, idle }: Stage, user: string, body = "`sum(1, 2)` gives -1."): Promise<number> {
  const issue = github.addIssue(REPOSITORY, { title: "sum subtracts", body, user });
  await github.deliver(github.events.issue(REPOSITORY, issue));
  await idle();
  return issue.number;
}

describe("a new issue that mentions nobody", () => {
  test("starts nothing where nothing is configured", async () => {
    await using stage = await openStage({ script: () => say(WORDS) });
    const issue = await open(stage, "alice");
    expect([stage.comments(issue), stage.model.requests]).toEqual([[], []]);
  });

  test("is looked at in one comment, whoever wrote it, and nothing else is written", async () => {
    const script = [
      call("write_file", { path: "a.txt", content: "a" }),
      call("gh_comment_issue", { number: 1, body: "twice" }),
      say(WORDS),
    ];
    await using stage = await openStage({ script, files: withConfiguration("triggers: { issues: triage }\n") });
    stage.github.addLabel(REPOSITORY, "bug");
    const issue = await open(stage, "mallory");
    expect(stage.comments(issue)).toEqual([expect.stringMatching(/^\*\*done\*\*[^]*Which version is it\?/)]);
    expect(stage.github.reactions(REPOSITORY)).toEqual([]);
    expect(stage.github.issue(REPOSITORY, issue).labels).toEqual([]);
    expect(stage.github.branches(REPOSITORY)).toEqual(["main"]);
    expect(stage.model.requests[0]?.text).toContain("bug");
  });

  test("gets the proposed labels that exist, where that is wanted", async () => {
    await using stage = await openStage({
      script: () => say(WORDS),
      files: withConfiguration("triggers: { issues: triage, labels: true }\n"),
    });
    stage.github.addLabel(REPOSITORY, "bug");
    const issue = await open(stage, "mallory");
    expect(stage.github.issue(REPOSITORY, issue).labels).toEqual(["bug"]);
  });

  test("is fixed where that is configured, for who may ask", async () => {
    const script = [
      call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
      call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
      say("`sum` adds now."),
    ];
    await using stage = await openStage({ script, files: withConfiguration("triggers: { issues: fix }\n") });
    const theirs = await open(stage, "mallory");
    expect([stage.comments(theirs), stage.model.requests]).toEqual([[], []]);
    const ours = await open(stage, "alice");
    expect(stage.comments(ours)).toEqual([expect.stringContaining("`sum` adds now.")]);
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
  });
});

describe("autonomy", () => {
  const FIX = [
    call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
    call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
    say("Done so."),
  ];
  test("plan: what is asked for is planned, and carried out once somebody who may approve says go", async () => {
    await using stage = await openStage({ script: [...FIX, ...FIX], files: withConfiguration("autonomy: plan\n") });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "", user: "alice" });
    await stage.say(number, "@sallyport fix this");
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    expect(stage.comments(number)).toEqual([expect.stringContaining("What it takes to carry it out is not known")]);
    await stage.say(number, "@sallyport go", "alice");
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    await stage.say(number, "@sallyport go", "maria");
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
    // Nor is it carried out once more for who may not have it carried out.
    const asked = stage.model.requests.length;
    await stage.say(number, "@sallyport retry", "alice");
    expect(stage.comments(number).at(-1)).toMatch(/^\*\*failed\*\* — To have a plan carried out, one needs the permission `maintain`/);
    expect(stage.model.requests).toHaveLength(asked);
  });

  test("read: nothing is changed, whoever says go", async () => {
    await using stage = await openStage({ script: [...FIX], files: withConfiguration("autonomy: { mention: read }\n") });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "", user: "maria" });
    await stage.say(number, "@sallyport fix this", "maria");
    await stage.say(number, "@sallyport go", "maria");
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
    expect(stage.comments(number)[1]).toContain("There is no plan yet");
  });
});

test("a budget of the day that is used up ends a run with that reason, before a model is asked", async () => {
  const files = withConfiguration("daily_usd: { user: 0.001 }\nprices: { scripted: { input: 1000, output: 1000 } }\n");
  await using stage = await openStage({ script: () => say("Seen."), files });
  const { number } = stage.github.addIssue(REPOSITORY, { title: "look", body: "", user: "alice" });
  await stage.say(number, "@sallyport look");
  await stage.say(number, "@sallyport look again");
  expect(stage.model.requests).toHaveLength(1);
  expect(stage.comments(number)[1]).toMatch(/^\*\*out of budget\*\*[^]*The budget of the day is used up: `alice`/);
  // Once a day and thread is often enough.
  await stage.say(number, "@sallyport look once more");
  expect(stage.comments(number)).toHaveLength(2);
  await stage.say(number, "@sallyport look", "maria");
  expect(stage.comments(number)[2]).toContain("Seen.");
  const other = stage.github.addIssue(REPOSITORY, { title: "look here", body: "", user: "alice" });
  await stage.say(other.number, "@sallyport look");
  expect(stage.comments(other.number)).toEqual([expect.stringMatching(/^\*\*out of budget\*\*/)]);
  expect(stage.model.requests).toHaveLength(2);
  // What it may cost was said before the first one began.
  const [begun] = stage.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith(`/issues/${number}/comments`));
  expect(JSON.stringify(begun?.body)).toMatch(/\*\*working\*\*.*at most \$5\.00, \$0\.001?0? left for today/);
});
