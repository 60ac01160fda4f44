import { expect, test, vi } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { say, type CheckRun } from "../../src/testing/index.ts";
import { openTheatre, type Theatre } from "./processes.ts";
import { REPOSITORY } from "./stage.ts";

const LOG = [
  "2031-02-03T04:05:06.1234567Z ##[group]Run npm test",
  "2031-02-03T04:05:06.1234567Z ##[endgroup]",
  "2031-02-03T04:05:06.1234567Z src/sum.js(1,34): error TS2362: it subtracts",
  "2031-02-03T04:05:06.1234567Z ##[error]Process completed with exit code 1.",
].join("\n");
const HIDDEN = 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n';
const LONG = { timeout: 120_000, interval: 50 };

const checksOf = ({ github }: Theatre, wanted: string, sha: string): readonly CheckRun[] =>
  github.checkRuns(REPOSITORY).filter(({ name, headSha, status }) => name === wanted && headSha === sha && status === "completed");

test("a fresh server without a model's variable judges pull requests, shows their reach and the errors of CI, and says once what waits", async () => {
  await using theatre = await openTheatre(() => say("Nobody should have asked."));
  const { github } = theatre;
  github.push(REPOSITORY, "main", {
    [CONFIGURATION_FILE]: "gate_check: true\n",
    "src/total.js": "import { sum } from './sum.js'\nexport const total = (all) => all.reduce((a, b) => sum(a, b), 0)\n",
    "test/sum.test.js": "import { sum } from '../src/sum.js'\nconsole.assert(sum(1, 2) === 3)\n",
  });
  const server = await theatre.start({ withoutModel: true });

  github.push(REPOSITORY, "topic", {
    "src/sum.js": "export const sum = (a, b) => a + b\n",
    "src/level.js": `export const a = 1\n${HIDDEN}`,
  });
  const pull = github.openPull(REPOSITORY, { title: "Add", user: "alice", head: "topic" });
  await github.deliver(github.events.pullRequest(REPOSITORY, pull, { action: "opened", sender: "alice" }));
  const gate = await vi.waitFor(() => {
    const [check] = checksOf(theatre, "sallyport/gate", pull.headSha);
    if (check?.output.summary?.includes("```mermaid") !== true) throw new Error("the gate has not shown how far it reaches");
    return check;
  }, LONG);
  expect(gate).toMatchObject({ conclusion: "failure", output: { title: "The gate holds it back: 1 finding" } });
  expect(gate.output.annotations).toMatchObject([{ path: "src/level.js", start_line: 2, title: "held back: unicode" }]);
  expect(gate.output.summary).toMatch(/`sum` changed, `src\/sum\.js:1`: used in 1 place of 1 file \(`total`\); reached by 1 test/);

  const run = github.addWorkflowRun(REPOSITORY, {
    branch: "topic",
    actor: "alice",
    jobs: [{ name: "test", conclusion: "failure", log: LOG }],
  });
  await github.deliver(github.events.workflowRun(REPOSITORY, run));
  const ci = await vi.waitFor(() => {
    const [check] = checksOf(theatre, "sallyport/ci", pull.headSha);
    if (check === undefined) throw new Error("nothing is said of the failed job");
    return check;
  }, LONG);
  expect(ci).toMatchObject({
    conclusion: "neutral",
    output: {
      title: "test: src/sum.js(1,34): error TS2362: it subtracts",
      annotations: [{ path: "src/sum.js", start_line: 1 }],
    },
  });

  // Somebody who asks for what needs a model is told what is missing; nobody else hears of it.
  expect(theatre.comments(pull.number)).toEqual([]);
  await github.say(REPOSITORY, pull.number, "@sallyport help", "alice");
  const { number } = github.addIssue(REPOSITORY, { title: "sum", user: "alice" });
  await github.say(REPOSITORY, number, "@sallyport fix this", "alice");
  await vi.waitFor(() => {
    expect(theatre.comments(pull.number)).toHaveLength(1);
    expect(theatre.comments(number)).toEqual([expect.stringMatching(/^\*\*failed\*\*[^]*No model is configured\. .*OPENAI_API_KEY/)]);
  }, LONG);
  const told = server.log.filter((line) => line.includes("wait for OPENAI_API_KEY"));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/mentions, reviews, triage, explaining and mending failed CI/);
  expect(theatre.model.requests).toEqual([]);
}, 400_000);
