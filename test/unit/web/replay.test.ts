import { beforeEach, expect, test } from "vitest";
import type { Finding } from "../../../src/core/result.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import type { ReplayFindings, ReplayOutcome } from "../../../src/web/replay/replay-page.ts";
import { keyOf, post, signIn } from "./signed-in.ts";
import { expectPolicy, openSite, visible } from "./site.ts";
import { storeRun } from "./stored-runs.ts";

const TOKEN = "dashboard-token-0123456789";
const HOSTILE = `</textarea><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"'\``;
const basic = { authorization: `Bearer ${TOKEN}` };
const finding = (rule: string): Finding => ({ rule, severity: "block", where: { path: HOSTILE, line: 3 }, why: HOSTILE, fix: HOSTILE });
const REPORT: ReplayFindings = {
  recordedAnswers: 4,
  changes: [
    {
      operation: "open-pull-request",
      files: 2,
      was: "allow",
      approved: false,
      would: "block",
      added: [finding("protected-paths")],
      gone: [finding("size")],
    },
    { operation: "commit", files: 1, was: "ask", approved: true, would: "ask", added: [], gone: [] },
  ],
  writes: [{ turn: 1, tool: HOSTILE, path: HOSTILE, was: "made", would: "block", rules: ["protected-paths"] }],
  notJudged: [{ was: "allow", why: HOSTILE }],
  carried: ["operations", "output"],
  partsAtTurn: 1,
};

describeOnEmbedded("a run's replay on the dashboard", ({ database, clear }) => {
  beforeEach(clear);

  /** A run that has ended; maria and the operator may have it replayed. */
  async function openDesk({ token = TOKEN, outcome }: { readonly token?: string | null; readonly outcome?: ReplayOutcome } = {}) {
    const asked: (string | undefined)[] = [];
    let login = "maria";
    const site = await openSite(database(), {
      ...(token === null ? {} : { dashboardToken: token }),
      mask: (text) => text.replaceAll("held-secret", "***"),
      people: {
        database: database(),
        secret: "secret of the fleet",
        answers: { whyNot: () => Promise.resolve("not here"), answer: () => Promise.reject(new Error("not here")) },
        replays: {
          whyNot: async (_, who) => (who === "operator" || who.login === "maria" ? undefined : `one needs ${HOSTILE}`),
          async replay(_, policy, who) {
            asked.push(`${policy} by ${who === "operator" ? who : who.login}`);
            return outcome ?? { status: "replayed", report: REPORT };
          },
        },
        signIn: {
          address: ({ state }) => `https://github.example/authorize?state=${state}`,
          identify: () => Promise.resolve({ id: login.length, login }),
        },
      },
    });
    const run = await storeRun(database());
    await database().query("update sallyport.runs set state = 'done' where id = $1", [run]);
    const path = `/sallyport/runs/${run}/replay`;
    return {
      site,
      run,
      path,
      asked,
      as: (name: string) => (login = name),
      [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
    };
  }

  test("is a button on the run's page, for the policy of this moment, and a form for another one", async () => {
    await using desk = await openDesk();
    const { site, run, path, asked } = desk;
    const page = await site.get(`/sallyport/runs/${run}`, { headers: basic });
    expect(page.text).toContain(`<form class="answer" action="${path}" method="post">`);
    const today = await post(site, path, { key: keyOf(page) }, basic);
    expect(today.status).toBe(200);
    const key = keyOf(await site.get(path, { headers: basic }));
    const other = await post(site, path, { key, policy: "gate:\r\n  hosts: [held-secret]\r\n" }, basic);
    expect(asked).toEqual(["undefined by operator", "gate:\n  hosts: [held-secret]\n by operator"]);
    // A text area's first line end is dropped by browsers.
    expect(other.text).toContain(">\ngate:\n  hosts: [***]\n</textarea>");
    expect(visible(today)).toContain("By the repository's policy of this moment, 1 verdict of 2 would be another one.");
    expect(visible(other)).toContain("By the policy below, 1 verdict");
  });

  test("shows then and now, and what findings came and went, whatever they say", async () => {
    await using desk = await openDesk();
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    const page = await post(desk.site, desk.path, { key, policy: HOSTILE }, basic);
    expectPolicy({ ...page, headers: { ...page.headers, "referrer-policy": "no-referrer" } });
    expect(page.headers["referrer-policy"]).toBe("same-origin");
    expect(page.text).not.toMatch(/<script|<img|\u202e/);
    const shown = visible(page);
    expect(shown).toMatch(/open pull request, 2 files allowed held back held back protected-paths in .* held back size in/);
    expect(shown).toMatch(/commit, 1 file waits for approval approved since waits for approval none none/);
    expect(shown).toContain("From turn 1 on a tool would have been answered otherwise");
  });

  test("stays a light page, however much there is", async () => {
    const many = <T>(one: T): T[] => Array.from({ length: 500 }, () => one);
    const all = many({ ...finding("r".repeat(500)), why: '"'.repeat(500), where: { path: "'".repeat(500) } });
    const [change] = REPORT.changes;
    const [write] = REPORT.writes;
    if (change === undefined || write === undefined) throw new Error("nothing to show");
    const report = { ...REPORT, changes: many({ ...change, added: all, gone: all }), writes: many({ ...write, path: "`".repeat(500) }) };
    await using desk = await openDesk({ outcome: { status: "replayed", report } });
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    const page = await post(desk.site, desk.path, { key, policy: "# a\n".repeat(2_400) }, basic);
    expect(Buffer.byteLength(page.text)).toBeLessThan(100_000);
    expect(visible(page)).toMatch(/and 4\d\d more findings/);
    expect(visible(page)).toContain("There is more than is shown");
  });

  test.each<[string, ReplayOutcome, number, string]>([
    [
      "faults of the policy",
      { status: "faulty", faults: [{ line: 7, key: HOSTILE, why: HOSTILE }] },
      422,
      "This is no policy yet: line 7, </textarea>",
    ],
    ["that it is busy", { status: "failed", why: "Another run is replayed.", again: true }, 503, "Another run is replayed."],
    ["that it took too long", { status: "failed", why: "It took longer.", again: false }, 409, "It took longer."],
  ])("says %s, and keeps what was entered", async (_, outcome, status, said) => {
    await using desk = await openDesk({ outcome });
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    const page = await post(desk.site, desk.path, { key, policy: "gate: {}" }, basic);
    expect(page.status).toBe(status);
    expect(visible(page)).toContain(said);
    expect(page.text).toContain("gate: {}</textarea");
    expect(page.text).not.toContain("<script");
  });

  test("is for people who may, who see it and nothing else, and for nobody who may not", async () => {
    await using desk = await openDesk();
    const { site, path, asked } = desk;
    const maria = await signIn(site, path);
    expect(maria.back.headers.location).toBe(path);
    const hers = { cookie: maria.cookie };
    const key = keyOf(await site.get(path, { headers: hers }));
    expect((await post(site, path, { key }, hers)).status).toBe(200);
    expect((await site.get(path.replace("/replay", ""), { headers: hers })).status).toBe(401);
    desk.as("mallory");
    const his = { cookie: (await signIn(site)).cookie };
    const refused = await site.get(path, { headers: his });
    expect([refused.status, refused.text.includes("octo"), refused.text.includes("<script")]).toEqual([403, false, false]);
    expect((await post(site, path, { key }, his)).status).toBe(403);
    expect((await site.get(path)).status).toBe(401);
    expect(asked).toEqual(["undefined by maria"]);
  });

  test.each([
    { name: "another site", headers: { origin: "https://evil.example" } },
    { name: "another site, as the browser says", headers: { "sec-fetch-site": "cross-site" } },
    { name: "a page in a sandbox", headers: { origin: "null" } },
    { name: "a form that is none", headers: { "content-type": "text/plain" } },
    { name: "a form of nobody's", form: { key: "" } },
    { name: "the form of an approval", form: { key: "approvals" } },
    { name: "a form that is too large", form: { policy: "é".repeat(40_000) } },
  ])("counts for nothing when it comes from $name", async ({ headers = {}, form = {} }) => {
    await using desk = await openDesk();
    const given: { readonly key?: string; readonly policy?: string } = form;
    const key = keyOf(await desk.site.get(given.key === "approvals" ? "/sallyport/approvals" : desk.path, { headers: basic }));
    const page = await post(desk.site, desk.path, { key, ...(given.key === "approvals" ? {} : given) }, { ...basic, ...headers });
    expect(page.status).toBe(403);
    expect(desk.asked).toEqual([]);
  });

  test("takes no policy that is longer than its page may be", async () => {
    await using desk = await openDesk();
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    expect((await post(desk.site, desk.path, { key, policy: "x".repeat(10_001) }, basic)).status).toBe(413);
    expect((await desk.site.get(desk.path, { method: "PUT", headers: basic })).status).toBe(405);
    expect((await desk.site.get("/sallyport/runs/00000000000000000000000000/replay", { headers: basic })).status).toBe(404);
    expect(desk.asked).toEqual([]);
  });

  test("is explained, and not done, on this machine without a token", async () => {
    await using desk = await openDesk({ token: null });
    const page = await desk.site.get(desk.path);
    expect([page.status, page.text.includes("<textarea")]).toEqual([200, false]);
    expect(page.text).toContain(`href="/sallyport/sign-in?to=${desk.path}"`);
    const local = { host: "localhost", origin: "http://localhost" };
    const theirs = keyOf(await desk.site.get(`/sallyport/runs/${desk.run}`));
    expect(theirs).toBe("");
    expect((await post(desk.site, desk.path, { key: theirs }, local)).status).toBe(403);
    expect(desk.asked).toEqual([]);
  });
});
