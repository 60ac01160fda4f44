import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { createMetricsPage, isMetrics, type MetricsPageOptions } from "../../../src/web/metrics-page.ts";

async function open(options: Partial<MetricsPageOptions> = {}) {
  const page = createMetricsPage({
    render: () => Promise.resolve({ contentType: "text/plain; version=0.0.4", text: "up 1\n" }),
    log: silent,
    ...options,
  });
  const server = createServer((request, response) => void page(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    get: (init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {}) =>
      fetch(`http://127.0.0.1:${port}/metrics`, { ...init, headers: { connection: "close", ...init.headers } }),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test("without a token the metrics are for this machine alone", async () => {
  await using site = await open();
  const answer = await site.get();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  expect(await answer.text()).toBe("up 1\n");
  expect((await site.get({ headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(403);
});

test("with a token whoever collects them sends it, from wherever", async () => {
  await using site = await open({ dashboardToken: "let-me-in" });
  const refused = await site.get();
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="Sallyport"']);
  expect((await site.get({ headers: { authorization: "Bearer let-me-in", "x-forwarded-for": "10.0.0.1" } })).status).toBe(200);
});

test("they are only read, and what fails is said without its reason", async () => {
  await using site = await open({ render: () => Promise.reject(new Error("hunter2")) });
  expect((await site.get({ method: "POST" })).status).toBe(405);
  const failed = await site.get();
  expect([failed.status, await failed.text()]).toEqual([503, "the metrics could not be told\n"]);
});

test.each([
  ["/metrics", true],
  ["/metrics/", true],
  ["/metrics?x=1", true],
  ["/metricsx", false],
  ["/sallyport/metrics", false],
])("%s is the metrics' address: %s", (url, expected) => {
  expect(isMetrics({ url })).toBe(expected);
});
