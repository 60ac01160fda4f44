import { createHmac } from "node:crypto";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/core/errors.ts";
import type { Logger } from "../../../src/core/log.ts";
import type { RunRequest } from "../../../src/core/run.ts";
import { createServer, type Server, type ServerOptions } from "../../../src/server.ts";
import { comment, issue, payload } from "../triggers/payloads.ts";

const SECRETS = ["new-secret", "old-secret"];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close({ graceMs: 100 })));
});

interface World {
  readonly url: string;
  readonly server: Server;
  readonly stored: RunRequest[];
  readonly lines: string[];
}

async function start(app: Partial<ServerOptions["app"]> = {}, rest: Partial<ServerOptions> = {}): Promise<World> {
  const stored: RunRequest[] = [];
  const lines: string[] = [];
  const write = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log };
  const server = createServer({
    environment: { host: "127.0.0.1", port: 0, webhookPath: "/api/github/webhooks", webhookSecrets: SECRETS },
    app: {
      identity: () => Promise.resolve({ appSlug: "sallyport", appId: 42, botLogin: "sallyport[bot]" }),
      enqueue: (request) => Promise.resolve(stored.push(request)),
      isReady: () => true,
      ...app,
    },
    log,
    ...rest,
  });
  servers.push(server);
  const { url } = await server.listen();
  return { url, server, stored, lines };
}

const sign = (body: Uint8Array | string, secret = "new-secret"): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
const asked = (words = "@sallyport go"): string => JSON.stringify(payload("created", { issue, comment: comment(words) }));

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: OutgoingHttpHeaders;
  /** Places at which the body is cut into chunks of their own. */
  readonly cuts?: readonly number[];
}

/** Sends one delivery as GitHub does, with what the test changes; a header set to undefined is left out. */
function send(
  url: string,
  { path = "/api/github/webhooks", method = "POST", body = asked(), headers = {}, cuts = [] }: Sent = {},
): Promise<number> {
  const bytes = Buffer.from(body);
  const whole: OutgoingHttpHeaders = {
    "content-type": "application/json",
    "x-github-event": "issue_comment",
    "x-github-delivery": crypto.randomUUID(),
    "x-hub-signature-256": sign(bytes),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, {
      method,
      agent: false,
      headers: Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)),
    });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once("error", reject);
    void write();
    async function write(): Promise<void> {
      const edges = [0, ...cuts, bytes.length];
      for (const [at, edge] of edges.entries()) {
        const next = edges[at + 1];
        if (next === undefined) break;
        request.write(bytes.subarray(edge, next));
        await new Promise((done) => setTimeout(done, cuts.length === 0 ? 0 : 5));
      }
      request.end();
    }
  });
}

/** Writes raw bytes to the port and answers the status line that comes back, or what was there when the connection ended. */
function raw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.once("error", () => undefined);
    socket.once("close", () => resolve(answer.split("\r\n")[0] ?? ""));
    socket.write(text);
  });
}

describe("the webhook", () => {
  it("stores what a delivery asks for and says accepted", async () => {
    const { url, stored } = await start();
    expect(await send(url)).toBe(202);
    expect(stored.map(({ text, thread }) => [text, thread.number])).toEqual([["@sallyport go", 31]]);
  });

  it("answers only once the request is durable", async () => {
    const order: string[] = [];
    const { url } = await start({
      async enqueue() {
        await new Promise((done) => setTimeout(done, 30));
        order.push("stored");
      },
    });
    await send(url);
    order.push("answered");
    expect(order).toEqual(["stored", "answered"]);
  });

  it("reads a body as it was sent, wherever the network cuts its letters", async () => {
    const { url, stored } = await start();
    const body = Buffer.from(asked("@sallyport prüfe 🍎 bitte"));
    const apple = body.indexOf(Buffer.from("🍎"));
    expect(await send(url, { body, cuts: [body.indexOf(Buffer.from("ü")) + 1, apple + 1, apple + 2, apple + 3] })).toBe(202);
    expect(stored[0]?.text).toBe("@sallyport prüfe 🍎 bitte");
  });

  it("checks the signature over the bytes, whatever their white space and escapes", async () => {
    const { url, stored } = await start();
    const body = `${JSON.stringify(JSON.parse(asked("@sallyport pr\u00fcfe")), null, "\t").replaceAll("\u00fc", "\\u00fc")}\r\n `;
    expect(await send(url, { body })).toBe(202);
    expect(stored[0]?.text).toBe("@sallyport prüfe");
  });

  it("serves its path with a slash behind and with a query", async () => {
    const { url, stored } = await start();
    expect(await send(url, { path: "/api/github/webhooks/" })).toBe(202);
    expect(await send(url, { path: "/api/github/webhooks?a=b" })).toBe(202);
    expect(stored).toHaveLength(2);
  });

  it("answers a ping", async () => {
    const { url, stored } = await start();
    expect(await send(url, { body: '{"zen":"Keep it logically awesome."}', headers: { "x-github-event": "ping" } })).toBe(200);
    expect(stored).toEqual([]);
  });

  it("takes what starts nothing, without asking who it is", async () => {
    const { url, stored } = await start({ identity: () => Promise.reject(new Error("GitHub is away")) });
    expect(await send(url, { headers: { "x-github-event": "push" } })).toBe(202);
    expect(stored).toEqual([]);
  });

  it("says in the log why it ignored a delivery", async () => {
    const { url, lines } = await start();
    expect(await send(url, { body: asked("just talk") })).toBe(202);
    expect(lines.join("\n")).toContain("does not mention @sallyport");
  });

  it.each([
    ["the newest secret", "new-secret", 202],
    ["the secret before it", "old-secret", 202],
    ["another secret", "other-secret", 401],
    ["both secrets at once", "new-secret,old-secret", 401],
    ["an empty secret", "", 401],
  ])("while secrets rotate, answers a delivery signed with %s", async (_, secret, status) => {
    const { url, stored } = await start();
    const body = asked();
    expect(await send(url, { body, headers: { "x-hub-signature-256": sign(body, secret) } })).toBe(status);
    expect(stored).toHaveLength(status === 202 ? 1 : 0);
  });

  const body = asked();
  it.each<[string, number, Sent]>([
    ["no signature", 401, { headers: { "x-hub-signature-256": undefined } }],
    ["a SHA-1 signature in its own header only", 401, { headers: { "x-hub-signature-256": undefined, "x-hub-signature": "sha1=abc" } }],
    ["a signature that says sha1", 401, { body, headers: { "x-hub-signature-256": sign(body).replace("sha256", "sha1") } }],
    ["a signature in capitals", 401, { body, headers: { "x-hub-signature-256": sign(body).toUpperCase() } }],
    ["a signature cut short", 401, { body, headers: { "x-hub-signature-256": sign(body).slice(0, -2) } }],
    ["a signature that is no hex", 401, { headers: { "x-hub-signature-256": "sha256=zz" } }],
    ["an empty signature", 401, { headers: { "x-hub-signature-256": "sha256=" } }],
    ["the signature of another body", 401, { headers: { "x-hub-signature-256": sign("{}") } }],
    ["no event", 400, { headers: { "x-github-event": undefined } }],
    ["an event that every object has", 400, { headers: { "x-github-event": "constructor" } }],
    ["an event that is no word", 400, { headers: { "x-github-event": "issue comment" } }],
    ["no delivery id", 400, { headers: { "x-github-delivery": undefined } }],
    ["a delivery id of any shape", 400, { headers: { "x-github-delivery": "a b" } }],
    ["no content type", 415, { headers: { "content-type": undefined } }],
    ["the content type of a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["an encoded body", 415, { headers: { "content-encoding": "gzip" } }],
    ["a body that is cut off", 400, { body: body.slice(0, 200) }],
    ["an empty body", 400, { body: "" }],
    ["a body that is a list", 400, { body: "[]" }],
    ["a body that is null", 400, { body: "null" }],
    ["a body that is a text", 400, { body: '"a"' }],
    ["a body that is no UTF-8", 400, { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
    ["another method", 405, { method: "PUT" }],
    ["another path", 404, { path: "/api/github/webhooks/more" }],
  ])("refuses %s with %i, stores nothing, and serves the next", async (_, status, sent) => {
    const { url, stored } = await start();
    expect(await send(url, sent)).toBe(status);
    expect(stored).toEqual([]);
    expect(await send(url)).toBe(202);
    expect(stored).toHaveLength(1);
  });

  it("refuses a body that says it is too large, and one that is without saying so", async () => {
    const { url, stored } = await start({}, { limits: { body: 2000 } });
    const large = asked(`@sallyport ${"a".repeat(100_000)}`);
    expect(await send(url, { body: large, headers: { "content-length": large.length } })).toBe(413);
    expect(await send(url, { body: large, headers: { "transfer-encoding": "chunked" } })).toBe(413);
    expect(stored).toEqual([]);
    expect(await send(url)).toBe(202);
  });

  it("takes a body to the last byte of its limit", async () => {
    const text = asked();
    const { url } = await start({}, { limits: { body: text.length } });
    expect(await send(url, { body: text })).toBe(202);
    expect(await send(url, { body: `${text} ` })).toBe(413);
  });

  it("asks for the delivery again while it cannot be stored", async () => {
    let isAway = true;
    const { url, lines } = await start({ enqueue: () => (isAway ? Promise.reject(new Error("database away")) : Promise.resolve()) });
    expect(await send(url)).toBe(503);
    expect(lines.join("\n")).toContain("database away");
    expect(lines.join("\n")).not.toContain("sum subtracts");
    isAway = false;
    expect(await send(url)).toBe(202);
  });

  it("asks for the delivery again while nobody knows who the App is", async () => {
    const { url } = await start({ identity: () => Promise.reject(new Error("GitHub is away")) });
    expect(await send(url)).toBe(503);
  });

  it("gives up in time when storing hangs", async () => {
    const { url } = await start({ enqueue: () => new Promise(() => undefined) }, { limits: { answerWithin: 50 } });
    expect(await send(url)).toBe(503);
  });

  it("takes a delivery that comes twice like the first", async () => {
    const { url } = await start();
    const headers = { "x-github-delivery": "d-1" };
    expect([await send(url, { headers }), await send(url, { headers })]).toEqual([202, 202]);
  });

  it("answers two hundred at once, each stored once", async () => {
    const { url, stored } = await start();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => send(url, { body: asked(`@sallyport number ${at}`) })));
    expect(answers.filter((status) => status !== 202)).toEqual([]);
    expect(new Set(stored.map(({ text }) => text)).size).toBe(200);
  });
});

describe("connections", () => {
  const limits = { headersWithin: 200, requestWithin: 400 };

  it("ends one whose headers never come to an end", async () => {
    const { url } = await start({}, { limits });
    expect(await raw(url, "POST /api/github/webhooks HTTP/1.1\r\nhost: a\r\nx-a:")).toBe("HTTP/1.1 408 Request Timeout");
  });

  it("ends one whose body never comes to an end", async () => {
    const { url } = await start({}, { limits });
    const head = [
      "POST /api/github/webhooks HTTP/1.1",
      "host: a",
      "content-type: application/json",
      "x-github-event: push",
      "x-github-delivery: d",
      `x-hub-signature-256: ${sign("")}`,
      "content-length: 100",
    ];
    expect(await raw(url, `${head.join("\r\n")}\r\n\r\n{`)).toBe("HTTP/1.1 408 Request Timeout");
  });

  it("survives garbage", async () => {
    const { url } = await start();
    expect(await raw(url, "\0\u0001 nonsense\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request");
    expect(await send(url)).toBe(202);
  });

  it("closes after what is under way was answered, and is not ready meanwhile", async () => {
    let store: (() => void) | undefined;
    const { url, server } = await start({ enqueue: () => new Promise<void>((resolve) => (store = resolve)) });
    const answer = send(url);
    await expect.poll(() => store).toBeDefined();
    const closed = server.close({ graceMs: 5000 });
    store?.();
    expect(await answer).toBe(202);
    await closed;
    await expect(send(url)).rejects.toThrow(/ECONNREFUSED/);
  });

  it("cuts off what is not answered within the grace", async () => {
    const { url, server } = await start({ enqueue: () => new Promise(() => undefined) });
    const answer = send(url).catch((error: unknown) => String(error));
    await new Promise((done) => setTimeout(done, 50));
    await server.close({ graceMs: 50 });
    expect(await answer).toMatch(/ECONNRESET|socket hang up/);
  });

  it("names the variable when the port is taken", async () => {
    const { url } = await start();
    const environment = { host: "127.0.0.1", port: Number(new URL(url).port), webhookPath: "/hooks", webhookSecrets: SECRETS };
    const taken = await start({}, { environment }).catch((error: unknown) => error);
    expect(taken).toBeInstanceOf(ConfigurationError);
    expect(taken).toMatchObject({ message: `PORT ${environment.port} is already in use.` });
    servers.length = 1;
  });
});

describe("health", () => {
  const status = async (url: string, path: string, method = "GET"): Promise<number> => (await fetch(`${url}${path}`, { method })).status;

  it.each<[string, Partial<ServerOptions["app"]>, number]>([
    ["the queue is ready", { isReady: () => Promise.resolve(true) }, 200],
    ["the database is away", { isReady: () => Promise.resolve(false) }, 503],
    ["asking fails", { isReady: () => Promise.reject(new Error("away")) }, 503],
    [
      "asking throws",
      {
        isReady() {
          throw new Error("away");
        },
      },
      503,
    ],
  ])("is alive, and ready or not, when %s", async (_, app, expected) => {
    const { url } = await start(app);
    expect(await status(url, "/healthz")).toBe(200);
    expect(await status(url, "/readyz")).toBe(expected);
  });

  it("is asked with GET or HEAD only", async () => {
    const { url } = await start();
    expect(await status(url, "/healthz", "HEAD")).toBe(200);
    expect(await status(url, "/readyz", "POST")).toBe(405);
  });

  it("hands every other path to the pages, and knows none without them", async () => {
    const { url } = await start({}, { pages: (_, response) => void response.writeHead(418).end() });
    expect(await status(url, "/sallyport")).toBe(418);
    const bare = await start();
    expect(await status(bare.url, "/sallyport")).toBe(404);
  });
});
