import { beforeEach, describe, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { appendAudit } from "../../../src/store/audit.ts";
import { startBoss } from "../../../src/store/boss.ts";
import { noteWorker } from "../../../src/store/workers.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { expectPolicy, openSite, visible } from "./site.ts";
import { storeRun, writeJournal } from "./stored-runs.ts";

const PAGES = ["/sallyport/queue", "/sallyport/spend", "/sallyport/spend?days=90", "/sallyport/gate", "/sallyport/audit"];
const SECRET = "sk-secret-0123456789";
const HOSTILE = `<script>alert(1)</script>"><img src=x onerror=alert(2)>' javascript:alert(3) \u202etxt\u200b ${SECRET} sk-sec\u200bret-0123456789`;
const LONG = "w".repeat(2_000);
const mask = (text: string): string => text.replaceAll(SECRET, "[masked]");

describeOnEmbedded("the pages of all runs together", ({ database, clear }) => {
  beforeEach(clear);

  test.each(PAGES)("%s says what it is for when there is nothing, is the current one, and answers HEAD", async (path) => {
    const boss = await startBoss(database(), { log: silent, supervise: false });
    await using site = await openSite(database());
    const page = await site.get(path);
    expect(page.status).toBe(200);
    expectPolicy(page);
    expect(page.text).toMatch(new RegExp(`href="${path.replace(/\?.*/, "")}" aria-current="page"`));
    if (!path.includes("audit")) expect(page.text).toContain('class="empty"');
    expect((await site.get(path, { method: "HEAD" })).text).toBe("");
    expect((await site.get(path, { method: "POST", body: "x" })).status).toBe(405);
    expect((await site.get(`${path.replace(/\?.*/, "")}/x`)).status).toBe(404);
    await boss.stop({ graceful: false, close: false });
  });

  test("hostile names, rules, machines and rows are shown harmlessly and masked on every page, which stays light", async () => {
    const boss = await startBoss(database(), { log: silent, supervise: false });
    const { repository } = mention();
    const at = (n: number) =>
      mention({
        title: HOSTILE + LONG,
        text: HOSTILE,
        repository: { ...repository, id: 100 + n, installationId: 200 + n, owner: `${HOSTILE}${n}`, name: `${HOSTILE}${LONG}` },
        actor: { id: 300 + n, login: HOSTILE + LONG, isBot: false },
      });
    const message = { role: "assistant" as const, text: HOSTILE, calls: [] };
    const usage = { input: 10, cached: 4, output: 5 };
    for (let n = 0; n < 30; n += 1) {
      const id = await storeRun(database(), at(n));
      await writeJournal(database(), id, [{ kind: "turn", turn: 1, message, usage, model: HOSTILE, usd: 0.5 }]);
      if (n > 26) await storeApprovals(database()).request({ run: id, digest: "d", operation: HOSTILE, findings: [], hours: 1 });
    }
    await database().query("update sallyport.runs set losses = 1");
    await noteWorker(database(), { id: HOSTILE, host: HOSTILE + LONG, version: HOSTILE, slots: 1 });
    const rules = Array.from({ length: 20 }, (_, n) => ({ rule: `${HOSTILE}${n}${LONG}`, severity: HOSTILE, findings: 1 }));
    for (let n = 0; n < 10; n += 1) {
      const names = { repository: HOSTILE + LONG, operation: HOSTILE + LONG, target: HOSTILE + LONG, approval: HOSTILE, by: HOSTILE };
      await appendAudit(database(), { kind: "decision", verdict: n % 2 === 0 ? "block" : HOSTILE, rules, ...names });
      await appendAudit(database(), {
        kind: "outcome",
        outcome: { status: HOSTILE, code: HOSTILE + LONG, url: "javascript:alert(1)" },
        ...names,
      });
      await appendAudit(database(), { kind: HOSTILE + LONG, rules: "none", run: HOSTILE, outcome: HOSTILE });
    }
    await using site = await openSite(database(), { mask, budgets: { user: 1, repository: 1, organisation: 0.1 } });
    for (const path of PAGES) {
      const page = await site.get(path);
      expect(page.status).toBe(200);
      expectPolicy(page);
      expect(page.text.length).toBeLessThan(100_000);
      expect(page.text).toContain("&lt;script&gt;");
      expect(page.text).not.toMatch(/[\u202e\u200b]/);
      expect(page.text).not.toContain(SECRET);
    }
    await boss.stop({ graceful: false, close: false });
  });

  test("the spend of the day stands beside its budgets, and what is used up is said in words", async () => {
    const turn = (usd?: number) => ({
      kind: "turn" as const,
      turn: 1,
      message: { role: "assistant" as const, text: "", calls: [] },
      usage: { input: 1000, cached: 0, output: 500 },
      model: "m",
      ...(usd === undefined ? {} : { usd }),
    });
    const id = await storeRun(database());
    await writeJournal(database(), id, [turn(1.5), turn()]);
    await using site = await openSite(database(), { budgets: { user: 1, repository: 4 } });
    const text = visible(await site.get("/sallyport/spend"));
    expect(text).toContain("Today $1.50 3,000 tokens");
    expect(text).toContain("1 answer came from models whose price is not known");
    expect(text).toMatch(/mona person \$1\.50 \$1\.00 used up/);
    expect(text).toMatch(/octo\/cart repository \$1\.50 \$4\.00 \$2\.50/);
    expect(text).toMatch(/Dollars by day/);
    const week = await site.get("/sallyport/spend?days=7");
    expect(visible(week)).toContain("Last 7 days $1.50");
    expect(week.text).toContain('aria-label="Dollars by day: $1.50 in 7 days. The table below has the figures."');
    expect(week.text).toMatch(/<rect\s+class="fill-main"/);
    for (const days of ["0", "-1", "1e9", "x", "9999999"])
      expect(visible(await site.get(`/sallyport/spend?days=${days}`))).toContain("Last 30 days");
  });

  test("the gate's decisions are told by verdict and by rule", async () => {
    await appendAudit(database(), { kind: "decision", verdict: "allow", rules: [{ rule: "size", severity: "warn", findings: 1 }] });
    await appendAudit(database(), { kind: "decision", verdict: "block", rules: [{ rule: "secrets", severity: "block", findings: 3 }] });
    await using site = await openSite(database());
    const text = visible(await site.get("/sallyport/gate?days=7"));
    expect(text).toContain("Decisions 2 in 7 days Allowed 1 50.0 % of all Asked about 0 0.0 % of all Held back 1 50.0 % of all");
    expect(text).toMatch(/secrets held back 3 0 0 1 size warning 1 1 0 0/);
  });

  describe("the audit log", () => {
    const LINES = 60;

    async function fill(): Promise<void> {
      const run = await storeRun(database());
      for (let n = 0; n < LINES; n += 1) {
        const row = { run, repository: "octo/cart", operation: "open-pull-request", target: `#${n}` };
        await appendAudit(database(), {
          ...row,
          kind: "outcome",
          outcome: { status: "done", url: `https://github.com/octo/cart/pull/${n}` },
        });
      }
    }

    test("shows what was written with its address, turns pages by position, and keeps its filters on the way", async () => {
      await fill();
      await using site = await openSite(database());
      const first = await site.get("/sallyport/audit?show=written&repository=Octo%2FCart");
      expect(visible(first)).toMatch(/written open pull request #59/);
      expect(first.text).toContain('<a href="https://github.com/octo/cart/pull/59" rel="noreferrer">');
      expect(first.text.match(/id="row-\d+"/g)).toHaveLength(50);
      const [, next = ""] = /<a href="([^"]*)" rel="next"/.exec(first.text) ?? [];
      expect(next).toContain("show=written&amp;repository=Octo%2FCart&amp;before=");
      const second = await site.get(next.replaceAll("&amp;", "&"));
      expect(second.text.match(/id="row-\d+"/g)?.length).toBeGreaterThanOrEqual(10);
      expect(visible(second)).toMatch(/written open pull request #9/);
      expect(visible(second)).toContain("Newest rows");
      for (const wrong of [
        "show=everything",
        "before=x",
        "before=-1",
        "run=nonsense",
        "run=%00",
        "repository=%00",
        "repository=nobody%2Fhome",
      ])
        expect(visible(await site.get(`/sallyport/audit?${wrong}`))).toContain("No row fits.");
    });

    test("can be taken away as lines of JSON under the same policy, to the last row", async () => {
      await fill();
      await using site = await openSite(database());
      const taken = await site.get("/sallyport/audit.jsonl");
      expect(taken.headers).toMatchObject({
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": 'attachment; filename="sallyport-audit.jsonl"',
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
      const rows = taken.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { position: number; entry: string });
      expect(rows.length).toBeGreaterThanOrEqual(LINES);
      expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1));
      expect(JSON.parse(rows.at(-1)?.entry ?? "")).toMatchObject({ kind: "outcome", asker: { login: "mona" } });
      expect((await site.get("/sallyport/audit.jsonl", { method: "HEAD" })).text).toBe("");
      expect((await site.get("/sallyport/audit.jsonl", { method: "POST", body: "" })).status).toBe(405);
    });

    test("is not sent to somebody who may not look, and not at all where it cannot be read", async () => {
      await using shut = await openSite(database(), { dashboardToken: "correct-horse" });
      for (const path of ["/sallyport/audit.jsonl", ...PAGES]) expect((await shut.get(path)).status).toBe(401);
      const failing = {
        query: () => Promise.reject(new Error("connection to 10.1.2.3 lost")),
        executeSql: () => Promise.reject(new Error("no")),
      };
      await using broken = await openSite(failing);
      for (const path of ["/sallyport/audit.jsonl", ...PAGES]) {
        const page = await broken.get(path);
        expect(page.status).toBe(503);
        expect(page.text).not.toContain("10.1.2.3");
        expectPolicy(page);
      }
    });

    test("that breaks off in the middle breaks the connection, so that a part is not taken for the whole", async () => {
      const row = { position: 1, hash: "h", previous: "p", entry: "{}" };
      let asked = 0;
      const failing = {
        query: () => ((asked += 1) === 1 ? Promise.resolve(Array.from({ length: 500 }, () => row)) : Promise.reject(new Error("gone"))),
        executeSql: () => Promise.reject(new Error("no")),
      };
      await using site = await openSite(failing as unknown as Parameters<typeof openSite>[0]);
      await expect(site.get("/sallyport/audit.jsonl")).rejects.toThrow();
      expect(asked).toBe(2);
    });
  });
});
