import { beforeEach, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { InnerEntry, JournalEntry } from "../../../src/core/journal.ts";
import { appendAudit } from "../../../src/store/audit.ts";
import { countRules, readGateDays } from "../../../src/store/gate-days.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { migrate, MIGRATIONS } from "../../../src/store/migrations.ts";
import { openPostgres } from "../../../src/store/postgres.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { describeOnDatabases, describeOnPostgres } from "./databases.ts";
import { mention } from "./requests.ts";

const usage = { input: 100, cached: 40, output: 7 };
const turn = (text: string, usd?: number): InnerEntry => ({
  kind: "turn",
  turn: 1,
  message: { role: "assistant", text, calls: [] },
  usage,
  model: "m",
  ...(usd === undefined ? {} : { usd }),
});
const ROWS: readonly JournalEntry[] = [
  turn("priced", 0.5),
  turn('half \ud800 of "usage", \0'),
  { kind: "note", turn: 1, text: "asked nobody" },
  { kind: "compacted", turn: 1, text: "without a summary" },
  { kind: "compacted", turn: 1, text: "…", summary: { text: "so far", usage, model: "m", usd: 0.25 } },
  { kind: "nested", callId: "c1", entry: turn("inside", 1) },
  { kind: "nested", callId: "c1", entry: { kind: "note", turn: 1, text: "\u0000" } },
];
const USED = { repository: 42, installation: 7, actor: 9, input: 400, cached: 160, output: 28, usd: 1.75, answers: 4, unpriced: 1 };

/** Cannot pass for who asked, and breaks nothing. */
const HOSTILE = 'half \ud800 of "actor":{"id":1}, \0';

async function start(database: Database): Promise<string> {
  const [answer] = await acceptDeliveries(database, [mention({ text: HOSTILE })]);
  if (answer?.status !== "accepted") throw new Error("not accepted");
  return answer.runId;
}

const usedBy = (database: Database, id: string) =>
  database.query(
    `select repository_id::integer as repository, installation_id::integer as installation, actor_id::integer as actor, input::integer as input, cached::integer as cached, output::integer as output, usd, answers, unpriced
     from sallyport.usage where run_id = $1`,
    [id],
  );

describeOnDatabases("what a run used", ({ database, clear }) => {
  beforeEach(clear);

  test("is added up as its journal is written", async () => {
    const id = await start(database());
    for (const [index, entry] of ROWS.entries()) await appendRow(database(), { run: { id, attempt: 0 }, sequence: index + 1, entry });
    expect(await usedBy(database(), id)).toEqual([USED]);
  });

  test("is not added where the row could not be written, and goes with the run", async () => {
    const id = await start(database());
    const row = { sequence: 1, entry: turn("late", 1) };
    await appendRow(database(), { run: { id, attempt: 0 }, ...row });
    await expect(appendRow(database(), { run: { id, attempt: 0 }, ...row })).rejects.toMatchObject({ code: "stale-attempt" });
    await expect(appendRow(database(), { run: { id, attempt: 7 }, sequence: 2, entry: turn("stale", 1) })).rejects.toMatchObject({
      code: "stale-attempt",
    });
    expect(await usedBy(database(), id)).toMatchObject([{ usd: 1, answers: 1 }]);
    await database().query("delete from sallyport.runs where id = $1", [id]);
    expect(await usedBy(database(), id)).toEqual([]);
  });

  test("decisions of the outer door are counted by day, verdict and rule", async () => {
    const at = new Date("2026-11-30T23:59:59.000Z");
    const found = (rule: string, severity: string, findings: number) => ({ rule, severity, findings });
    await appendAudit(database(), { kind: "decision", verdict: "allow", rules: [] }, at);
    for (const findings of [2, 3])
      await appendAudit(database(), { kind: "decision", verdict: "block", rules: [found("secrets", "block", findings)] }, at);
    await appendAudit(database(), { kind: "outcome", outcome: { status: "done" } }, at);
    expect(await readGateDays(database(), "2026-11-30")).toEqual([
      { day: "2026-11-30", verdict: "allow", decisions: 1 },
      { day: "2026-11-30", verdict: "block", decisions: 2 },
    ]);
    expect(await countRules(database(), "2026-11-30")).toEqual([
      { rule: "secrets", severity: "block", verdict: "block", decisions: 2, findings: 5 },
    ]);
    expect(await countRules(database(), "2026-12-01")).toEqual([]);
    expect(await readGateDays(database(), "2026-12-01")).toEqual([]);
  });
});

/** The last one without these tables. */
const BEFORE = 8;

describeOnPostgres("a database of an older release", ({ postgres }) => {
  test("has what its runs used and its gate decided counted when it is brought up to date", async () => {
    const old = await openPostgres({ url: await postgres().createDatabase(), log: silent });
    try {
      await migrate(old, silent, MIGRATIONS.slice(0, BEFORE));
      const id = await start(old);
      for (const [index, entry] of ROWS.entries())
        await old.query("insert into sallyport.journal (run_id, attempt, sequence, kind, entry) values ($1, 0, $2, $3, $4::json)", [
          id,
          index + 1,
          entry.kind,
          JSON.stringify(entry),
        ]);
      const entry = '{"at":"x","kind":"decision","rules":[{"findings":2,"rule":"secrets","severity":"block"}],"verdict":"block"}';
      await old.query(
        "insert into sallyport.audit (position, at, entry, previous, hash) values (1, '2026-11-30T12:00:00Z', $1, 'p', 'h')",
        [entry],
      );
      await migrate(old, silent);
      expect(await usedBy(old, id)).toEqual([USED]);
      expect(await readGateDays(old, "2026-01-01")).toEqual([{ day: "2026-11-30", verdict: "block", decisions: 1 }]);
      expect(await countRules(old, "2026-01-01")).toMatchObject([{ verdict: "block", rule: "secrets", decisions: 1, findings: 2 }]);
    } finally {
      await old.close();
    }
  });
});
