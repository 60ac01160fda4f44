import { Agent, request } from "node:http";
import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";

/** Characters: a delivery of GitHub's largest size, with what the proxy writes around it. */
const LARGEST_EVENT = 30 * 1024 * 1024;
/** Milliseconds. A proxy says something every half minute; what is silent for longer is taken for broken. */
const SILENT_FOR = 90_000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** What counts of a delivery's headers. Everything else that the proxy names is dropped. */
const PASSED_ON = ["x-github-event", "x-github-delivery", "x-hub-signature-256"] as const;

export interface WebhookProxyOptions {
  /** The channel's address: `https://smee.io/…`. */
  readonly url: string;
  /** Our own webhook address, on this machine. */
  readonly target: string;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
  /** Resolves after so many milliseconds, or rejects when the signal says so; for tests. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Listens to a channel of a webhook proxy (smee.io and those that speak like it) and sends each delivery to our own webhook address, where it is
 * limited and verified like any other. It connects again for ever, slower each time. Ended by disposing of it.
 *
 * Such a proxy passes the body on as parsed JSON, so the bytes are made anew, as its own client does; they are GitHub's as long as it writes
 * JSON as JavaScript does. What comes out otherwise has a wrong signature and is refused. Source: https://github.com/probot/smee.io
 */
export function connectWebhookProxy({ url, target, log, fetch = globalThis.fetch, sleep = pause }: WebhookProxyOptions): AsyncDisposable {
  const ended = new AbortController();
  const agent = new Agent();
  const { host } = new URL(url);

  async function listen(): Promise<void> {
    let wait = FIRST_PAUSE;
    while (!ended.signal.aborted) {
      try {
        await follow(() => {
          wait = FIRST_PAUSE;
          log.info({ proxy: host }, "connected to the webhook proxy");
        });
        log.info({ proxy: host, ms: wait }, "the webhook proxy closed the connection; connecting again");
      } catch (error) {
        if (ended.signal.aborted) return;
        log.warn({ proxy: host, why: rootOf(error), ms: wait }, "the webhook proxy cannot be reached; trying again");
      }
      await sleep(wait, ended.signal).catch(() => undefined);
      wait = Math.min(wait * 2, LONGEST_PAUSE);
    }
  }

  async function follow(connected: () => void): Promise<void> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error("it was silent for too long")), SILENT_FOR);
    const deliveries: Promise<void>[] = [];
    try {
      const response = await fetch(url, {
        headers: { accept: "text/event-stream" },
        signal: AbortSignal.any([ended.signal, silence.signal]),
      });
      if (!response.ok || response.body === null || !/^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "")) {
        await response.body?.cancel();
        throw new Error(`it answered ${response.status} without a stream of events`);
      }
      connected();
      const parser = createParser({
        maxBufferSize: LARGEST_EVENT,
        onEvent: ({ event, data }) => {
          if (event === undefined || event === "message") deliveries.push(handOver(data));
        },
        onError: (error) => {
          if (error.type === "max-buffer-size-exceeded") throw error;
        },
      });
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        timer.refresh();
        parser.feed(text);
        // One after the other, so that what came first is stored first, and a flood waits on the wire.
        for (const delivery of deliveries.splice(0)) await delivery;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function handOver(data: string): Promise<void> {
    const delivery = readProxied(data);
    if (delivery === undefined) {
      log.warn({ proxy: host }, "the webhook proxy sent something that is no delivery");
      return;
    }
    const about = { proxy: host, delivery: delivery.headers["x-github-delivery"], event: delivery.headers["x-github-event"] };
    try {
      const status = await post(target, delivery, agent, ended.signal);
      if (status >= 300) log.warn({ ...about, status }, "a delivery of the webhook proxy was refused");
    } catch (error) {
      log.warn({ ...about, why: messageOf(error) }, "a delivery of the webhook proxy got lost");
    }
  }

  const listening = listen();
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await listening;
      agent.destroy();
    },
  };
}

interface Proxied {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a channel says of one webhook: its headers by name, and `body`, parsed or as text. Undefined for anything else. */
function readProxied(data: string): Proxied | undefined {
  let said: unknown;
  try {
    said = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof said !== "object" || said === null || !("body" in said)) return undefined;
  const { body, ...rest } = said as Readonly<Record<string, unknown>>;
  const headers: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = rest[name];
    if (typeof value !== "string" || !/^[\x21-\x7e]{1,200}$/.test(value)) return undefined;
    headers[name] = value;
  }
  return { headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** By an agent of its own, and so past the proxies of the environment: the target is this process. */
function post(target: string, { headers, body }: Proxied, agent: Agent, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const bytes = Buffer.from(body);
  const all = { ...headers, "content-type": "application/json", "content-length": bytes.length };
  const sent = request(target, { method: "POST", agent, signal, headers: all }, (response) => {
    response.resume();
    response.once("end", () => resolve(response.statusCode ?? 0));
    response.once("error", reject);
  });
  sent.once("error", reject);
  sent.end(bytes);
  return promise;
}

/** `fetch failed` says nothing; what it was caused by does. */
function rootOf(error: unknown): string {
  return error instanceof TypeError && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeoutPromise(milliseconds, undefined, { signal });
}
