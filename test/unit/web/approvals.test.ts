import { beforeEach, describe, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import type { AnswersPort } from "../../../src/web/approvals/approvals.ts";
import type { PeopleOptions } from "../../../src/web/people.ts";
import { cookieOf, keyOf, post, signIn } from "./signed-in.ts";
import { openSite } from "./site.ts";
import { storeRun } from "./stored-runs.ts";

const TOKEN = "dashboard-token-0123456789";
const HOSTILE = "<script>alert(1)</script>";

describeOnEmbedded("approvals on the dashboard", ({ database, clear }) => {
  beforeEach(clear);

  /** A waiting run with one question; what is answered is only noted, for maria and the operator. */
  async function openDesk(options: { readonly token?: string } = { token: TOKEN }) {
    const given: string[] = [];
    const answers: AnswersPort = {
      whyNot: async (_, who) => (who === "operator" || who.login === "maria" ? undefined : `one needs ${HOSTILE}`),
      async answer(id, kind, who) {
        const why = await this.whyNot(id, who);
        if (why !== undefined) return { status: "refused", why };
        given.push(`${kind} by ${who === "operator" ? who : who.login}`);
        return { status: "answered" };
      },
    };
    let login = "maria";
    const people: PeopleOptions = {
      database: database(),
      answers,
      replays: { whyNot: () => Promise.resolve("not here"), replay: () => Promise.reject(new Error("not here")) },
      secret: "secret of the fleet",
      signIn: {
        address: ({ state, challenge }) => `https://github.example/authorize?${new URLSearchParams({ state, challenge }).toString()}`,
        identify: (code) => (code === "good" ? Promise.resolve({ id: login.length, login }) : Promise.reject(new Error("bad code"))),
      },
    };
    const run = await storeRun(database());
    await database().query("update sallyport.runs set state = 'waiting' where id = $1", [run]);
    const findings = [{ rule: HOSTILE, severity: "ask", where: { path: HOSTILE }, why: HOSTILE, fix: HOSTILE }];
    const { id } = await storeApprovals(database()).request({
      run,
      digest: "sha256:1",
      operation: "open-pull-request",
      findings,
      hours: 1,
    });
    const site = await openSite(database(), {
      people,
      log: silent,
      ...(options.token === undefined ? {} : { dashboardToken: options.token }),
    });
    const path = `/sallyport/approvals/${id}`;
    return {
      site,
      path,
      id,
      given,
      post: (headers: Record<string, string>, form: Record<string, string>) => post(site, path, form, headers),
      as: (name: string) => (login = name),
      [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
    };
  }
  const basic = { authorization: `Bearer ${TOKEN}` };

  test("are listed and shown, whatever they say, to whoever opens the dashboard", async () => {
    await using desk = await openDesk();
    const list = await desk.site.get("/sallyport/approvals", { headers: basic });
    expect(list.text).toContain(`href="${desk.path}"`);
    const page = await desk.site.get(desk.path, { headers: basic });
    expect(page.status).toBe(200);
    expect(page.text).toContain("&lt;script&gt;alert(1)");
    expect(page.text).not.toContain("<script>alert");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
  });

  test("are answered as the operator with the token, by a form of ours", async () => {
    await using desk = await openDesk();
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    const answered = await desk.post(basic, { key, answer: "approved" });
    expect([answered.status, answered.headers.location]).toEqual([303, desk.path]);
    expect(desk.given).toEqual(["approved by operator"]);
  });

  test("are answered by a person who has signed in and may, and by nobody who may not", async () => {
    await using desk = await openDesk();
    const maria = await signIn(desk.site, desk.path);
    expect(maria.back.headers.location).toBe(desk.path);
    expect(maria.back.headers["set-cookie"]?.[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    const key = keyOf(await desk.site.get(desk.path, { headers: { cookie: maria.cookie } }));
    expect((await desk.post({ cookie: maria.cookie }, { key, answer: "denied" })).status).toBe(303);
    desk.as("mallory");
    const mallory = await signIn(desk.site);
    const refused = await desk.site.get(desk.path, { headers: { cookie: mallory.cookie } });
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain("octo");
    expect((await desk.post({ cookie: mallory.cookie }, { key, answer: "approved" })).status).toBe(403);
    expect(desk.given).toEqual(["denied by maria"]);
    // A session opens this page and no other.
    for (const path of ["/sallyport", "/sallyport/audit"])
      expect((await desk.site.get(path, { headers: { cookie: maria.cookie } })).status).toBe(401);
    const list = await desk.site.get("/sallyport/approvals", { headers: { cookie: maria.cookie } });
    expect([list.status, list.text.includes(desk.id)]).toEqual([200, false]);
  });

  test.each([
    { name: "another site", headers: { origin: "https://evil.example" } },
    { name: "another site, as the browser says", headers: { "sec-fetch-site": "cross-site" } },
    { name: "a page in a sandbox", headers: { origin: "null" } },
    { name: "a form that is none", headers: { "content-type": "text/plain" } },
    { name: "a form of nobody's", form: { key: "" } },
    { name: "a form with a key of another page", form: { key: "other" } },
    { name: "a form without an answer", form: { answer: "merge" } },
  ])("count for nothing when they come from $name", async ({ headers = {}, form = {} }) => {
    await using desk = await openDesk();
    const key = keyOf(await desk.site.get(desk.path, { headers: basic }));
    const list = keyOf(await desk.site.get("/sallyport/approvals", { headers: basic }));
    const wrong = (form as { key?: string }).key === "other" ? { key: list || "x" } : form;
    const page = await desk.post({ ...basic, ...headers }, { key, answer: "approved", ...wrong });
    expect(page.status).toBe(403);
    expect(desk.given).toEqual([]);
  });

  test("are only read from this machine without a token", async () => {
    await using desk = await openDesk({});
    const page = await desk.site.get(desk.path);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('value="approved"');
    const local = { host: "localhost", origin: "http://localhost" };
    expect((await desk.post(local, { key: keyOf(page), answer: "approved" })).status).toBe(403);
    expect((await desk.site.get("/sallyport/sign-in", { headers: { host: "evil.example" } })).status).toBe(403);
    expect(desk.given).toEqual([]);
  });

  describe("signing in", () => {
    test.each([
      { name: "a state of somebody else's", change: (query: string) => query.replace(/state=\w+/, "state=theirs"), status: 400 },
      { name: "no cookie of this browser", cookie: "", status: 400 },
      {
        name: "a changed cookie",
        cookie: "__Host-sallyport-sign-in=9999999999.e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        status: 400,
      },
      { name: "a code that GitHub does not take", change: (query: string) => query.replace("code=good", "code=bad"), status: 502 },
    ])("fails with $name", async ({ change = (query: string) => query, cookie, status }) => {
      await using desk = await openDesk();
      const begun = await desk.site.get("/sallyport/sign-in");
      const state = new URL(begun.headers.location ?? "").searchParams.get("state") ?? "";
      const kept = cookie ?? cookieOf(begun, "__Host-sallyport-sign-in");
      const back = await desk.site.get(`/sallyport/sign-in/callback?${change(`code=good&state=${state}`)}`, { headers: { cookie: kept } });
      expect(back.status).toBe(status);
      expect(cookieOf(back, "__Host-sallyport")).toBe("");
    });

    test("leads to the approvals alone, whatever address it was begun with", async () => {
      await using desk = await openDesk();
      for (const to of ["https://evil.example", "//evil.example", "/sallyport", "/sallyport/approvals/../audit"])
        expect((await signIn(desk.site, to)).back.headers.location).toBe("/sallyport/approvals");
    });
  });
});
