import type { IncomingMessage } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";

/** What an extension answers under `/x/<its name>`. */
export interface ServedRoute {
  /** The whole path, without a final slash. */
  readonly path: string;
  readonly handler: (request: Request) => Response | Promise<Response>;
  /** Set for what the navigation names. */
  readonly page?: { readonly label: string; readonly icon?: string };
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds for a handler; bytes of a request, and of an answer. */
const ANSWER_WITHIN = 10_000;
const LARGEST_REQUEST = 1024 * 1024;
const LARGEST_ANSWER = 8 * 1024 * 1024;
/** What of an answer's headers is sent. Policies are the dashboard's own. */
const SENT: readonly string[] = ["content-type", "content-disposition", "location", "last-modified"];
/** What of a request's headers is the dashboard's business alone. */
const WITHHELD: readonly string[] = ["authorization", "cookie", "proxy-authorization"];

/** Answers a request that was let in; undefined where there is no such route. Never throws. */
export async function answerRoute(
  request: IncomingMessage,
  path: string,
  { routes, log }: { readonly routes: readonly ServedRoute[]; readonly log: Logger },
): Promise<RouteAnswer | undefined> {
  const route = routes.find((one) => one.path === path);
  if (route === undefined) return undefined;
  if (isForged(request)) return { status: 403, body: "another site cannot send this\n" };
  try {
    const body = await readBody(request);
    if (body === undefined) return { status: 413, body: "too large\n" };
    return await withinTime(async () => readResponse(await route.handler(requestOf(request, body))));
  } catch (error) {
    log.warn({ route: path, error: messageOf(error) }, "a route of an extension failed");
    return { status: 500, body: "something went wrong; the server's log says what\n" };
  }
}

/** A browser that knows the password sends it for whatever page asks it to. Source: https://www.w3.org/TR/fetch-metadata/ */
function isForged({ method = "GET", headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  return !["GET", "HEAD"].includes(method) && site !== undefined && site !== "same-origin" && site !== "none";
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > LARGEST_REQUEST) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function requestOf({ method = "GET", url = "/", headers }: IncomingMessage, body: Uint8Array): Request {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || WITHHELD.includes(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = !["GET", "HEAD"].includes(method);
  return new Request(`http://localhost${url}`, { method, headers: passed, ...(hasBody ? { body: Uint8Array.from(body) } : {}) });
}

async function readResponse(response: unknown): Promise<RouteAnswer> {
  if (!(response instanceof Response)) throw new TypeError("it answered something that is no Response");
  const body = new Uint8Array(await response.arrayBuffer());
  if (body.length > LARGEST_ANSWER) throw new RangeError(`it answered ${body.length} bytes`);
  const headers = SENT.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: response.status, body, headers: Object.fromEntries(headers) };
}

async function withinTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ANSWER_WITHIN / 1000} s`)), ANSWER_WITHIN);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
