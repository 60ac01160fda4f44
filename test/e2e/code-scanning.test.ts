import { expect, test } from "vitest";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import type { EmbeddedGitHubOptions } from "../../src/testing/index.ts";
import { namedChecks, propose, pushTo, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const WORKFLOW = { ".github/workflows/x.yml": "on: pull_request_target\njobs: {}\n" };
const HIDDEN = { "src/[a](https:evil.example)#?.js": 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n' };
const WANTED = "gate_check: {code_scanning: true}\nreview: false\n";
const GRANTED: NonNullable<EmbeddedGitHubOptions["permissions"]> = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "read",
  metadata: "read",
  security_events: "write",
};

interface Wish {
  readonly configuration?: string;
  readonly permissions?: EmbeddedGitHubOptions["permissions"];
  readonly isOff?: boolean;
}
const openScanned = ({ configuration = WANTED, permissions = GRANTED, isOff = false }: Wish = {}): Promise<Stage> =>
  openStage({
    script: [],
    files: { ...FILES, [CONFIGURATION_FILE]: configuration },
    environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
    repository: { codeScanning: !isOff },
    permissions,
  });

interface Sarif {
  readonly runs: readonly [
    {
      readonly automationDetails: { readonly id: string };
      readonly results: readonly { readonly ruleId: string; readonly message: { readonly text: string } }[];
    },
  ];
}
const uploads = ({ github }: Stage) =>
  github.sarifUploads(REPOSITORY).map(({ ref, commitSha, sarif }) => ({ ref, commitSha, run: (JSON.parse(sarif) as Sarif).runs[0] }));
const asked = ({ github }: Stage): number => github.requests.filter(({ path }) => path.includes("/code-scanning/")).length;
const gateCheck = (stage: Stage, sha: string) => namedChecks(stage, "sallyport/gate", sha).at(-1);

test("code scanning is told what each head brings in, and that it is gone", async () => {
  await using stage = await openScanned();
  const pull = propose(stage, { ...WORKFLOW, ...HIDDEN });
  await tell(stage, pull);
  const [first, ...others] = uploads(stage);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ ref: `refs/pull/${pull.number}/head`, commitSha: pull.headSha });
  expect(first?.run.automationDetails.id).toBe("sallyport/gate/");
  expect(first?.run.results.map(({ ruleId }) => ruleId)).toEqual(expect.arrayContaining(["protected-paths", "unicode"]));
  expect(first?.run.results.map(({ message }) => message.text).join("\n")).not.toContain("](");
  expect(gateCheck(stage, pull.headSha)?.output.summary).not.toContain("Code scanning");

  await pushTo(stage, pull, { "src/more.js": "export const more = 1\n" });
  expect(uploads(stage).map(({ commitSha }) => commitSha)).toEqual([first?.commitSha, pull.headSha]);
  stage.github.push(REPOSITORY, pull.headRef, { ...nothing(WORKFLOW), ...nothing(HIDDEN) });
  await tell(stage, pull, "synchronize");
  expect(gateCheck(stage, pull.headSha)?.conclusion).toBe("success");
  expect(uploads(stage).at(-1)).toMatchObject({ commitSha: pull.headSha, run: { results: [] } });

  // What was taken back is not taken back again.
  const before = asked(stage);
  await pushTo(stage, pull, { "src/more.js": "export const more = 2\n" });
  expect(asked(stage)).toBe(before);
});

const nothing = (files: Readonly<Record<string, string>>) => Object.fromEntries(Object.keys(files).map((path) => [path, null]));

test("code scanning is not asked where nobody wants it, where nothing is found, or where the repository is only observed", async () => {
  for (const configuration of ["gate_check: true\nreview: false\n", `${WANTED}enabled: observe\n`]) {
    await using stage = await openScanned({ configuration });
    const pull = propose(stage, WORKFLOW);
    await tell(stage, pull);
    expect(gateCheck(stage, pull.headSha)?.status).toBe("completed");
    expect(asked(stage)).toBe(0);
  }
  await using stage = await openScanned();
  const pull = propose(stage);
  await tell(stage, pull);
  expect(gateCheck(stage, pull.headSha)?.conclusion).toBe("success");
  expect(asked(stage)).toBe(0);
});

test.each([
  { name: "it is switched off", wish: { isOff: true }, says: /Code scanning was not told: it is switched off in this repository/ },
  {
    name: "the App may not",
    wish: { permissions: { ...GRANTED, security_events: "read" as const } },
    says: /Code scanning was not told: the App lacks the permission .security_events: write./,
  },
])("a check says so once, and ends as it would, where $name", async ({ wish, says }) => {
  await using stage = await openScanned(wish);
  const pull = propose(stage, WORKFLOW);
  await tell(stage, pull);
  const check = gateCheck(stage, pull.headSha);
  expect(check).toMatchObject({ conclusion: "failure", output: { title: "The gate holds it back: 1 finding" } });
  expect(check?.output.summary?.match(new RegExp(says, "g"))).toHaveLength(1);
  expect(check?.output.summary).toContain("### Reach");
  expect(stage.comments(pull.number)).toEqual([]);
});

test("an upload whose answers are lost is given up, and costs the check nothing", async () => {
  await using stage = await openScanned();
  stage.github.fault({ match: `POST /repos/${REPOSITORY}/code-scanning/sarifs`, respond: { status: 502 } });
  const pull = propose(stage, WORKFLOW);
  await tell(stage, pull);
  expect(gateCheck(stage, pull.headSha)?.output.summary).toContain("Code scanning was not told: GitHub did not take it");
  expect(gateCheck(stage, pull.headSha)?.conclusion).toBe("failure");
});
