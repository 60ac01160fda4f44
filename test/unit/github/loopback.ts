import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { silent } from "../../../src/core/log.ts";
import type { MintPass, PassLedger, WireRequest } from "../../../src/core/pass.ts";
import type { Clock } from "../../../src/github/clock.ts";
import { createTokenSession } from "../../../src/github/client.ts";
import type { GitHubSession } from "../../../src/github/client.ts";

/** A request as it arrived on the wire. */
export interface Arrived extends WireRequest {
  readonly headers: IncomingMessage["headers"];
  /** The body as JSON; undefined when there is none. */
  readonly json: unknown;
}
/** What a script answers: a status with a body, or a connection that breaks. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "reset"
  | "hang"
  | "half";

export interface Loopback extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: Arrived[];
  /** The wire lines of all requests so far: `POST /graphql`. */
  lines(): string[];
}

/** A GitHub of one function, on loopback. Its API lies under /api/v3, GraphQL beside it. */
export async function loopback(answer: (request: Arrived) => Answer | Promise<Answer>): Promise<Loopback> {
  const requests: Arrived[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const path = (request.url ?? "/").replace(/^\/api\/v3/, "").replace(/^\/api\/graphql/, "/graphql");
      const arrived = {
        method: request.method ?? "",
        path,
        body,
        headers: request.headers,
        json: body === "" ? undefined : JSON.parse(body),
      };
      requests.push(arrived);
      give(response, await answer(arrived));
    })();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v3`,
    requests,
    lines: () => requests.map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === "hang") return;
  if (answer === "reset") return void response.socket?.destroy();
  if (answer === "half") {
    response.writeHead(201, { "content-type": "application/json", "content-length": "100" });
    response.write('{"id": 1');
    setTimeout(() => response.socket?.destroy(), 20);
    return;
  }
  response.writeHead(answer.status, { "content-type": "application/json; charset=utf-8", ...answer.headers });
  response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
}

/** A ledger that grants every request it is asked for, once, and keeps what was redeemed. */
export interface FakeLedger extends PassLedger {
  readonly mint: MintPass;
  readonly minted: WireRequest[];
  readonly redeemed: WireRequest[];
}

export function fakeLedger(): FakeLedger {
  const open = new Map<string, WireRequest>();
  const minted: WireRequest[] = [];
  const redeemed: WireRequest[] = [];
  return {
    minted,
    redeemed,
    mint(request) {
      const id = randomUUID();
      open.set(id, request);
      minted.push(request);
      return {
        id,
        runId: "run-1",
        method: request.method,
        path: request.path,
        bodyDigest: createHash("sha256").update(request.body).digest("hex"),
      };
    },
    redeem(id, request) {
      const pass = open.get(id);
      open.delete(id);
      if (pass === undefined) return { ok: false, why: "unknown or spent" };
      if (JSON.stringify([pass.method, pass.path, pass.body]) !== JSON.stringify([request.method, request.path, request.body])) {
        return { ok: false, why: "another request" };
      }
      redeemed.push(request);
      return { ok: true };
    },
  };
}

/** A clock that only sleeps can move. */
export function handClock(start = Date.parse("2026-03-01T12:00:00Z")): Clock & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep(ms) {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

export const REPOSITORY = { id: 7, owner: "acme", name: "app" } as const;

/** A session with a fixed token on a loopback GitHub, or over a network of the test's own. */
export function sessionOn(baseUrl: string, ledger: PassLedger, clock: Clock = handClock(), fetch?: typeof globalThis.fetch): GitHubSession {
  return createTokenSession({
    baseUrl,
    ledger,
    token: "t0ken",
    botLogin: "sallyport[bot]",
    runId: "run-1",
    log: silent,
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timeLimitMs: 300,
    ...(fetch === undefined ? {} : { fetch }),
  });
}

/** A new RSA key in PEM form, as an App's private key. */
export function newPrivateKey(): string {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;
}
