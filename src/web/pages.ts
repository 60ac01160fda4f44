import type { IncomingMessage, ServerResponse } from "node:http";
import type { Arrivals } from "../core/arrivals.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { countUnfinished, listRuns, readTranscript } from "../store/run-list.ts";
import { readReceipt } from "../store/receipts.ts";
import type { Executor } from "../store/sql.ts";
import { createAccess } from "./access.ts";
import { cleanAll, cleanWith } from "./clean.ts";
import { markupOf, type Html } from "./html.ts";
import { answerRoute, type ServedRoute } from "./extension-routes.ts";
import { BASE, layOutNotice, type NavLink, STYLESHEET_PATH } from "./layout.ts";
import { readListQuery, renderList } from "./list-page.ts";
import { renderRun } from "./run-page.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** Runs on the list, and journal rows on the page of one run. */
const MOST_RUNS = 100;
const MOST_ROWS = 400;
const RECEIPT_PATH = /^\/sallyport\/receipts\/([0-9a-z]{26})$/;
const RUN_PATH = /^\/sallyport\/runs\/([0-9a-z]{26})$/;

/** On every answer, whatever its status: nothing of a run can execute, be framed, be kept, or be told to another site. */
const POLICY = {
  "content-security-policy": "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

export interface PagesOptions {
  readonly database: Executor;
  /** `SALLYPORT_DASHBOARD_TOKEN`; without it the pages are for callers on this machine alone. */
  readonly dashboardToken?: string;
  readonly log: Logger;
  /** Jobs in the queue, delayed ones included. */
  readonly queueDepth?: () => number | Promise<number>;
  /** Takes the values of held secrets out of a text, on top of what was masked when it was journalled. */
  readonly mask?: (text: string) => string;
  /** The deliveries of this process; absent where it receives none. */
  readonly arrivals?: Pick<Arrivals, "last">;
  /** What extensions serve. */
  readonly routes?: readonly ServedRoute[];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A request listener that never rejects; resolves when the answer has been given. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Answer {
  readonly status: number;
  readonly body: Html | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The dashboard: the list of runs, the page of one run, and 404 for everything else. Reads only. */
export function createPages(options: PagesOptions): Pages {
  const { log, dashboardToken, routes = [] } = options;
  const judgeAccess = createAccess(dashboardToken === undefined ? {} : { token: dashboardToken });

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { path, parameters } = addressOf(request);
    const isRoute = path.startsWith("/x/");
    if (!isRoute && path !== BASE && !path.startsWith(`${BASE}/`)) return { status: 404, body: "not found\n" };
    const access = judgeAccess(request);
    if (!access.ok) {
      log.debug({ status: access.status, peer: request.socket.remoteAddress }, "the dashboard was refused");
      const body = layOutNotice(access.status === 401 ? "Who are you?" : "Not from here", access.why, { nav: false });
      return { status: access.status, body, ...(access.status === 401 ? { headers: CHALLENGE } : {}) };
    }
    if (isRoute) return (await answerRoute(request, path, { routes, log })) ?? { status: 404, body: "not found\n" };
    if (request.method !== "GET" && request.method !== "HEAD") {
      const body = layOutNotice("Only reading", "These pages can only be read: send GET or HEAD.");
      return { status: 405, body, headers: { allow: "GET, HEAD" } };
    }
    if (path === BASE) return { status: 200, body: await list(parameters, options) };
    if (path === STYLESHEET_PATH) return { status: 200, body: STYLESHEET, headers: { "content-type": "text/css; charset=utf-8" } };
    const [, receiptOf] = RECEIPT_PATH.exec(path) ?? [];
    const receipt = receiptOf === undefined ? undefined : await readReceipt(options.database, receiptOf);
    // Its very bytes: they were masked before they were signed, and with one of them changed it could not be verified.
    if (receipt !== undefined) return { status: 200, body: receipt, headers: { "content-type": "application/json; charset=utf-8" } };
    const [, id] = RUN_PATH.exec(path) ?? [];
    const page = id === undefined ? undefined : await run(id, options);
    if (page !== undefined) return { status: 200, body: page };
    return { status: 404, body: layOutNotice("Not found", "There is no such page or run. Runs are deleted some time after their end.") };
  }

  return async (request, response) => {
    let given: Answer;
    try {
      given = await answer(request);
    } catch (error) {
      log.warn({ why: messageOf(error) }, "a page could not be made");
      given = {
        status: 503,
        body: layOutNotice("Not now", "This page could not be made; the server's log says why. Try again in a moment."),
      };
    }
    send(request, response, given);
  };
}

/** Source: RFC 7617 2, RFC 6750 3. */
const CHALLENGE = { "www-authenticate": ['Basic realm="Sallyport", charset="UTF-8"', 'Bearer realm="Sallyport"'] } as const;

async function list(
  parameters: URLSearchParams,
  { database, queueDepth, arrivals, routes = [], mask = unmasked, now = Date.now, log }: PagesOptions,
): Promise<Html> {
  const clean = cleanWith(mask);
  const query = readListQuery(parameters);
  // One more than is shown tells whether there are more.
  const found = query.isImpossible ? [] : await listRuns(database, query, MOST_RUNS + 1);
  const depth = await readDepth(queueDepth, log);
  return renderList({
    query: cleanAll(query, clean),
    runs: cleanAll(found.slice(0, MOST_RUNS), clean),
    hasMore: found.length > MOST_RUNS,
    unfinished: await countUnfinished(database),
    ...(depth === undefined ? {} : { queueDepth: depth }),
    ...(arrivals === undefined ? {} : { lastDelivery: arrivals.last() ?? "none" }),
    links: linksOf(routes),
    now: now(),
  });
}

/** The list is worth showing without this number. */
async function readDepth(queueDepth: PagesOptions["queueDepth"], log: Logger): Promise<number | undefined> {
  try {
    return await queueDepth?.();
  } catch (error) {
    log.warn({ why: messageOf(error) }, "the queue's depth could not be told");
    return undefined;
  }
}

async function run(id: string, { database, routes = [], mask = unmasked, now = Date.now }: PagesOptions): Promise<Html | undefined> {
  const clean = cleanWith(mask);
  const transcript = await readTranscript(database, id, MOST_ROWS);
  return transcript === undefined
    ? undefined
    : renderRun({ transcript: cleanAll(transcript, clean), clean, links: linksOf(routes), now: now() });
}

function linksOf(routes: readonly ServedRoute[]): readonly NavLink[] {
  return routes.flatMap(({ path, page }) => (page === undefined ? [] : [{ path, ...page }]));
}

const unmasked = (text: string): string => text;

/** The path without final slashes, never decoded: no page of ours has a name that needs it. */
function addressOf({ url = "/" }: IncomingMessage): { readonly path: string; readonly parameters: URLSearchParams } {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  return { path: path.replace(/\/+$/, ""), parameters: new URLSearchParams(at < 0 ? "" : url.slice(at + 1)) };
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isText = typeof body === "string";
  const bytes = body instanceof Uint8Array ? body : Buffer.from(isText ? body : markupOf(body));
  response.statusCode = status;
  const all = { ...POLICY, "content-type": `text/${isText ? "plain" : "html"}; charset=utf-8`, "content-length": bytes.length, ...headers };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  // What was not read of the body must not be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  response.end(bytes);
}
