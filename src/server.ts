import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Probot } from "probot";
import { sallyportApp, type AppOptions } from "./app.ts";
import type { Environment } from "./config/environment.ts";
import { ConfigurationError, messageOf } from "./core/errors.ts";
import type { Logger } from "./core/log.ts";
import { readDelivery, type Delivery } from "./triggers/delivery.ts";

/** Milliseconds. GitHub gives up after ten seconds; an answer after that is one that nobody reads. */
const ANSWER_WITHIN = 8000;
const READY_WITHIN = 2000;
const HEADERS_WITHIN = 10_000;
const REQUEST_WITHIN = 30_000;

export interface ServerOptions {
  readonly environment: Pick<Environment, "host" | "port" | "webhookPath" | "webhookSecrets">;
  /** `isReady`: whether a delivery could be stored now. `isLive`: whether the process works at all (it does when left out). */
  readonly app: Omit<AppOptions, "log"> & { isReady(): boolean | Promise<boolean>; isLive?(): boolean };
  /** Everything that is neither a webhook nor a health check, such as pages; 404 when left out. */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  /** Told of each request to the webhook path, and how it was answered. */
  readonly onDelivery?: (event: string, status: number) => void;
  readonly log: Logger;
  /** Milliseconds and bytes, for tests. */
  readonly limits?: {
    readonly answerWithin?: number;
    readonly headersWithin?: number;
    readonly requestWithin?: number;
    readonly body?: number;
  };
}

export interface Server {
  /** Resolves with the address once connections are taken. @throws {ConfigurationError} when host and port cannot be had. */
  listen(): Promise<{ readonly port: number; readonly url: string }>;
  /** Takes no more connections, lets what is under way be answered for `graceMs`, then cuts it off. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** The one HTTP server of a process: webhooks, health and pages. Every request is answered, in bounded time and memory. */
export function createServer({ environment, app, pages, onDelivery = () => {}, log, limits = {} }: ServerOptions): Server {
  const { host, port, webhookPath, webhookSecrets } = environment;
  const { answerWithin = ANSWER_WITHIN, headersWithin = HEADERS_WITHIN, requestWithin = REQUEST_WITHIN, body } = limits;
  const receive = createFront({ ...app, log });
  let isClosing = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (isClosing) response.setHeader("connection", "close");
    if (path === webhookPath) await webhook(request, response);
    else if (path === "/healthz" || path === "/readyz") await health(path, request, response);
    else if (pages === undefined) say(response, 404, "not found");
    else await pages(request, response);
  }

  async function webhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") {
      response.setHeader("allow", "POST");
      say(response, 405, "webhooks are sent with POST");
      return;
    }
    const delivery = await readDelivery(request, { secrets: webhookSecrets, ...(body === undefined ? {} : { limit: body }) });
    if ("status" in delivery) {
      log.warn({ status: delivery.status, why: delivery.why }, "a delivery was refused");
      // What was not read of the body must not be taken for the next request.
      if (!request.complete) response.setHeader("connection", "close");
      say(response, delivery.status, delivery.why);
      onDelivery("unknown", delivery.status);
      return;
    }
    if (delivery.event === "ping") {
      say(response, 200, "pong");
      onDelivery("ping", 200);
      return;
    }
    try {
      await within(answerWithin, receive(delivery), "the delivery could not be stored in time");
      say(response, 202, "accepted");
      onDelivery(delivery.event, 202);
    } catch (error) {
      log.warn({ delivery: delivery.id, event: delivery.event, why: messageOf(error) }, "a delivery was turned away");
      response.setHeader("retry-after", "30");
      say(response, 503, "the delivery could not be stored; send it again");
      onDelivery(delivery.event, 503);
    }
  }

  async function health(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      say(response, 405, "health is asked with GET");
      return;
    }
    const isGood = path === "/healthz" ? (app.isLive?.() ?? true) : !isClosing && (await isReady());
    say(response, isGood ? 200 : 503, isGood ? "ok" : "not ready");
  }

  async function isReady(): Promise<boolean> {
    try {
      return await within(READY_WITHIN, Promise.resolve(app.isReady()), "the check took too long");
    } catch (error) {
      log.warn({ why: messageOf(error) }, "readiness could not be told");
      return false;
    }
  }

  const server = createHttpServer({ connectionsCheckingInterval: 1000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.warn({ why: messageOf(error) }, "a request broke off");
      if (response.headersSent) response.destroy();
      else say(response, 500, "something went wrong");
    });
  });
  server.headersTimeout = headersWithin;
  server.requestTimeout = requestWithin;

  return {
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once("error", (error) => reject(unavailable(error, host, port)));
        server.listen(port, host, resolve);
      });
      // With a port there is an address and not a socket's path.
      const address = server.address() as AddressInfo;
      const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
      return { port: address.port, url: `http://${name}:${address.port}` };
    },
    async close({ graceMs = 5000 } = {}) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * A Probot that only hands events to the app. It holds no credential and its Octokit has a `fetch` that refuses everything, so nothing that is
 * reached from a webhook handler can speak to GitHub.
 */
function createFront(options: AppOptions): (delivery: Delivery) => Promise<void> {
  const probot = new Probot({
    githubToken: "none",
    log: mute as unknown as NonNullable<ConstructorParameters<typeof Probot>[0]>["log"],
    request: { fetch: () => Promise.reject(new Error("The front asks GitHub nothing.")) },
  });
  const loaded = probot.load(sallyportApp(options));
  // A failed load is told by the first delivery; until then it must not end the process.
  loaded.catch(() => undefined);
  return async ({ id, event, payload }) => {
    await loaded;
    try {
      await probot.receive({ id, name: event, payload } as Parameters<Probot["receive"]>[0]);
    } catch (error) {
      // The library wraps what a handler threw and hangs the whole payload on it.
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  };
}

/** Probot logs whole payloads and stacks; the app says what is worth saying. */
const mute = { level: "silent", child: () => mute, trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

function pathOf(request: IncomingMessage): string {
  const [path = "/"] = (request.url ?? "/").split("?");
  return path.replace(/\/+$/, "") || "/";
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  response.end(`${text}\n`);
}

async function within<T>(milliseconds: number, work: Promise<T>, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const why = { EADDRINUSE: "is already in use", EACCES: "may not be used by this user" }[error.code ?? ""];
  if (why !== undefined)
    return new ConfigurationError(`PORT ${port} ${why}.`, {
      code: "bad-environment",
      hint: "Choose another port; 0 takes any free one.",
      cause: error,
    });
  if (error.code === "ENOTFOUND" || error.code === "EADDRNOTAVAIL") {
    return new ConfigurationError(`HOST ${JSON.stringify(host)} is no address of this machine.`, {
      code: "bad-environment",
      hint: "Give 127.0.0.1, 0.0.0.0 or ::.",
      cause: error,
    });
  }
  return error;
}
