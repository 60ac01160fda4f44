import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silent } from "../../src/core/log.ts";
import { storeApprovals } from "../../src/store/approvals.ts";
import { readAudit, verifyChain } from "../../src/store/audit.ts";
import { openDatabase } from "../../src/store/database.ts";
import { call, say, type Turn } from "../../src/testing/index.ts";
import { FILES, openStage, REPOSITORY } from "./stage.ts";

/** Plays one run of alice's and answers what the database holds afterwards. */
async function played(...calls: readonly Turn[]) {
  const directory = await mkdtemp(join(tmpdir(), "sallyport-audit-"));
  try {
    await using stage = await openStage({ script: [...calls, say("Done.")], environment: { SALLYPORT_DATA_DIR: directory } });
    const issue = stage.github.addIssue(REPOSITORY, { title: "sum subtracts", body: "", user: "alice" });
    await stage.say(issue.number, "@sallyport please fix this");
    const pulls = stage.github.pulls(REPOSITORY).length;
    const [comment = ""] = stage.comments(issue.number);
    await stage.stop();
    const database = await openDatabase({ directory, log: silent });
    try {
      const entries: Record<string, unknown>[] = [];
      for await (const { entry } of readAudit(database)) entries.push(JSON.parse(entry) as Record<string, unknown>);
      const run = String(entries[0]?.["run"]);
      return {
        entries,
        pulls,
        comment,
        chain: await verifyChain(readAudit(database)),
        waiting: await storeApprovals(database).waiting(run),
      };
    } finally {
      await database.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test("a run leaves one chain that names every write, who asked for it and what came of it", async () => {
  const { entries, chain, pulls } = await played(
    call("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }),
    call("gh_create_pr", { title: "Make sum add", body: "It subtracted." }),
  );
  expect(pulls).toBe(1);
  expect(chain).toMatchObject({ ok: true, rows: entries.length, first: 1 });
  for (const entry of entries) {
    expect(entry).toMatchObject({
      asker: { login: "alice" },
      repository: REPOSITORY,
      trigger: "mention",
      at: expect.any(String) as unknown,
    });
  }
  const opened = entries.filter(({ operation }) => operation === "open-pull-request");
  expect(opened).toMatchObject([
    { kind: "decision", verdict: "allow", target: "sallyport/1-sum-subtracts → main" },
    { kind: "outcome", outcome: { status: "done", id: 2 } },
  ]);
  expect(new Set(entries.map(({ operation }) => operation))).toEqual(
    new Set(["reaction", "comment", "edit-own-comment", "open-pull-request", "check-run"]),
  );
  expect(JSON.stringify(entries)).not.toMatch(/It subtracted|a \+ b|sk-e2e/);
});

test("a change that a person must approve waits under the name that the comment tells", async () => {
  const manifest = JSON.parse(FILES["package.json"]) as Record<string, unknown>;
  const content = `${JSON.stringify({ ...manifest, dependencies: { "left-pad": "1.3.0" } }, null, 2)}\n`;
  const { entries, pulls, comment, waiting } = await played(
    call("write_file", { path: "package.json", content }),
    call("gh_create_pr", { title: "Add left-pad", body: "It is needed." }),
  );
  expect(pulls).toBe(0);
  expect(waiting).toHaveLength(1);
  expect(comment).toMatch(/^\*\*waiting for approval\*\*/);
  expect(comment).toContain(`waits for approval ${waiting[0]?.id}`);
  expect(entries.filter(({ operation }) => operation === "open-pull-request")).toMatchObject([
    { kind: "decision", verdict: "ask", approval: waiting[0]?.id },
  ]);
});
