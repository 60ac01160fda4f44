import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sendAhead } from "../../../action/send-ahead.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that counts, and answers each request with its number; the first status as given. */
async function gitHub(status = 200): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(asked.length === 1 ? status : 200).end(String(asked.length));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();

describe("a read that is sent ahead", () => {
  test("has left when the rest begins, and answers who asks for it first; whoever asks next asks anew", async () => {
    const { url, asked } = await gitHub();
    const { fetch, gone } = sendAhead((send) => send(`${url}/a`));
    await gone;
    expect(await text(fetch(`${url}/a`))).toBe("1");
    expect(asked).toEqual(["GET /a"]);
    expect(await text(fetch(`${url}/a`))).toBe("2");
  });

  test.each<[string, string, RequestInit]>([
    ["another address", "/b", {}],
    ["a write", "/a", { method: "POST", body: "x" }],
  ])("is no answer to %s", async (_, path, init) => {
    const { url, asked } = await gitHub();
    const { fetch, gone } = sendAhead((send) => send(`${url}/a`));
    await gone;
    await text(fetch(url + path, init));
    expect(asked.toSorted()).toEqual(["GET /a", `${init.method ?? "GET"} ${path}`].toSorted());
    expect(await text(fetch(`${url}/a`))).toMatch(/^[12]$/);
    expect(asked).toHaveLength(2);
  });

  test("is sent once, however patient whoever asks is, and its fault is for whoever takes it", async () => {
    const { url, asked } = await gitHub(502);
    const { fetch, gone } = sendAhead(async (send) => {
      for (let turn = 0; turn < 3; turn += 1) await send(`${url}/a`).catch(() => undefined);
    });
    await gone;
    expect((await fetch(`${url}/a`)).status).toBe(502);
    expect(asked).toEqual(["GET /a"]);
  });

  test("that finds nobody is told as what it is, and keeps nobody waiting", async () => {
    const { fetch, gone } = sendAhead((send) => send("http://127.0.0.1:9/a"));
    await gone;
    await expect(fetch("http://127.0.0.1:9/a")).rejects.toThrow(/fetch failed|bad port/);
  });

  test("that is a write, or none at all, is not sent", async () => {
    const { url, asked } = await gitHub();
    const wishes = [(send: typeof fetch) => send(`${url}/a`, { method: "DELETE" }), () => Promise.reject(new Error("nothing to ask"))];
    for (const wish of wishes) await sendAhead(wish).gone;
    expect(asked).toEqual([]);
  });
});
