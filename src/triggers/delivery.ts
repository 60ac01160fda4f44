import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isSigned } from "./signature.ts";

/** What GitHub sends at most. Source: https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap */
const LARGEST_BODY = 25 * 1024 * 1024;
/** Milliseconds in which the rest of a body that is refused is read and dropped, so that its sender still reads the answer. */
const DRAIN_FOR = 1000;

/** A webhook whose signature was found good. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly payload: object;
}

/** Why a request is no delivery: an HTTP status and a line for its sender. */
export interface Refusal {
  readonly status: 400 | 401 | 413 | 415;
  readonly why: string;
}

export interface DeliveryOptions {
  readonly secrets: readonly string[];
  /** Bytes; `LARGEST_BODY` when left out. */
  readonly limit?: number;
}

/**
 * Reads one webhook request. Headers are checked before a byte of the body is read, its size while it comes in, its signature before it is
 * parsed. Rejects only when the connection breaks.
 */
export async function readDelivery(
  request: IncomingMessage,
  { secrets, limit = LARGEST_BODY }: DeliveryOptions,
): Promise<Delivery | Refusal> {
  const head = readHead(request.headers);
  if ("status" in head) return drained(request, head);
  const tooLarge: Refusal = { status: 413, why: `the body is larger than ${limit} bytes` };
  if (Number(request.headers["content-length"] ?? 0) > limit) return drained(request, tooLarge);
  const body = await readBody(request, limit);
  if (body === undefined) return drained(request, tooLarge);
  if (!isSigned(body, head.signature, secrets))
    return { status: 401, why: "the signature does not belong to this body and any of the secrets" };
  const payload = parse(body);
  if (payload === undefined) return { status: 400, why: "the body is not a JSON object" };
  return { id: head.id, event: head.event, payload };
}

interface Head {
  readonly id: string;
  readonly event: string;
  readonly signature: string;
}

function readHead(headers: IncomingHttpHeaders): Head | Refusal {
  const event = one(headers["x-github-event"]);
  const id = one(headers["x-github-delivery"]);
  const signature = one(headers["x-hub-signature-256"]);
  if (!/^[a-z][a-z_]{0,63}$/.test(event) || event in {}) return { status: 400, why: "the header X-GitHub-Event is missing or malformed" };
  if (!/^[\w.:-]{1,128}$/.test(id)) return { status: 400, why: "the header X-GitHub-Delivery is missing or malformed" };
  if (signature === "") return { status: 401, why: "the header X-Hub-Signature-256 is missing" };
  if (!/^application\/json\s*(?:;|$)/i.test(one(headers["content-type"]))) {
    return { status: 415, why: "the content type is not application/json; it is chosen in the App's webhook settings" };
  }
  if (!/^(?:identity)?$/i.test(one(headers["content-encoding"]))) return { status: 415, why: "the body is encoded" };
  return { id, event, signature };
}

const one = (header: string | string[] | undefined): string => (typeof header === "string" ? header.trim() : "");

/** The body's bytes, or undefined once it is larger than `limit`. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isRead = false;
  return new Promise((resolve, reject) => {
    const finish = (body: Buffer | undefined): void => {
      isRead = true;
      request.off("data", take);
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) finish(undefined);
      else chunks.push(chunk);
    };
    request.on("data", take);
    request.once("end", () => finish(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      // Every request ends so; an error that nobody reads costs a stack trace.
      if (!isRead) reject(new Error("the connection was closed before the body was complete"));
    });
  });
}

async function drained(request: IncomingMessage, refusal: Refusal): Promise<Refusal> {
  if (request.complete) return refusal;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_FOR);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", done).once("error", done).once("close", done);
    request.resume();
  });
  return refusal;
}

function parse(body: Buffer): object | undefined {
  try {
    // Whole bytes at once and strictly: a letter split between chunks stays one, and bytes that are no text are refused.
    const payload: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof payload === "object" && payload !== null && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
