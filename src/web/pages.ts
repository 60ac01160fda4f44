import type { IncomingMessage, ServerResponse } from "node:http";
import type { Arrivals } from "../core/arrivals.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { countUnfinished, listRuns, readTranscript } from "../store/run-list.ts";
import { readReceipt } from "../store/receipts.ts";
import { readRun } from "../store/runs.ts";
import type { Executor } from "../store/sql.ts";
import { createAccess } from "./access.ts";
import type { Answer } from "./answer.ts";
import { sendAuditExport } from "./audit-export.ts";
import { AUDIT_EXPORT_PATH } from "./audit-page.ts";
import { readDiff, type ReadBase } from "./changes/file-diff.ts";
import { renderPatch } from "./changes/patch.ts";
import { cleanAll, cleanWith } from "./clean.ts";
import { markupOf, type Html } from "./html.ts";
import { answerRoute, type ServedRoute } from "./extension-routes.ts";
import { BASE, layOutNotice, type NavLink, SCRIPT_PATH, STYLESHEET_PATH } from "./layout.ts";
import { readCursor, readListQuery, renderList } from "./list-page.ts";
import type { Live } from "./live/live.ts";
import { LIVE_SCRIPT } from "./live/live-script.ts";
import { readTopic } from "./live/topic.ts";
import { overviewPage } from "./overview.ts";
import { createPeople, type PeopleOptions } from "./people.ts";
import { renderRun } from "./run-page.ts";
import type { Budgets } from "./spend-page.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** Runs on the list, and journal rows on the page of one run. */
const MOST_RUNS = 100;
const MOST_ROWS = 200;
const RECEIPT_PATH = /^\/sallyport\/receipts\/([0-9a-z]{26})$/;
const PATCH_PATH = /^\/sallyport\/runs\/([0-9a-z]{26})\/change\.patch$/;
const RUN_PATH = /^\/sallyport\/runs\/([0-9a-z]{26})$/;

/** On every answer, whatever its status: nothing of a run can execute, be framed, be kept, or be told to another site. */
const POLICY = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
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
  /** Dollars a day, as the server's configuration says. */
  readonly budgets?: Budgets;
  /** Tells open pages what is new; without it they stand still. */
  readonly live?: Pick<Live, "serve">;
  /** Files of the commits that runs work on, for differences; without it changed files are shown whole. */
  readonly readBase?: ReadBase;
  /** GitHub's pages, without a final slash; github.com's when left out. */
  readonly webUrl?: string;
  /** Without it nobody answers anything here. */
  readonly people?: PeopleOptions;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A request listener that never rejects; resolves when the answer has been given. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The dashboard: pages that are read, one on which people answer, and 404 for everything else. */
export function createPages(options: PagesOptions): Pages {
  const { database, log, dashboardToken, routes = [], budgets = {}, live, mask = unmasked, readBase, now = Date.now } = options;
  const links = linksOf(routes);
  const judgeAccess = createAccess(dashboardToken === undefined ? {} : { token: dashboardToken });
  const around = { mask, links, now, log, ...(readBase === undefined ? {} : { readBase }) };
  const people = options.people === undefined ? undefined : createPeople(options.people, around);

  /** Undefined where the response was taken over. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { path, parameters } = addressOf(request);
    const isRoute = path.startsWith("/x/");
    if (!isRoute && path !== BASE && !path.startsWith(`${BASE}/`)) return { status: 404, body: "not found\n" };
    const access = judgeAccess(request);
    const met = isRoute ? undefined : await people?.answer(path, request, { access, parameters });
    if (met !== undefined) return met;
    const isAsset = path === STYLESHEET_PATH && people?.isKnown(request) === true;
    if (!access.ok && !(isAsset && access.status === 401)) {
      log.debug({ status: access.status, peer: request.socket.remoteAddress }, "the dashboard was refused");
      const body = layOutNotice(access.status === 401 ? "Who are you?" : "Not from here", access.why, { nav: false });
      return { status: access.status, body, ...(access.status === 401 ? { headers: CHALLENGE } : {}) };
    }
    if (isRoute) return (await answerRoute(request, path, { routes, log })) ?? { status: 404, body: "not found\n" };
    if (request.method !== "GET" && request.method !== "HEAD") {
      const body = layOutNotice("Only reading", "These pages can only be read: send GET or HEAD.", { links });
      return { status: 405, body, headers: { allow: "GET, HEAD" } };
    }
    if (path === BASE) return { status: 200, body: await list(parameters, options) };
    if (path === STYLESHEET_PATH) return { status: 200, body: STYLESHEET, headers: { "content-type": "text/css; charset=utf-8" } };
    if (path === SCRIPT_PATH) return { status: 200, body: LIVE_SCRIPT, headers: { "content-type": "text/javascript; charset=utf-8" } };
    const topic = request.method === "GET" ? readTopic(path, parameters) : undefined;
    if (topic !== undefined && live !== undefined) {
      for (const [name, value] of Object.entries(POLICY)) response.setHeader(name, value);
      live.serve(topic, request, response);
      return undefined;
    }
    const overview = await overviewPage(path, parameters, { database, mask, links, budgets, now: now() });
    if (overview !== undefined) return { status: 200, body: overview };
    if (path === AUDIT_EXPORT_PATH) {
      for (const [name, value] of Object.entries(POLICY)) response.setHeader(name, value);
      await sendAuditExport(request, response, { database, log });
      return undefined;
    }
    const [, patchOf] = PATCH_PATH.exec(path) ?? [];
    const change = patchOf === undefined ? undefined : await patch(patchOf, options);
    if (change !== undefined) return change;
    const [, receiptOf] = RECEIPT_PATH.exec(path) ?? [];
    const receipt = receiptOf === undefined ? undefined : await readReceipt(options.database, receiptOf);
    // Its very bytes: they were masked before they were signed, and with one of them changed it could not be verified.
    if (receipt !== undefined) return { status: 200, body: receipt, headers: { "content-type": "application/json; charset=utf-8" } };
    const [, id] = RUN_PATH.exec(path) ?? [];
    const replay = id === undefined ? undefined : people?.replayButton(id, request, access);
    const page = id === undefined ? undefined : await run(id, parameters, { ...options, replay });
    // A form's origin is told within this site only where it may be told at all.
    if (page !== undefined) return { status: 200, body: page, headers: replay === undefined ? {} : { "referrer-policy": "same-origin" } };
    const body = layOutNotice("Not found", "There is no such page or run. Runs are deleted some time after their end.", { links });
    return { status: 404, body };
  }

  return async (request, response) => {
    let given: Answer | undefined;
    try {
      given = await answer(request, response);
    } catch (error) {
      log.warn({ why: messageOf(error) }, "a page could not be made");
      given = {
        status: 503,
        body: layOutNotice("Not now", "This page could not be made; the server's log says why. Try again in a moment.", { links }),
      };
    }
    if (given !== undefined) send(request, response, given);
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

async function run(
  id: string,
  parameters: URLSearchParams,
  options: PagesOptions & { readonly replay: Html | undefined },
): Promise<Html | undefined> {
  const { database, routes = [], mask = unmasked, now = Date.now, webUrl = "https://github.com", replay } = options;
  const clean = cleanWith(mask);
  const before = readCursor(parameters);
  const transcript = await readTranscript(database, id, { limit: MOST_ROWS, ...(before === undefined ? {} : { before }) });
  if (transcript === undefined) return undefined;
  const diff = await readDiff({ id, repositoryId: transcript.run.request.repository.id }, { ...options, mask });
  const shown = { transcript: cleanAll(transcript, clean), diff, webUrl, replay, ...(before === undefined ? {} : { before }) };
  return renderRun({ ...shown, clean, links: linksOf(routes), now: now() });
}

/** The change set of a run as a file; undefined where there is none. */
async function patch(id: string, options: PagesOptions): Promise<Answer | undefined> {
  const stored = await readRun(options.database, id);
  const about = stored === undefined ? undefined : { id, repositoryId: stored.request.repository.id };
  const diff = about === undefined ? undefined : await readDiff(about, { ...options, mask: options.mask ?? unmasked });
  if (diff === undefined) return undefined;
  return { status: 200, body: renderPatch(diff, id), headers: { "content-disposition": `attachment; filename="${id}.patch"` } };
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
