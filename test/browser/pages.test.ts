import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { silent } from "../../src/core/log.ts";
import { createLive } from "../../src/web/live/live.ts";
import { createPages } from "../../src/web/pages.ts";
import { describeOnEmbedded } from "../unit/store/databases.ts";
import { storeMany } from "../unit/web/many-runs.ts";
import { chromiumPath, look, openBrowser, watch } from "./browser.ts";

const TOKEN = "dashboard-token-0123456789";
const RUNS = 300;
const RUN = `/sallyport/runs/${String(RUNS - 100).padStart(26, "0")}`;

if (chromiumPath === undefined) {
  test("needs a Chromium, and this machine has none: no page was looked at", ({ skip }) => skip());
} else {
  describeOnEmbedded("the dashboard's pages in a real browser", ({ database }) => {
    let browser: Browser;
    beforeAll(async () => {
      await storeMany(database(), RUNS);
      browser = await openBrowser();
    }, 120_000);
    afterAll(() => browser.close());

    async function openServer({ streams = 100 } = {}) {
      const live = createLive({ database: database(), log: silent, limits: { streams } });
      const pages = createPages({
        database: database(),
        dashboardToken: TOKEN,
        log: silent,
        live,
        budgets: { organisation: 20, repository: 2, user: 1 },
        queueDepth: () => 30,
        people: {
          database: database(),
          secret: "secret of the fleet",
          answers: { whyNot: () => Promise.resolve(undefined), answer: () => Promise.resolve({ status: "answered" }) },
          replays: {
            whyNot: () => Promise.resolve(undefined),
            replay: () => Promise.resolve({ status: "faulty", faults: [{ line: 2, key: "gate.protected", why: "expected a record" }] }),
          },
          signIn: { address: () => "/sallyport", identify: () => Promise.reject(new Error("GitHub is down")) },
        },
        routes: [
          {
            path: "/x/releases/next",
            page: { label: "Releases", icon: "tag" },
            handler: () =>
              new Response('<!doctype html><html lang="en"><title>Releases</title><main><h1>Releases</h1><p>None.</p></main></html>', {
                headers: { "content-type": "text/html" },
              }),
          },
        ],
      });
      const server = createServer((request, response) => void pages(request, response));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return {
        url,
        live,
        stop: () => server.closeAllConnections(),
        async [Symbol.asyncDispose]() {
          live[Symbol.dispose]();
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    }
    const asOperator = { extraHTTPHeaders: { authorization: `Bearer ${TOKEN}` } } as const;

    test.each([
      ["list", "/sallyport", 200],
      ["narrowed", "/sallyport?state=waiting&kind=mention&repository=octo/repository-7", 200],
      ["queue", "/sallyport/queue", 200],
      ["spend", "/sallyport/spend", 200],
      ["gate", "/sallyport/gate", 200],
      ["audit", "/sallyport/audit", 200],
      ["audit-held", "/sallyport/audit?show=held-back", 200],
      ["many-approvals", "/sallyport/approvals", 200],
      ["recorded-run", RUN, 200],
      ["replay-form", `${RUN}/replay`, 200],
      ["extension", "/x/releases/next", 200],
      ["nothing", "/sallyport/none", 404],
      ["not-signed-in", "/sallyport/sign-in/callback?code=x&state=y", 400],
    ])(
      "%s is light, and can be read by everybody",
      async (name, path, status) => {
        await using server = await openServer();
        const context = await browser.newContext(asOperator);
        const page = await context.newPage();
        const seen = await watch(page, server.url);
        const answer = await page.goto(server.url + path);
        expect(answer?.status()).toBe(status);
        expect((await answer?.body())?.length).toBeLessThan(100_000);
        await look(page, name);
        // A browser tells of an answer that is an error by itself.
        if (status === 200) expect(seen).toEqual([]);
        await context.close();
      },
      120_000,
    );

    test("what is wrong with a policy stands above the form, without a script", async () => {
      await using server = await openServer();
      const context = await browser.newContext({ ...asOperator, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${server.url}${RUN}/replay`);
      await page.locator("textarea").fill("gate:\n  protected: yes\n");
      await page.locator("button", { hasText: "Replay" }).click();
      expect(await page.locator("[role=alert]").textContent()).toMatch(/line 2, gate\.protected:\s+expected a record/);
      expect(await page.locator("textarea").inputValue()).toBe("gate:\n  protected: yes\n");
      await context.close();
    }, 120_000);

    test("a page says whether it follows, and no green dot stands beside a server that does not answer", async () => {
      await using server = await openServer({ streams: 1 });
      const context = await browser.newContext(asOperator);
      const dot = async (page: Awaited<ReturnType<typeof context.newPage>>, state: string) => {
        await page.locator(`#live[data-state="${state}"]`).waitFor({ timeout: 60_000 });
        return page.evaluate<string>("getComputedStyle(document.getElementById('live'), '::before').backgroundColor");
      };
      const CLEAR = "rgba(0, 0, 0, 0)";
      const first = await context.newPage();
      await first.goto(`${server.url}/sallyport`);
      expect(await dot(first, "on")).not.toBe(CLEAR);
      // One more page than the server tells of news.
      const second = await context.newPage();
      await second.goto(`${server.url}/sallyport`);
      expect(await dot(second, "still")).toBe(CLEAR);
      expect(await second.textContent("#live")).toContain("Not followed: load this page again");
      await second.close();
      await first.bringToFront();
      await server[Symbol.asyncDispose]();
      expect(await dot(first, "lost")).toBe(CLEAR);
      expect(await first.textContent("#live")).toContain("The server does not answer");
      await context.close();
    }, 180_000);
  });
}
