import { describe, expect, test } from "vitest";
import { findReceipt } from "../../src/receipts/block.ts";
import { readPublicKeys } from "../../src/receipts/keys.ts";
import { CONFIGURATION_FILE } from "../../src/runs/read-settings.ts";
import { verifyReceipt, type Verified } from "../../src/receipts/verify.ts";
import { call, say } from "../../src/testing/index.ts";
import { namedChecks, propose, reviewing, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY, type Stage } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const siteOf = ({ github }: Stage): string => github.webhookTarget ?? "";
const NOWHERE = { source: "nowhere", treeOf: () => Promise.resolve(undefined) };
const pathOf = (url: string, path: string): string => new URL(path, url).href;

describe("a run that opened a pull request", () => {
  test("shows a receipt on its commit, which its server's keys verify against the tree that GitHub has", async () => {
    const script = [
      call("read_file", { path: "src/sum.js" }),
      edit,
      call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
      say("Done."),
    ];
    await using stage = await openStage({ script });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
    await stage.say(number, "@sallyport fix this");
    const [pull] = stage.github.pulls(REPOSITORY);
    const shown = stage.github.checkRuns(REPOSITORY).filter(({ name }) => name === "sallyport/receipt");
    expect(shown).toMatchObject([{ headSha: pull?.headSha, status: "completed", conclusion: "neutral" }]);
    const envelope = findReceipt(shown[0]?.output.text ?? "") ?? "";
    const site = siteOf(stage);
    const [, runId = ""] = /run=([0-9a-z]{26})/.exec(stage.comments(number)[0] ?? "") ?? [];
    const kept = await fetch(pathOf(site, `/sallyport/receipts/${runId}`));
    expect(await kept.text()).toBe(envelope);
    expect(kept.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const keys = readPublicKeys(await (await fetch(pathOf(site, "/.well-known/sallyport-keys.json"))).text(), "the server");
    expect(keys).toHaveLength(1);
    const good = await verifyReceipt({ envelope, keys });
    expect(good).toMatchObject({
      status: "good",
      commit: pull?.headSha,
      receipt: {
        run: { id: runId, kind: "mention", end: "done" },
        repository: { name: REPOSITORY },
        thread: number,
        pullRequest: pull?.number,
        actor: { login: "alice" },
        models: ["scripted"],
        read: { files: ["src/sum.js"], unread: [] },
        gate: { decisions: [{ operation: "open-pull-request", verdict: "allow" }] },
        usage: { answers: 4 },
      },
    } satisfies Partial<Verified> | object);
    const { tree = "" } = good as Extract<Verified, { status: "good" }>;
    expect(await verifyReceipt({ envelope, keys, known: { ...NOWHERE, treeOf: () => Promise.resolve(tree) } })).toMatchObject({
      status: "good",
    });
  });
});

describe("a judgement of the gate's check", () => {
  test("shows its receipt in that check, for the head that was judged, with what stands against it", async () => {
    const files = { ...FILES, [CONFIGURATION_FILE]: "gate_check: true\nreview: false\n" };
    await using stage = await openStage({ script: [], files, environment: { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined } });
    const pull = propose(stage, { ".github/workflows/x.yml": "on: pull_request_target\njobs: {}\n" });
    await tell(stage, pull);
    const [check, ...others] = namedChecks(stage, "sallyport/gate", pull.headSha);
    expect(others).toEqual([]);
    expect(check?.output.summary).toMatch(
      /Receipt `sha256:[0-9a-f]{64}`: below, and on this bot's server at `\/sallyport\/receipts\/[0-9a-z]{26}`/,
    );
    const envelope = findReceipt(check?.output.text ?? "") ?? "";
    const keys = readPublicKeys(await (await fetch(pathOf(siteOf(stage), "/.well-known/sallyport-keys.json"))).text(), "the server");
    expect(await verifyReceipt({ envelope, keys })).toMatchObject({
      status: "good",
      commit: pull.headSha,
      receipt: {
        run: { kind: "gate", end: "blocked" },
        pullRequest: pull.number,
        models: [],
        gate: { decisions: [{ operation: "commit", verdict: "block", findings: [{ rule: "protected-paths" }, { rule: "ci-files" }] }] },
      },
    });
  });
});

describe("a review", () => {
  test("shows its receipt in the check run that it has, for the head that it read", async () => {
    await using stage = await openStage({ script: reviewing([{ path: "src/fresh.js", line: 2, body: "Look at this." }]) });
    const pull = propose(stage);
    await tell(stage, pull);
    const checks = stage.github.checkRuns(REPOSITORY);
    expect(checks.map(({ name }) => name)).toEqual(["sallyport"]);
    const text = checks[0]?.output.text ?? "";
    expect(text).toContain("Coverage: read 1 of 1 changed file");
    expect(checks[0]?.output.summary).toMatch(/Receipt `sha256:[0-9a-f]{64}`/);
    const keys = readPublicKeys(await (await fetch(pathOf(siteOf(stage), "/.well-known/sallyport-keys.json"))).text(), "the server");
    expect(await verifyReceipt({ envelope: findReceipt(text) ?? "", keys })).toMatchObject({
      status: "good",
      commit: pull.headSha,
      receipt: { run: { kind: "review", end: "done" }, gate: { decisions: [{ operation: "review", verdict: "allow" }] } },
    });
  });
});
