import { describe, expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { call, say } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const FIX = [
  call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
  call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
  say("`sum` adds now."),
];
const issueIn = ({ github }: Stage): number =>
  github.addIssue(REPOSITORY, { title: "sum subtracts", body: "It does.", user: "alice" }).number;
const withConfiguration = (yaml: string) => ({ ...FILES, [CONFIGURATION_FILE]: yaml });

describe("a repository's configuration", () => {
  test("is read from the default branch, and what it protects waits for a person", async () => {
    await using stage = await openStage({ script: FIX, files: withConfiguration('gate: { protected: { "src/**": ask } }\n') });
    const issue = issueIn(stage);
    await stage.say(issue, "@sallyport fix this");
    expect(stage.comments(issue)).toMatchObject([expect.stringMatching(/^\*\*waiting for approval\*\*/)]);
    expect(stage.github.pulls(REPOSITORY)).toEqual([]);
  });

  test("lets nobody in whom it does not mean", async () => {
    await using stage = await openStage({ script: FIX, files: withConfiguration("permission: maintain\nignored_authors: [Maria]\n") });
    const issue = issueIn(stage);
    await stage.say(issue, "@sallyport fix this", "alice");
    await stage.say(issue, "@sallyport fix this", "maria");
    expect(stage.comments(issue)).toEqual([]);
    expect(stage.github.reactions(REPOSITORY)).toEqual([]);
  });

  test("with a fault is reported once, with file, line and key, and loosens nothing", async () => {
    const yaml = "permission: maintain\nlabels: 3\nreview: { ingore: [] }\n";
    await using stage = await openStage({ script: () => say("Seen."), files: withConfiguration(yaml) });
    const issue = issueIn(stage);
    await stage.say(issue, "@sallyport look", "alice");
    expect(stage.comments(issue)).toEqual([]);
    await stage.say(issue, "@sallyport look", "maria");
    await stage.say(issue, "@sallyport look again", "maria");
    expect(stage.comments(issue)).toHaveLength(2);
    expect(stage.github.checkRuns(REPOSITORY)).toMatchObject([
      {
        name: "sallyport/config",
        conclusion: "failure",
        output: {
          title: ".github/sallyport.yml:2: labels: this key is not known; did you mean label?",
          annotations: [
            { path: CONFIGURATION_FILE, start_line: 2 },
            { path: CONFIGURATION_FILE, start_line: 3 },
          ],
        },
      },
    ]);
  });

  test("that only observes has everything judged and nothing written but a neutral check run", async () => {
    await using stage = await openStage({ script: FIX, files: withConfiguration("enabled: observe\n") });
    const issue = issueIn(stage);
    await stage.say(issue, "@sallyport fix this");
    expect([stage.comments(issue), stage.github.pulls(REPOSITORY), stage.github.reactions(REPOSITORY)]).toEqual([[], [], []]);
    expect(stage.github.branches(REPOSITORY)).toHaveLength(1);
    const [run, ...more] = stage.github.checkRuns(REPOSITORY);
    expect(more).toEqual([]);
    expect(run).toMatchObject({ name: "sallyport", conclusion: "neutral" });
    expect(run?.output.title).toMatch(/^Observed: /);
    expect(run?.output.summary).toContain("this repository is only observed");
  });
});
