import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf, SallyportError } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { createAccess } from "../access.ts";
import { html, markupOf, type Html } from "../html.ts";
import { layOut, layOutNotice, STYLESHEET_PATH } from "../layout.ts";
import { STYLESHEET } from "../stylesheet.ts";
import type { Progress } from "./progress.ts";
import { renderConfirm, renderForm, renderProgress } from "./texts.ts";
import { readWish, type Fields, type Wish } from "./wish.ts";

/** Bytes of a form, and forms that may be under way. */
const LARGEST_FORM = 8 * 1024;
const MOST_STATES = 50;
/** Milliseconds: GitHub's code is good for an hour. */
const STATE_FOR = 3_600_000;
/** Seconds after which the page of the progress looks again. */
const LOOK_AGAIN = 3;

export interface SetupPagesOptions {
  /** Stands in each address, so that only who sees the terminal can use the pages. */
  readonly key: string;
  /** Where GitHub's web pages are, without a final slash. */
  readonly gitHub: string;
  readonly webhookPath: string;
  /** What the form begins with. */
  readonly given: Fields;
  /** The file of an App that is kept already. */
  readonly replaces?: string;
  /** The manifest that is sent to GitHub. */
  readonly manifestOf: (wish: Wish, redirectUrl: string) => Manifest;
  /** Exchanges the code and keeps what comes of it. @throws {SallyportError} whose code `manifest-uncertain` lets the same code be tried again. */
  readonly create: (code: string, wish: Wish) => Promise<void>;
  /** Undefined until there is an App. */
  readonly progress: () => Progress | undefined;
  readonly log: Logger;
  /** Milliseconds since the epoch, for tests. */
  readonly now?: () => number;
}

/** What of the manifest is shown before it is sent. */
export interface Manifest {
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
  /** Where people who sign in come back to. */
  readonly callback_urls: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: Html | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The pages that create an App, for the machine they run on alone. A request listener that never rejects. */
export function createSetupPages(options: SetupPagesOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { key, gitHub, webhookPath, given, replaces, manifestOf, create, progress, log, now = Date.now } = options;
  const base = `/setup-${key}`;
  const judgeAccess = createAccess({});
  const states = new Map<string, { readonly wish: Wish; readonly at: number }>();
  /** One exchange at a time: two tabs must not spend one code twice. */
  let creating: Promise<unknown> = Promise.resolve();

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = URL.parse(request.url ?? "/", "http://localhost");
    if (!judgeAccess(request).ok) {
      log.warn({ peer: request.socket.remoteAddress }, "the setup page was refused");
      return {
        status: 403,
        body: layOutNotice("Not from here", "This page answers the machine it runs on alone, as localhost or 127.0.0.1.", PLAIN),
      };
    }
    const path = url?.pathname.replace(/\/+$/, "") ?? "";
    if (path === STYLESHEET_PATH) return { status: 200, body: STYLESHEET, headers: { "content-type": "text/css; charset=utf-8" } };
    const page = pageOf(path);
    if (url === null || page === undefined) {
      return { status: 404, body: layOutNotice("Not found", "Open the address that the terminal shows, in whole.", PLAIN) };
    }
    const allowed = page === "/app" ? "POST" : "GET";
    if (request.method !== allowed) return { status: 405, body: "not this way\n", headers: { allow: allowed } };
    if (page === "/app") return confirm(request);
    if (page === "/created") return created(url.searchParams);
    const reached = progress();
    if (reached === undefined) return { status: 200, body: renderForm({ base, given, ...(replaces === undefined ? {} : { replaces }) }) };
    const isOver = reached.isInstalled || reached.server.state === "failed";
    return { status: 200, body: renderProgress(reached), headers: isOver ? {} : { refresh: String(LOOK_AGAIN) } };
  }

  /** What stands behind the key; undefined when the key is not ours. Compared in constant time. */
  function pageOf(path: string): "" | "/app" | "/created" | undefined {
    const [start, page] = [path.slice(0, base.length), path.slice(base.length)];
    if (Buffer.byteLength(start) !== base.length || !timingSafeEqual(Buffer.from(start), Buffer.from(base))) return undefined;
    return page === "" || page === "/app" || page === "/created" ? page : undefined;
  }

  async function confirm(request: IncomingMessage): Promise<Answer> {
    if (progress() !== undefined) return seeProgress();
    // A page of somebody else's knows no key; this holds even if one leaked.
    const from = request.headers["sec-fetch-site"];
    if (from !== undefined && from !== "same-origin" && from !== "none")
      return { status: 403, body: layOutNotice("Not from here", "Send the form of this page.", PLAIN) };
    const form = await readForm(request);
    if (form === undefined) return { status: 413, body: layOutNotice("Too large", "Send the form of this page.", PLAIN) };
    const read = readWish(form, { webhookPath, isDotCom: gitHub === "https://github.com" });
    if ("faults" in read) return { status: 422, body: renderForm({ base, ...read, ...(replaces === undefined ? {} : { replaces }) }) };
    const { wish } = read;
    const state = randomBytes(24).toString("base64url");
    if (states.size >= MOST_STATES) states.delete(states.keys().next().value ?? "");
    states.set(state, { wish, at: now() });
    const manifest = manifestOf(wish, `http://${request.headers.host ?? ""}${base}/created`);
    const owner = wish.organisation === undefined ? "" : `/organizations/${wish.organisation}`;
    const { default_permissions: permissions, default_events: events, callback_urls: callbacks } = manifest;
    const action = `${gitHub}${owner}/settings/apps/new?state=${state}`;
    return { status: 200, body: renderConfirm({ base, wish, action, manifest: JSON.stringify(manifest), permissions, events, callbacks }) };
  }

  async function created(parameters: URLSearchParams): Promise<Answer> {
    const [state, code] = [parameters.get("state") ?? "", parameters.get("code") ?? ""];
    const exchange = async (): Promise<Answer> => {
      if (progress() !== undefined) return seeProgress();
      const known = states.get(state);
      if (known === undefined || now() - known.at > STATE_FOR) {
        log.warn({}, "an App was sent to the setup page that its form did not ask for");
        return beginAnew(403, "This does not belong to a form of this page, or to one that is older than an hour.");
      }
      if (!/^[\w-]{1,200}$/.test(code)) return beginAnew(400, "GitHub sent no code.");
      states.delete(state);
      try {
        await create(code, known.wish);
      } catch (error) {
        log.warn({ why: messageOf(error) }, "the App could not be set up");
        const isUncertain = error instanceof SallyportError && error.code === "manifest-uncertain";
        if (isUncertain) states.set(state, known);
        const hint = error instanceof SallyportError && error.hint !== undefined ? ` ${error.hint}` : "";
        return beginAnew(502, messageOf(error) + hint);
      }
      states.clear();
      return seeProgress();
    };
    const turn = creating.then(exchange);
    creating = turn.catch(() => undefined);
    return turn;
  }

  const seeProgress = (): Answer => ({ status: 303, body: "see the progress\n", headers: { location: base } });
  const beginAnew = (status: number, why: string): Answer => ({
    status,
    body: layOut({
      title: "That did not work",
      nav: false,
      body: html`<p>${why}</p>
        <p><a href="${base}">Begin anew</a></p>`,
    }),
  });

  return async (request, response) => {
    let given: Answer;
    try {
      given = await answer(request);
    } catch (error) {
      log.warn({ why: messageOf(error) }, "a page of the setup could not be made");
      given = { status: 500, body: layOutNotice("Not now", "This page could not be made; the terminal says why.", PLAIN) };
    }
    send(request, response, given, gitHub);
  };
}

const PLAIN = { nav: false } as const;

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_FORM) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, headers = {} }: Answer, gitHub: string): void {
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : markupOf(body));
  response.writeHead(status, {
    "content-security-policy": `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${gitHub}; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "content-type": `text/${isText ? "plain" : "html"}; charset=utf-8`,
    "content-length": bytes.length,
    // What was not read of the body must not be taken for the next request.
    ...(request.complete ? {} : { connection: "close" }),
    ...headers,
  });
  response.end(bytes);
}
