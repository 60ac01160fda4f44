import { describe, expect, it } from "vitest";
import { BASE } from "../../../src/web/layout.ts";
import type { ServedRoute } from "../../../src/web/extension-routes.ts";
import { expectPolicy, openSite } from "./site.ts";

const KEY = { authorization: "Bearer correct-horse" };
const nothing = { query: () => Promise.resolve([]), executeSql: () => Promise.reject(new Error("not part of this test")) };
const route = (path: string, handler: ServedRoute["handler"], page?: ServedRoute["page"]): ServedRoute => ({
  path: `/x/pager${path}`,
  handler,
  ...(page === undefined ? {} : { page }),
});
const site = (...routes: readonly ServedRoute[]) => openSite(nothing, { routes, dashboardToken: "correct-horse" });

describe("routes of extensions", () => {
  it("answer those who may see the dashboard, under its policies", async () => {
    await using pages = await site(
      route("/ping", () => new Response("pong", { headers: { "content-security-policy": "none", "set-cookie": "a=b" } })),
    );
    const open = await pages.get("/x/pager/ping", { headers: KEY });
    expect([open.status, open.text]).toEqual([200, "pong"]);
    expectPolicy(open);
    expect(open.headers["set-cookie"]).toBeUndefined();
    for (const headers of [{}, { authorization: "Bearer wrong" }, { cookie: "token=correct-horse" }]) {
      const refused = await pages.get("/x/pager/ping", { headers });
      expect([refused.status, refused.text.includes("pong")]).toEqual([401, false]);
    }
    expect((await pages.get("/x/pager/nowhere", { headers: KEY })).status).toBe(404);
    expect((await pages.get("/x/other/ping", { headers: KEY })).status).toBe(404);
  });

  it("get the request without the dashboard's token", async () => {
    const seen: Request[] = [];
    await using pages = await site(
      route("/post", async (request) => {
        seen.push(request);
        return new Response(await request.text(), { status: 201 });
      }),
    );
    const { status, text } = await pages.get("/x/pager/post?a=1", {
      method: "POST",
      body: "hello",
      headers: { ...KEY, cookie: "a=b", "x-own": "1" },
    });
    expect([status, text]).toEqual([201, "hello"]);
    expect([
      new URL(seen[0]?.url ?? "").search,
      seen[0]?.headers.get("authorization"),
      seen[0]?.headers.get("cookie"),
      seen[0]?.headers.get("x-own"),
    ]).toEqual(["?a=1", null, null, "1"]);
  });

  it("answer nothing that another site has a browser send", async () => {
    await using pages = await site(route("/post", () => new Response("done")));
    const send = async (from: string) =>
      (await pages.get("/x/pager/post", { method: "POST", body: "", headers: { ...KEY, "sec-fetch-site": from } })).status;
    expect([await send("cross-site"), await send("same-site"), await send("same-origin")]).toEqual([403, 403, 200]);
  });

  it.each<readonly [what: string, handler: () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("route-kaput");
      },
    ],
    ["answers no Response", () => "pong"],
  ])("are answered 500, without a reason, where one %s", async (_, handler) => {
    await using pages = await site(route("/broken", handler as ServedRoute["handler"]));
    const { status, text } = await pages.get("/x/pager/broken", { headers: KEY });
    expect([status, text]).toEqual([500, "something went wrong; the server's log says what\n"]);
  });

  it("take a bounded body", async () => {
    await using pages = await site(route("/post", () => new Response("done")));
    expect((await pages.get("/x/pager/post", { method: "POST", body: "x".repeat(2_000_000), headers: KEY })).status).toBe(413);
  });
});

describe("pages of extensions", () => {
  it("stand in the navigation, escaped, with their icon or the one for all others", async () => {
    const database = { ...nothing, query: () => Promise.resolve([{ state: "queued", count: "0", queued: "0", working: "0" }]) };
    const routes = [
      route("/fleet", () => new Response("x"), { label: "Fleet & <i>status</i>", icon: "activity" }),
      route("/odd", () => new Response("x"), { label: "Odd", icon: "no-such-icon" }),
    ];
    await using pages = await openSite({ ...database, query: () => Promise.resolve([]) }, { routes, dashboardToken: "correct-horse" });
    // Any page of the dashboard; the list needs no row for its frame.
    const { text } = await pages.get(`${BASE}?kind=none-such`, { headers: KEY });
    expect(text).toMatch(
      /<a href="\/x\/pager\/fleet"[^>]*><svg\s[^>]*aria-hidden="true"[\s\S]*?<\/svg>\s*<span dir="auto">Fleet &amp; &lt;i&gt;status&lt;\/i&gt;<\/span\s*><\/a\s*>/,
    );
    // No link of the navigation is without one.
    const navigation = /<nav aria-label="Pages">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? "";
    expect(navigation.match(/<svg\s/g)).toHaveLength(navigation.match(/<a\s/g)?.length ?? 0);
    expect(navigation.match(/aria-current="page"/g)).toHaveLength(1);
  });
});
