import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { attemptsIn, createAppDeliveries } from "../../../src/github/app-deliveries.ts";
import { createGitHubApp } from "../../../src/github/client.ts";
import { embedded } from "./embedded.ts";
import { fakeLedger } from "./loopback.ts";

const { signal } = new AbortController();

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

async function open() {
  const { github } = await embedded();
  const { appId, privateKey, apiUrl: baseUrl } = github;
  const app = createGitHubApp({ appId, privateKey, baseUrl, ledger: fakeLedger(), log: silent });
  return { github, deliveries: createAppDeliveries(app.octokit) };
}

test("all attempts are listed page by page, the newest first", async () => {
  const { github, deliveries } = await open();
  for (let number = 0; number < 130; number += 1)
    await github.deliver({ name: "installation", payload: { number } }, { id: `guid-${number}`, target: "http://127.0.0.1:1/" });
  const pages = await all(deliveries.attempts(signal));
  expect(pages.map(({ length }) => length)).toEqual([100, 30]);
  expect(pages.flat().map(({ guid }) => guid)).toEqual(Array.from({ length: 130 }, (_, at) => `guid-${129 - at}`));
  expect(pages[0]?.[0]).toMatchObject({ event: "installation", isGood: false, deliveredAt: expect.any(Date) as Date });
});

test("a delivery that is asked for again comes under its own id", async () => {
  const { github, deliveries } = await open();
  await github.deliver({ name: "installation", payload: {} }, { id: "guid-1", target: "http://127.0.0.1:1/" });
  github.webhookTarget = "http://127.0.0.1:1/";
  for await (const [attempt] of deliveries.attempts(signal)) await deliveries.askAgain(attempt?.id ?? "", signal);
  await github.settled();
  expect(github.deliveries.map(({ id }) => id)).toEqual(["guid-1", "guid-1"]);
});

test("a GitHub without the list says that it has none", async () => {
  const { github, deliveries } = await open();
  github.fault({ match: "GET /app/hook/deliveries", respond: { status: 404, body: { message: "Not Found" } } });
  await expect(all(deliveries.attempts(signal))).rejects.toMatchObject({ code: "not-found" });
});

test("numbers beyond what JavaScript holds exactly keep all their digits, whatever texts say", () => {
  const text = `[{"id": 9223372036854775807, "guid": "g \\"id\\": 12", "delivered_at": "2026-12-01T00:00:00Z", "event": "issues", "status_code": 200}]`;
  expect(attemptsIn(text)).toEqual([
    { id: "9223372036854775807", guid: 'g "id": 12', event: "issues", deliveredAt: new Date("2026-12-01T00:00:00Z"), isGood: true },
  ]);
});

test.each(["", "{}", "[{}]", '[{"id": "../1", "guid": "g", "delivered_at": "2026-12-01T00:00:00Z", "event": "x", "status_code": 1}]'])(
  "%j is no such list",
  (text) => {
    expect(() => attemptsIn(text)).toThrow();
  },
);
