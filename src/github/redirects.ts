const MOST_REDIRECTS = 5;
/** What may be told to a host that is not GitHub's API: no credentials, no cookies, nothing that identifies the App. */
const HARMLESS_HEADERS = ["accept", "range", "user-agent"];

interface RedirectOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly isApi: (url: URL) => boolean;
}

/**
 * Follows the redirects of a GET or HEAD by hand: credentials go on to the API only (renamed repositories), never to another origin
 * (logs and archives lie behind signed links). After the fifth the last answer is given back as it is.
 */
export async function followRedirects(
  first: Response,
  from: URL,
  request: RequestInit,
  { fetch, isApi }: RedirectOptions,
): Promise<Response> {
  let response = first;
  let url = from;
  let headers = new Headers(request.headers);
  for (let hop = 0; hop < MOST_REDIRECTS && [301, 302, 303, 307, 308].includes(response.status); hop++) {
    const location = response.headers.get("location");
    if (location === null || !URL.canParse(location, url.href)) return response;
    const target = new URL(location, url);
    if (target.protocol !== "https:" && target.protocol !== from.protocol) return response;
    if (target.protocol !== "https:" && target.protocol !== "http:") return response;
    if (!isApi(target)) headers = new Headers([...headers].filter(([name]) => HARMLESS_HEADERS.includes(name)));
    await response.body?.cancel();
    url = target;
    response = await fetch(target.href, { ...request, headers });
  }
  return response;
}
