import { beforeEach, describe, expect, test } from "vitest";
import type { RunRequest } from "../../../src/core/run.ts";
import { readFates } from "../../../src/store/answered.ts";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { appendAudit } from "../../../src/store/audit.ts";
import { listAudit } from "../../../src/store/audit-list.ts";
import { startBoss } from "../../../src/store/boss.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { setPaused } from "../../../src/store/pauses.ts";
import { readQueue } from "../../../src/store/queue-list.ts";
import { usedByDay, usedMost } from "../../../src/store/spend.ts";
import { listWorkers, noteWorker, removeWorker } from "../../../src/store/workers.ts";
import { silent } from "../../../src/core/log.ts";
import { storeRun } from "../web/stored-runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const LONG_AGO = "2020-01-01";
const { repository } = mention();

describeOnDatabases("what the overviews read", ({ database, clear }) => {
  beforeEach(clear);

  async function use(request: RunRequest, usd?: number): Promise<string> {
    const id = await storeRun(database(), request);
    const message = { role: "assistant" as const, text: "half \ud800, \0", calls: [] };
    const usage = { input: 10, cached: 4, output: 5 };
    const entry = { kind: "turn" as const, turn: 1, message, usage, model: "m", ...(usd === undefined ? {} : { usd }) };
    await appendRow(database(), { run: { id, attempt: 0 }, sequence: 1, entry });
    return id;
  }

  test("who used most is told by repository, person and installation, by the name of the newest run", async () => {
    const renamed = { ...repository, name: "shop" };
    await use(mention(), 1);
    await use(mention({ repository: renamed, text: "half \ud800, \0" }), 0.5);
    await use(mention({ repository: { ...repository, id: 43, installationId: 8 }, actor: { id: 10, login: "hubot", isBot: true } }));
    const wish = { since: LONG_AGO, limit: 9 };
    expect(await usedMost(database(), "repository", wish)).toMatchObject([
      { id: 42, runs: 2, usd: 1.5, tokens: 30, unpriced: 0, request: { repository: { name: "shop" } } },
      { id: 43, runs: 1, usd: 0, tokens: 15, unpriced: 1 },
    ]);
    expect(await usedMost(database(), "user", wish)).toMatchObject([
      { id: 9, runs: 2, request: { actor: { login: "mona" } } },
      { id: 10, runs: 1, request: { actor: { login: "hubot" } } },
    ]);
    expect((await usedMost(database(), "organisation", { ...wish, limit: 1 })).map(({ id }) => id)).toEqual([7]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await usedByDay(database(), LONG_AGO)).toEqual([{ day: today, usd: 1.5, tokens: 45, unpriced: 1 }]);
    expect(await usedByDay(database(), "2999-01-01")).toEqual([]);
  });

  test("what became of questions is counted, those of today too", async () => {
    const approvals = storeApprovals(database());
    const ask = async (hours = 72) =>
      approvals.request({ run: await storeRun(database()), digest: "d", operation: "comment", findings: [], hours });
    const by = { id: 9, login: "mona" };
    await approvals.answer((await ask()).id, "approved", by);
    await approvals.answer((await ask()).id, "denied", by);
    await approvals.answer((await ask()).id, "denied", by);
    await ask(-1);
    const { run } = await ask();
    await approvals.request({ run, digest: "e", operation: "comment", findings: [], hours: 72 });
    expect(await readFates(database(), LONG_AGO)).toMatchObject({ approved: 1, denied: 2, expired: 1, voided: 1, waiting: 1 });
    expect(await readFates(database(), "2999-01-01")).toEqual({ approved: 0, denied: 0, expired: 0, voided: 0, waiting: 0 });
  });

  test("the queue is told by installation, with pauses, workers and runs in trouble", async () => {
    const boss = await startBoss(database(), { log: silent, supervise: false });
    await storeRun(database());
    const id = await storeRun(database(), mention({ repository: { ...repository, owner: "acme", installationId: 8 } }));
    await storeRun(database(), mention({ repository: { ...repository, owner: "acme-now", installationId: 8 }, text: "\0" }));
    await database().query("update sallyport.runs set state = 'waiting', losses = 2, failures = 1 where id = $1", [id]);
    await setPaused(database(), 8, true);
    await noteWorker(database(), { id: "w1", host: "build-1", version: "1.0.0", slots: 4 });
    await noteWorker(database(), { id: "w1", host: "build-1", version: "1.0.0", slots: 4 });
    const state = await readQueue(database(), 9);
    expect(state.installations).toEqual([
      { id: 8, owner: "acme-now", queued: 1, working: 0, waiting: 1, oldest: expect.any(Date) as Date },
      { id: 7, owner: "octo", queued: 1, working: 0, waiting: 0, oldest: expect.any(Date) as Date },
    ]);
    expect(state.paused).toMatchObject([{ scope: 8 }]);
    expect(state.workers).toMatchObject([{ id: "w1", host: "build-1", slots: 4, seen: expect.any(Date) as Date }]);
    expect(state.troubled).toMatchObject([{ id, state: "waiting", losses: 2, failures: 1 }]);
    expect((await readQueue(database(), 1)).installations).toHaveLength(1);
    await setPaused(database(), 8, false);
    await removeWorker(database(), "w1");
    expect(await listWorkers(database(), 9)).toEqual([]);
    await boss.stop({ graceful: false, close: false });
  });

  describe("the audit log, newest first", () => {
    test("is narrowed by what happened, by repository in any case and by run, and turned over by position", async () => {
      const { position: from } = await appendAudit(database(), { kind: "start" });
      const run = "0".repeat(26);
      const decision = (verdict: string, name: string) => ({ kind: "decision", verdict, rules: [], repository: name, run });
      await appendAudit(database(), decision("allow", "Acme/Shop"));
      await appendAudit(database(), decision("block", "acme/other"));
      await appendAudit(database(), decision("ask", "acme/other"));
      await appendAudit(database(), { kind: "outcome", repository: "acme/shop", outcome: { status: "done" } });
      await appendAudit(database(), { kind: "answer", by: '","kind":"outcome","repository":"acme/shop","verdict":"block' });
      const places = async (filter: Parameters<typeof listAudit>[1], limit = 9): Promise<number[]> =>
        (await listAudit(database(), filter, limit)).map(({ position }) => position - from).filter((place) => place > 0);
      expect(await places({})).toEqual([5, 4, 3, 2, 1]);
      expect(await places({ topic: "written", before: from + 6 }, 1)).toEqual([4]);
      expect(await places({ topic: "decided", run })).toEqual([3, 2, 1]);
      expect(await places({ topic: "held-back", repository: "ACME/other" })).toEqual([2]);
      expect(await places({ topic: "asked" }, 1)).toEqual([3]);
      expect(await places({ topic: "answered" }, 1)).toEqual([5]);
      expect(await places({ repository: "acme/shop" })).toEqual([4, 1]);
      expect(await places({ before: from + 3 }, 2)).toEqual([2, 1]);
      expect(await places({ repository: "acme/' or true --" })).toEqual([]);
    });
  });
});
