import { beforeEach, expect, test } from "vitest";
import { acceptDeliveries, settle } from "../../../src/store/runs.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { expectPolicy, openSite, visible, type Page } from "./site.ts";
import { storeRun, writeJournal } from "./stored-runs.ts";

const runLinks = ({ text }: Page): string[] => [...text.matchAll(/href="\/sallyport\/runs\/(\w+)"/g)].map(([, id = ""]) => id);

describeOnEmbedded("the list of runs", ({ database, clear }) => {
  beforeEach(clear);

  test("says what to do when there is no run", async () => {
    await using site = await openSite(database());
    const page = await site.get("/sallyport");
    expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(visible(page)).toContain("There is no run yet.");
    expect(visible(page)).toContain("@sallyport fix this");
    expectPolicy(page);
  });

  test("shows runs newest first, each with state, repository, number, kind, asker, age and tokens", async () => {
    const first = await storeRun(database(), mention({ number: 12 }));
    const usage = { input: 1200, output: 34, cached: 0 };
    await writeJournal(database(), first, [
      { kind: "turn", turn: 1, message: { role: "assistant", text: "", calls: [] }, usage, model: "m" },
    ]);
    await settle(database(), { id: first, attempt: 0 }, { kind: "ended", state: "out-of-budget" });
    const second = await storeRun(database(), mention({ trigger: "ci" }));
    const now = Date.now() + 3 * 60_000 + 5000;
    await using site = await openSite(database(), { now: () => now, queueDepth: () => 7 });
    const page = await site.get("/sallyport/");
    expect(runLinks(page)).toEqual([second, first]);
    const said = visible(page);
    expect(said).toContain("0 working, 1 queued, 7 jobs in the queue");
    expect(said).toMatch(/queued octo\/cart#1 The total is wrong octo\/cart · failed CI by mona · 3 min ago · 0 tokens/);
    expect(said).toMatch(/out of budget octo\/cart#12 The total is wrong octo\/cart · mention by mona · 3 min ago · 1,234 tokens/);
  });

  test.each([
    { query: "?repository=octo/basket", shown: ["basket"] },
    { query: "?repository=OCTO%2FBASKET", shown: ["basket"] },
    { query: "?state=failed", shown: ["failed"] },
    { query: "?kind=review", shown: ["review"] },
    { query: "?state=queued&kind=review", shown: ["review"] },
    { query: "?state=&kind=&repository=%20", shown: ["review", "basket", "failed"] },
    { query: "?other=1", shown: ["review", "basket", "failed"] },
    { query: "?state=nonsense", shown: [] },
    { query: "?kind=__proto__", shown: [] },
    { query: "?state=constructor", shown: [] },
    { query: "?repository=acme/<script>alert(1)</script>", shown: [] },
    { query: "?repository=%E0%A4%A&state=%00", shown: [] },
    { query: `?repository=${"x".repeat(5000)}`, shown: [] },
  ])("is narrowed by $query", async ({ query, shown }) => {
    const failed = await storeRun(database(), mention());
    await settle(database(), { id: failed, attempt: 0 }, { kind: "ended", state: "failed" });
    const names: Record<string, string> = { [failed]: "failed" };
    names[await storeRun(database(), mention({ repository: { ...mention().repository, id: 43, name: "basket" } }))] = "basket";
    names[await storeRun(database(), mention({ trigger: "review" }))] = "review";
    await using site = await openSite(database());
    const page = await site.get(`/sallyport${query}`);
    expect(page.status).toBe(200);
    expect(runLinks(page).map((id) => names[id])).toEqual(shown);
    if (shown.length === 0) expect(visible(page)).toContain("No run fits. Show all runs");
    expectPolicy(page);
  });

  test("offers each narrowing as a link that keeps the others and marks what is chosen", async () => {
    await storeRun(database());
    await using site = await openSite(database());
    const { text } = await site.get("/sallyport?state=failed&kind=mention&repository=octo/cart");
    expect(text).toContain('href="/sallyport?repository=octo%2Fcart&amp;state=done&amp;kind=mention"');
    expect(text).toContain('href="/sallyport?state=failed&amp;kind=mention">Show every repository');
    expect([...text.matchAll(/aria-current="true"[^>]*>([^<]+)/g)].map(([, words]) => words)).toEqual(["failed", "mention"]);
  });

  test("stays light with a hundred runs of the worst texts, and leads to those that are older", async () => {
    const worst = `"'`.repeat(50_000);
    const requests = Array.from({ length: 101 }, () => mention({ title: worst, text: worst, body: worst }));
    await acceptDeliveries(database(), requests);
    await using site = await openSite(database());
    const page = await site.get("/sallyport");
    expect(runLinks(page)).toHaveLength(100);
    expect(page.text.length).toBeLessThan(100_000);
    const older = /href="([^"]+)" rel="next">Older runs/.exec(page.text)?.[1] ?? "";
    const next = await site.get(older.replaceAll("&amp;", "&"));
    expect(runLinks(next)).toHaveLength(1);
    expect(runLinks(page)).not.toContain(runLinks(next)[0]);
  });

  test("is shown without the queue's depth when that cannot be told", async () => {
    await using site = await openSite(database(), { queueDepth: () => Promise.reject(new Error("away")) });
    expect(visible(await site.get("/sallyport"))).toContain("0 working, 0 queued");
  });
});
