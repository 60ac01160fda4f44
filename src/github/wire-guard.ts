import type { Logger } from "../core/log.ts";
import { PASS_HEADER } from "../core/pass.ts";
import type { PassLedger, Redeemed } from "../core/pass.ts";
import { isGraphqlRead } from "./graphql-read.ts";
import { followRedirects } from "./redirects.ts";

export interface WireGuardOptions {
  readonly fetch: typeof fetch;
  /** REST base without a final slash. */
  readonly baseUrl: string;
  readonly graphqlUrl: string;
  readonly ledger: PassLedger;
  /** Whose requests these are: passes of other runs are refused, and all of them where no run is named. */
  readonly runId?: string;
  readonly log: Logger;
}

/** Carried by the guard's own answers, with the reason in one word: nothing left for GitHub. */
export const GUARD_HEADER = "x-sallyport-guard";

/** The App's own housekeeping: neither writes into a repository. */
const WITHOUT_PASS = [/^\/app\/installations\/\d+\/access_tokens$/, /^\/app\/hook\/deliveries\/\d+\/attempts$/];
/** The code that a new App's credentials are handed out for, once. It stands for itself: no token goes with it, and no body. */
const MANIFEST_CODE = /^\/app-manifests\/[\w-]{1,200}\/conversions$/;
/** Headers that would make the request another one than was judged. */
const REFUSED_HEADERS = ["x-http-method-override", "x-http-method", "x-method-override", "content-encoding"];
/** Segments that a URL parser folds away, in every spelling that it knows. Source: https://url.spec.whatwg.org/#double-dot-path-segment */
const DOT_SEGMENT = /[\\/](?:\.|%2e){1,2}(?=[\\/]|$)/i;

/** A request taken apart once, so that what is judged is what is sent. */
interface Taken {
  readonly method: string;
  readonly url: URL;
  /** Relative to the API, query included; undefined outside it. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}
const refuse = (why: string): Redeemed & { ok: false } => ({ ok: false, why });

/**
 * The fetch under every Octokit. A request that could change something leaves only with an unspent pass for exactly its method, path
 * and body; GET, HEAD and plain GraphQL reads leave without. Nothing goes to another origin than the API's, and credentials never
 * follow a redirect away from it. A refusal is answered with a synthetic 403, never thrown: client libraries repeat what throws.
 */
export function guardFetch(options: WireGuardOptions): typeof fetch {
  const { ledger, log, runId } = options;
  return async (input, init) => {
    const taken = await take(input, init, options);
    if ("why" in taken) return refusal(log, "unreadable", taken.why);
    const { method, url, path, headers, body, signal } = taken;
    const verdict = judge(taken, ledger, runId);
    if (!verdict.ok) return refusal(log, "no-pass", verdict.why, { method, path });
    headers.delete(PASS_HEADER);
    const request: RequestInit = {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
    const response = await options.fetch(url.href, request);
    if (method === "GET" || method === "HEAD") {
      if (init?.redirect === "manual") return response;
      return followRedirects(response, url, request, { fetch: options.fetch, isApi: (target) => apiPath(target, options) !== undefined });
    }
    if (response.ok) verdict.answered?.(await answerText(response.clone()));
    if (response.status < 300 || response.status >= 400) return response;
    await response.body?.cancel();
    return refusal(log, "redirected", `GitHub redirects ${method} ${path} elsewhere; a write is not sent on`, { method, path });
  };
}

async function take(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  options: WireGuardOptions,
): Promise<Taken | { readonly why: string }> {
  if (typeof input !== "string" && !(input instanceof URL))
    return { why: "only an address is taken, no Request object: its body is a stream" };
  const url = URL.canParse(String(input)) ? new URL(String(input)) : undefined;
  if (url === undefined) return { why: "the address is no URL" };
  // None of our routes has any: an argument that climbs out of its route has made another request of it.
  if (climbs(String(input))) return { why: "the address has dot segments" };
  const path = apiPath(url, options);
  if (path === undefined) return { why: `${url.origin} ${url.pathname} is not GitHub's API` };
  // The Fetch standard upper-cases the usual methods only; GitHub is asked in upper case alone.
  const method = (init?.method ?? "GET").toUpperCase();
  if (!/^[A-Z]+$/.test(method)) return { why: "the method is no word" };
  let headers: Headers;
  try {
    headers = new Headers(init?.headers);
  } catch {
    return { why: "a header is malformed" };
  }
  const body = await exactText(init?.body);
  if (body === false) return { why: "the body is neither text nor bytes of well-formed UTF-8" };
  return { method, url, path, headers, body, signal: init?.signal ?? undefined };
}

/** Whether an address has dot segments. A parser drops line ends and tabs before it looks for them. */
function climbs(address: string): boolean {
  const [route = ""] = address.replace(/[\t\n\r]/g, "").split(/[?#]/, 1);
  return DOT_SEGMENT.test(route);
}

/** The body as the text that will be sent; false when that cannot be known exactly. Bytes are copied: nobody changes them afterwards. */
async function exactText(body: RequestInit["body"]): Promise<string | undefined | false> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return body.isWellFormed() && body;
  if (!(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) return false;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return false;
  }
}

/** Path and query relative to the API; `/graphql` for the GraphQL address; undefined for everything that is not the API. */
function apiPath(url: URL, { baseUrl, graphqlUrl }: Pick<WireGuardOptions, "baseUrl" | "graphqlUrl">): string | undefined {
  if (url.username !== "" || url.password !== "") return undefined;
  const whole = url.origin + url.pathname;
  if (whole === graphqlUrl) return `/graphql${url.search}`;
  // On an Enterprise server GraphQL lies beside the REST base: two addresses must not share one path.
  if (whole === `${baseUrl}/graphql`) return undefined;
  return whole.startsWith(`${baseUrl}/`) ? whole.slice(baseUrl.length) + url.search : undefined;
}

function judge({ method, url, path, headers, body }: Taken, ledger: PassLedger, runId: string | undefined): Redeemed {
  const refused = REFUSED_HEADERS.find((name) => headers.has(name));
  if (refused !== undefined) return refuse(`the header ${refused} is never sent`);
  if (url.searchParams.has("_method")) return refuse("the parameter _method is never sent");
  const isGraphql = url.pathname.toLowerCase().replace(/\/+$/, "").endsWith("/graphql");
  if (method === "GET" || method === "HEAD") {
    if (body !== undefined) return refuse(`${method} has no body`);
    return isGraphql && url.search !== "" ? refuse("GraphQL is asked by POST") : { ok: true };
  }
  const passId = headers.get(PASS_HEADER);
  if (passId === null) {
    if (method === "POST" && WITHOUT_PASS.some((exception) => exception.test(path))) return { ok: true };
    if (method === "POST" && MANIFEST_CODE.test(path) && body === undefined && !headers.has("authorization")) return { ok: true };
    if (method === "POST" && path === "/graphql" && isGraphqlRead(body ?? "")) return { ok: true };
    return refuse(`${method} ${path} has no pass`);
  }
  try {
    return ledger.redeem(passId, { method, path, body: body ?? "" }, runId);
  } catch {
    return refuse("the ledger of passes failed");
  }
}

/** An answer's text; nothing for one that breaks off, which its reader will notice as well. */
async function answerText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    return "";
  }
}

function refusal(log: Logger, reason: "unreadable" | "no-pass" | "redirected", why: string, fields: object = {}): Response {
  log.warn({ ...fields, why }, "request refused by the wire guard");
  return new Response(JSON.stringify({ message: `Refused by Sallyport before it left: ${why}` }), {
    status: 403,
    headers: { "content-type": "application/json; charset=utf-8", [GUARD_HEADER]: reason },
  });
}
