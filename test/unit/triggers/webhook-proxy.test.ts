import { createHmac } from "node:crypto";
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, test } from "vitest";
import { useProxies } from "../../../src/commands/network.ts";
import type { Logger } from "../../../src/core/log.ts";
import { createServer } from "../../../src/server.ts";
import { connectWebhookProxy } from "../../../src/triggers/webhook-proxy.ts";

const SECRET = "hush-hush-hush";
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A proxy's channel, and the product's server behind the client of it. */
async function open({ refuseFirst = 0 } = {}) {
  const listeners: ServerResponse[] = [];
  const asked: IncomingHttpHeaders[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => waiting.forEach((look) => look());
  const channel = createHttpServer((request, response) => {
    asked.push(request.headers);
    if (asked.length <= refuseFirst) {
      response.writeHead(503).end("busy");
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" }).write("id: 0\nevent: ready\ndata: {}\n\n");
    listeners.push(response);
    changed();
  });
  await new Promise<void>((resolve) => channel.listen(0, "127.0.0.1", resolve));
  const lines: string[] = [];
  const say = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
    changed();
  };
  const log: Logger = { debug: say, info: say, warn: say, error: say, child: () => log };
  const heard: (readonly [string, number])[] = [];
  const server = createServer({
    environment: { host: "127.0.0.1", port: 0, webhookPath: "/api/github/webhooks", webhookSecrets: [SECRET] },
    app: {
      identity: () => Promise.reject(new Error("nobody needs to know")),
      enqueue: () => Promise.resolve(),
      isReady: () => true,
    },
    onDelivery(...delivery) {
      heard.push(delivery);
      changed();
    },
    log,
  });
  const target = `${(await server.listen()).url}/api/github/webhooks`;
  const pauses: number[] = [];
  const url = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/secret-channel`;
  const client = connectWebhookProxy({ url, target, log, sleep: async (milliseconds) => void pauses.push(milliseconds) });
  ends.push(
    () => new Promise((resolve) => channel.close(resolve)),
    () => channel.closeAllConnections(),
    () => server.close({ graceMs: 100 }),
    () => client[Symbol.asyncDispose](),
  );
  /** Resolves once something is so; looked at whenever anything has happened. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const send = async (text: string | Uint8Array): Promise<void> => {
    await until(() => listeners.length > 0);
    listeners.at(-1)?.write(text);
  };
  return { heard, lines, asked, listeners, pauses, until, send };
}

/** A delivery as smee.io passes it on: headers by name, the body as JSON inside JSON. */
function passedOn(raw: string, more: object = {}): string {
  const signature = `sha256=${createHmac("sha256", SECRET).update(raw).digest("hex")}`;
  const said = {
    host: "smee.io",
    "x-github-event": "installation",
    "x-github-delivery": "d-1",
    "x-hub-signature-256": signature,
    body: JSON.parse(raw) as unknown,
    query: {},
    timestamp: 1,
    ...more,
  };
  return `id: 1\ndata: ${JSON.stringify(said)}\n\n`;
}

describe("a delivery that a webhook proxy passes on", () => {
  test.each([
    ["plain", '{"action":"created","installation":{"id":1}}'],
    ["with letters and signs of all kinds", JSON.stringify({ action: "created", text: 'ä€😀 "\\/\u2028\n' })],
    ["large", JSON.stringify({ action: "created", text: "x".repeat(300_000) })],
  ])("is taken with its signature: %s", async (_, raw) => {
    const { heard, send, until } = await open();
    await send(passedOn(raw));
    await until(() => heard.length > 0);
    expect(heard).toEqual([["installation", 202]]);
  });

  it("is cut anywhere on the way, and comes after those before it", async () => {
    const { heard, send, until } = await open();
    const text = Buffer.from(passedOn('{"zen":"ä€😀"}', { "x-github-event": "ping" }) + passedOn('{"action":"created"}'));
    for (let at = 0; at < text.length; at += 7) await send(text.subarray(at, at + 7));
    await until(() => heard.length > 1);
    expect(heard).toEqual([
      ["ping", 200],
      ["installation", 202],
    ]);
  });

  it("is refused, and said so, when GitHub wrote its JSON otherwise than JavaScript does", async () => {
    const { heard, lines, send, until } = await open();
    await send(passedOn('{"action": "created", "number": 1.0}'));
    await until(() => lines.some((line) => line.startsWith("a delivery of the webhook proxy was refused")));
    expect(heard).toEqual([["unknown", 401]]);
  });

  it("is taken as it stands where the proxy passes the body on as text", async () => {
    const { heard, send, until } = await open();
    const raw = '{"action": "created", "number": 1.0}';
    await send(passedOn(raw, { body: raw }));
    await until(() => heard.length > 0);
    expect(heard).toEqual([["installation", 202]]);
  });

  test.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["without a body", '{"x-github-event":"ping"}'],
    [
      "with headers that are none",
      JSON.stringify({ "x-github-event": "ping\r\nx: y", "x-github-delivery": "1", "x-hub-signature-256": "s", body: {} }),
    ],
    [
      "with a header that is no text",
      JSON.stringify({ "x-github-event": ["ping"], "x-github-delivery": "1", "x-hub-signature-256": "s", body: {} }),
    ],
  ])("is dropped when it is none: %s", async (_, data) => {
    const { heard, lines, send, until } = await open();
    await send(`data: ${data}\n\n`);
    await until(() => lines.some((line) => line.startsWith("the webhook proxy sent something that is no delivery")));
    await send(passedOn('{"action":"created"}'));
    await until(() => heard.length > 0);
    expect(heard).toEqual([["installation", 202]]);
  });
});

describe("the connection to a webhook proxy", () => {
  it("is made again when it ends, at once after a good one and slower after each bad one, and names the channel nowhere", async () => {
    const { heard, listeners, lines, pauses, asked, send, until } = await open({ refuseFirst: 3 });
    await until(() => listeners.length === 1);
    expect(pauses).toEqual([1000, 2000, 4000]);
    listeners[0]?.end();
    await until(() => listeners.length === 2);
    expect(pauses).toEqual([1000, 2000, 4000, 1000]);
    listeners[1]?.destroy();
    await until(() => listeners.length === 3);
    await send(passedOn('{"action":"created"}'));
    await until(() => heard.length > 0);
    expect(asked.every(({ accept }) => accept === "text/event-stream")).toBe(true);
    expect(lines.join("\n")).not.toContain("secret-channel");
  });

  it("goes through the proxy of the environment; the delivery does not", async () => {
    const connected: string[] = [];
    const proxy = createHttpServer((_, response) => response.writeHead(502).end());
    proxy.on("connect", ({ url }, socket) => {
      connected.push(url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    ends.push(() => new Promise((resolve) => proxy.close(resolve)));
    ends.push(useProxies({ HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }));
    const tried = Promise.withResolvers<void>();
    const log: Logger = { debug() {}, info() {}, warn: () => tried.resolve(), error() {}, child: () => log };
    const client = connectWebhookProxy({ url: "https://smee.invalid/x", target: "http://127.0.0.1:1/", log });
    await tried.promise;
    await client[Symbol.asyncDispose]();
    expect(connected).toEqual(["smee.invalid:443"]);
  });
});
