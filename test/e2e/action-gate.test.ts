import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receiptDigest } from "../../src/receipts/block.ts";
import { makeKey, readKeys } from "../../src/receipts/keys.ts";
import { verifyReceipt } from "../../src/receipts/verify.ts";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { call, say, type CheckRun, type Pull } from "../../src/testing/index.ts";
import { buildBundle, openRunnerAt, openWorkflow, READS, type StepResult, type Workflow } from "./action-runner.ts";
import { namedChecks, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY } from "./stage.ts";

const HIDDEN = 'export const level = "user\u202e \u2066// admin\u2069 \u2066"\n';
const GATE = { mode: "gate", openai_api_key: "", openai_base_url: "" };
const NOWHERE = { source: "nowhere", treeOf: () => Promise.resolve(undefined) };

let bundle: Awaited<ReturnType<typeof buildBundle>>;
beforeAll(async () => {
  bundle = await buildBundle();
}, 480_000);
afterAll(() => bundle[Symbol.asyncDispose]());

const judge = (workflow: Workflow, pull: Pull, inputs: Readonly<Record<string, string>> = {}): Promise<StepResult> => {
  const event = workflow.github.events.pullRequest(REPOSITORY, pull, { action: "opened", sender: "mallory" });
  return workflow.step(event, { inputs: { ...GATE, ...inputs }, permissions: READS });
};
const LEVELS: Readonly<Record<string, string>> = { error: "failure", warning: "warning", notice: "notice" };
/** An approval has a name only where somebody can give it. */
const unnamed = (text: string): string =>
  text.replaceAll(/waits for approval [a-z-]{11} until [^U]+ UTC: /g, "").replace(/: [a-z]{5}-[a-z]{5}$/, "");
/** The findings, and how far the change reaches: what stands between those headings and the last line. */
const sections = (text: string): string => /### (?:Findings|Reach)[^]*?(?=\n*(?:<sub>|Receipt `))/.exec(text)?.[0] ?? "none";

test("the server's check and mode gate say the same of a pull request, with the same remarks", async () => {
  const configuration = "gate_check: true\nreview: false\ngate:\n  protected:\n    docs/**: ask\n";
  await using stage = await openStage({
    script: [],
    files: { ...FILES, [CONFIGURATION_FILE]: configuration },
    environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined },
  });
  await using workflow = await openRunnerAt(bundle.folder, stage);
  const { github } = stage;
  const fork = github.addFork(REPOSITORY, "mallory");
  const open = (head: string, files: Readonly<Record<string, string>>, where: string = REPOSITORY): Pull => {
    github.push(where, head, files);
    return github.openPull(REPOSITORY, {
      title: head,
      user: "mallory",
      head,
      ...(where === REPOSITORY ? {} : { headRepository: where }),
    });
  };
  const rows: readonly { readonly pull: Pull; readonly server: string; readonly action: string }[] = [
    {
      pull: open("fine", { "src/sum.js": "export function sum(a, b) {\n  return a + b\n}\n" }, fork.fullName),
      server: "success",
      action: "done",
    },
    { pull: open("asks", { "docs/a.md": "# A\n" }), server: "action_required", action: "waiting" },
    {
      pull: open(
        "evil",
        { ".github/workflows/x.yml": "on: pull_request_target\njobs: {}\n", "src/a, b.js": `export const a = 1\n${HIDDEN}` },
        fork.fullName,
      ),
      server: "failure",
      action: "blocked",
    },
  ];
  for (const { pull, server, action } of rows) {
    await tell(stage, pull);
    const [check] = namedChecks(stage, "sallyport/gate", pull.headSha) as readonly [CheckRun];
    const result = await judge(workflow, pull);
    expect({ server: check.conclusion, action: result.outputs["conclusion"] }, result.log).toEqual({ server, action });
    const said = result.commands.flatMap(({ name, properties: { file, line, title }, data }) =>
      file === undefined ? [] : [{ path: file, line: Number(line ?? 1), level: LEVELS[name], title, message: data }],
    );
    const remarks = (check.output.annotations as readonly Record<string, unknown>[]).map((one) => ({
      path: one["path"],
      line: one["start_line"],
      level: one["annotation_level"],
      title: one["title"],
      message: unnamed(String(one["message"])),
    }));
    expect(said).toEqual(remarks);
    expect(sections(result.summary)).toBe(unnamed(sections(check.output.summary ?? "")));
    expect(sections(result.summary)).toMatch(/### Reach/);
    expect(result.outputs["summary"]).toContain(`${unnamed(check.output.title ?? "")}. #${pull.number} changes `);
    expect(result.requests.filter(({ method, path }) => method !== "GET" && !path.includes("git-upload-pack"))).toEqual([]);
  }
}, 480_000);

test("what was found is kept as SARIF for the step that uploads it, and nothing of the job's secrets stands in it", async () => {
  await using workflow = await openWorkflow(bundle.folder, []);
  workflow.github.push(REPOSITORY, "evil", { "src/a.js": `export const a = 1\n${HIDDEN}` });
  const pull = workflow.github.openPull(REPOSITORY, { title: "evil", user: "mallory", head: "evil" });
  const result = await judge(workflow, pull);
  const file = result.outputs["sarif_file"] ?? "";
  const sarif = JSON.parse(await readFile(file, "utf8")) as { readonly runs: readonly { readonly results: readonly object[] }[] };
  expect(sarif.runs[0]?.results).toMatchObject([
    {
      ruleId: "unicode",
      level: "error",
      locations: [{ physicalLocation: { artifactLocation: { uri: "src/a.js" }, region: { startLine: 2 } } }],
    },
  ]);
  expect(result.summary).toContain("No receipt was made: the input `receipt_key` is not set.");
  expect(result.outputs).not.toHaveProperty("receipt_file");
}, 120_000);

test("a receipt is signed by the key that the workflow gives, of a judgement and of a pull request that was opened", async () => {
  const script = [
    call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
    call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
    say("Done."),
  ];
  await using workflow = await openWorkflow(bundle.folder, script);
  const { github } = workflow;
  const pem = makeKey();
  const keys = readKeys(pem, "a test").listed;
  github.push(REPOSITORY, "fine", { "README.md": "# More\n" });
  const judged = github.openPull(REPOSITORY, { title: "fine", user: "mallory", head: "fine" });
  const gate = await judge(workflow, judged, { receipt_key: pem });
  const envelope = await readFile(gate.outputs["receipt_file"] ?? "", "utf8");
  expect(gate.summary).toContain(receiptDigest(envelope));
  const said = gate.log.replace(/^::add-mask::.*$/gm, "");
  expect(said + gate.summary).not.toContain(pem.split("\n")[1]);
  expect(await verifyReceipt({ envelope, keys })).toMatchObject({
    status: "good",
    commit: judged.headSha,
    receipt: { run: { kind: "gate", end: "done" }, pullRequest: judged.number, gate: { decisions: [{ verdict: "allow" }] } },
  });
  expect(await verifyReceipt({ envelope, keys: readKeys(makeKey(), "another").listed })).toMatchObject({ status: "bad" });

  const issue = github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
  const run = await workflow.step(workflow.comment(issue.number, "@sallyport fix this"), { inputs: { receipt_key: pem } });
  const [, opened] = github.pulls(REPOSITORY);
  const work = await readFile(run.outputs["receipt_file"] ?? "", "utf8");
  const good = await verifyReceipt({ envelope: work, keys });
  expect(good).toMatchObject({ status: "good", commit: opened?.headSha, receipt: { pullRequest: opened?.number, models: ["scripted"] } });
  const otherTree = { ...NOWHERE, treeOf: () => Promise.resolve("0".repeat(40)) };
  expect(await verifyReceipt({ envelope: work, keys, known: otherTree })).toMatchObject({ status: "bad" });
  expect(github.checkRuns(REPOSITORY).map(({ name }) => name)).toContain("sallyport/receipt");
}, 480_000);

test("a key that signs nothing is one error that names its input, and is shown nowhere", async () => {
  await using workflow = await openWorkflow(bundle.folder, []);
  workflow.github.push(REPOSITORY, "fine", { "README.md": "# More\n" });
  const pull = workflow.github.openPull(REPOSITORY, { title: "fine", user: "mallory", head: "fine" });
  const result = await judge(workflow, pull, { receipt_key: "not-a-key-0123456789" });
  expect(result.outputs["conclusion"]).toBe("failed");
  expect(result.commands.filter(({ name }) => name === "error").map(({ data }) => data)).toEqual([
    expect.stringContaining("The input receipt_key holds no private key"),
  ]);
  expect(
    result.commands
      .filter(({ name }) => name !== "add-mask")
      .map(({ data }) => data)
      .join("\n"),
  ).not.toContain("not-a-key-0123456789");
  expect(result.requests).toEqual([]);
}, 60_000);
