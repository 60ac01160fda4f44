import { beforeEach, describe, expect, test } from "vitest";
import { silent, type Logger } from "../../../src/core/log.ts";
import { newRunId } from "../../../src/store/runs.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { expectPolicy, openSite } from "./site.ts";
import { storeRun } from "./stored-runs.ts";

describeOnEmbedded("the dashboard", ({ database, clear }) => {
  beforeEach(clear);

  describe("what there is no page for", () => {
    test.each([
      { path: "/sallyport/no-such-page" },
      { path: "/sallyport/runs" },
      { path: "/sallyport/runs/nonsense" },
      { path: `/sallyport/runs/${newRunId()}` },
      { path: "/sallyport/runs/00000000-0000-4000-8000-000000000000" },
      { path: "/sallyport/runs/1'%20OR%20'1'='1" },
      { path: "/sallyport/runs/..%2F..%2Fetc%2Fpasswd" },
      { path: "/sallyport/runs/../../etc/passwd" },
      { path: "/sallyport/runs/%00" },
      { path: "/sallyport/runs/%E0%A4%A" },
      { path: `/sallyport/runs/${"x".repeat(2000)}` },
      { path: "/sallyport/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E" },
      { path: "/sallyport/style.css/x" },
      { path: "//sallyport" },
      { path: "/sallyportal" },
      { path: "/" },
      { path: "http://localhost/sallyport" },
    ])("$path is not found, under the same policy", async ({ path }) => {
      await using site = await openSite(database());
      const page = await site.get(path);
      expect(page.status).toBe(404);
      expectPolicy(page);
    });

    test("the stylesheet is one, and holds nothing from elsewhere", async () => {
      await using site = await openSite(database());
      const page = await site.get("/sallyport/style.css");
      expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/css; charset=utf-8" } });
      expect(page.text).toContain("prefers-color-scheme: dark");
      expect(page.text).not.toMatch(/url\(|@import/);
      expectPolicy(page);
    });

    test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])("%s is answered with what is allowed", async (method) => {
      await using site = await openSite(database());
      for (const path of ["/sallyport", `/sallyport/runs/${newRunId()}`]) {
        const page = await site.get(path, { method, ...(method === "POST" ? { body: "x".repeat(1000) } : {}) });
        expect(page).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
        expectPolicy(page);
      }
      expect((await site.get("/sallyport")).status).toBe(200);
    });

    test("HEAD is answered as GET is, without the page", async () => {
      const now = Date.now();
      await using site = await openSite(database(), { now: () => now });
      for (const path of ["/sallyport", "/sallyport/style.css", "/sallyport/nothing"]) {
        const [head, get] = [await site.get(path, { method: "HEAD" }), await site.get(path)];
        expect(head.text).toBe("");
        expect([head.status, head.headers["content-length"]]).toEqual([get.status, get.headers["content-length"]]);
        expectPolicy(head);
      }
    });

    test("a database that fails is a plain answer and a line in the log, and tells nothing of itself", async () => {
      const lines: string[] = [];
      const say = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
      const log: Logger = { ...silent, warn: say };
      const broken = {
        query: () => Promise.reject(new Error("connection to 10.1.2.3 lost")),
        executeSql: () => Promise.reject(new Error("no")),
      };
      await using site = await openSite(broken, { log });
      for (const path of ["/sallyport", `/sallyport/runs/${newRunId()}`]) {
        const page = await site.get(path);
        expect(page.status).toBe(503);
        expect(page.text).not.toMatch(/10\.1\.2\.3|\n\s+at /);
        expectPolicy(page);
      }
      expect(lines).toEqual(Array.from({ length: 2 }, () => 'a page could not be made {"why":"connection to 10.1.2.3 lost"}'));
    });
  });

  describe("access", () => {
    const PATHS = ["/sallyport", "/sallyport/style.css", "/sallyport/nothing"];

    test.each([
      { name: "a foreign host", headers: { host: "evil.example:3000" } },
      { name: "a forwarding header", headers: { "x-forwarded-for": "127.0.0.1" } },
      { name: "a token where none is set", headers: { host: "evil.example", authorization: "Bearer undefined" } },
    ])("is refused for $name without a token, on every page and for every method", async ({ headers }) => {
      const id = await storeRun(database());
      await using site = await openSite(database());
      for (const path of [...PATHS, `/sallyport/runs/${id}`]) {
        for (const method of ["GET", "POST"]) {
          const page = await site.get(path, { headers, method });
          expect(page.status).toBe(403);
          expect(page.text).not.toContain("octo");
          expect(page.text).toContain("SALLYPORT_DASHBOARD_TOKEN");
          expectPolicy(page);
        }
      }
    });

    test("needs the token where one is set, on this machine too, and asks a browser for it", async () => {
      const id = await storeRun(database());
      const dashboardToken = "dashboard-token-0123456789";
      await using site = await openSite(database(), { dashboardToken });
      const basic = `Basic ${Buffer.from(`anyone:${dashboardToken}`).toString("base64")}`;
      for (const path of [...PATHS, `/sallyport/runs/${id}`]) {
        for (const authorization of [undefined, "", "Bearer wrong", `Bearer ${dashboardToken}x`]) {
          const page = await site.get(path, { headers: authorization === undefined ? {} : { authorization } });
          expect(page.status).toBe(401);
          expect(page.headers["www-authenticate"]).toMatch(/^Basic realm="Sallyport".*Bearer realm="Sallyport"$/);
          expect(page.text).not.toContain("octo");
          expectPolicy(page);
        }
        for (const authorization of [basic, `Bearer ${dashboardToken}`]) {
          const page = await site.get(path, { headers: { authorization, host: "sallyport.example", "x-forwarded-for": "203.0.113.9" } });
          expect(page.status).toBe(path.endsWith("nothing") ? 404 : 200);
        }
      }
    });
  });
});
