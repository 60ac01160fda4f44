import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/commands/replay.ts";
import type { ReplayReport } from "../../src/runs/replay/replay-run.ts";
import type { TimeMachineReport } from "../../src/runs/replay/time-machine.ts";
import { call, say } from "../../src/testing/index.ts";
import { openStage, REPOSITORY } from "./stage.ts";

const edit = call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" });
const workflow = call("write_file", { path: ".github/workflows/x.yml", content: "on: push\n" });
const openPull = call("gh_create_pr", { title: "Make sum add", body: "It subtracted." });
const STRICTER = "gate:\n  protected:\n    src/**: block\n";

test("what a stopped server has recorded is judged again: one run, and all of some days", { timeout: 90_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), "sallyport-replay-"));
  try {
    await using stage = await openStage({ script: [edit, workflow, openPull, say("Done.")], environment: { SALLYPORT_DATA_DIR: data } });
    const { number } = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", user: "alice" });
    await stage.say(number, "@sallyport fix this");
    const [, runId = ""] = /run=([0-9a-z]{26})/.exec(stage.comments(number)[0] ?? "") ?? [];
    expect(stage.github.pulls(REPOSITORY)).toHaveLength(1);
    const asked = stage.model.requests.length;
    await stage.stop();
    const policy = join(data, "new.yml");
    await writeFile(policy, STRICTER);

    const said = async (options: { readonly run?: string; readonly last?: string; readonly policy?: string; readonly json?: boolean }) => {
      let text = "";
      const world = {
        variables: { PATH: process.env["PATH"], SALLYPORT_DATA_DIR: data },
        write: (part: string) => void (text += part),
      };
      const { run, last, json = true } = options;
      expect(await replay({ run, last, policy: options.policy, json, cwd: data }, world)).toBe(0);
      return text;
    };
    const parsed = async <T>(options: Parameters<typeof said>[0]): Promise<T> => JSON.parse(await said(options)) as T;

    const all = await parsed<TimeMachineReport>({ last: "1d", policy });
    expect(all.notJudged).toEqual([]);
    expect(all.changes).toMatchObject([
      { run: runId, repository: REPOSITORY, thread: number, files: 1, was: "allow", would: "block", rulesWould: ["protected-paths"] },
    ]);
    expect(all.counts.allow).toEqual({ allow: 0, ask: 0, block: 1 });
    const table = await said({ last: "1d", policy, json: false });
    expect(table).toContain("1 recorded changes were judged again, 0 could not be.");
    expect(table).toMatch(/was let through, would be blocked \(protected-paths\)/);

    const other = await parsed<ReplayReport>({ run: runId, policy });
    expect(other.writes).toMatchObject([
      { tool: "edit_file", path: "src/sum.js", was: "made", would: "block", rules: ["protected-paths"] },
      { tool: "write_file", path: ".github/workflows/x.yml", was: "blocked", would: "block" },
    ]);
    expect(other).toMatchObject({ partsAtTurn: 1, recordedAnswers: 4 });
    expect(await said({ run: runId, policy, json: false })).toContain("The model was not asked");

    const same = await parsed<ReplayReport>({ run: runId });
    expect(same.writes.map(({ was, would }) => `${was} ${would}`)).toEqual(["made allow", "blocked block"]);
    expect(same.changes).toMatchObject([{ was: "allow", would: "allow" }]);
    expect(same).not.toHaveProperty("partsAtTurn");
    expect(stage.model.requests).toHaveLength(asked);

    await rm(join(data, "stores"), { recursive: true });
    const lost = await parsed<TimeMachineReport>({ last: "1d", policy });
    expect(lost).toMatchObject({
      changes: [],
      notJudged: [{ run: runId, was: "allow", why: expect.stringContaining("is not kept on this machine") }],
    });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
