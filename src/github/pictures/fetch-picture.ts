import type { Image } from "../../core/conversation.ts";
import { messageOf } from "../../core/errors.ts";
import { isPictureAddress, isPictureStorage } from "./address.ts";
import { mediaTypeOf } from "./media-type.ts";

export type PictureAnswer = { readonly status: "picture"; readonly image: Image } | { readonly status: "none"; readonly why: string };

/** Fetches a picture that somebody put into a thread. Never throws but for the caller's abort. */
export type FetchPicture = (address: string, signal?: AbortSignal) => Promise<PictureAnswer>;

interface PictureOptions {
  /** Under the time limit; not the wire guard's, which lets nothing but the API through. */
  readonly fetch: typeof globalThis.fetch;
  /** The configured GitHub's web origin. */
  readonly origin: string;
  readonly token: () => Promise<string>;
}

/** Bytes of one picture. */
const LARGEST = 1024 * 1024;
const MOST_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** How GitHub answers for what a stranger may not see. */
const HIDDEN = [401, 403, 404];

/**
 * A fetch for pictures alone: GET, from uploads of the configured GitHub and the storage that it points to, at most 1 MB, told by their
 * first bytes. The token goes to GitHub's own web origin only, only when it does not answer without, and never along a redirect.
 */
export function createPictureFetch({ fetch, origin, token }: PictureOptions): FetchPicture {
  return async (address, signal) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !isPictureAddress(url, origin)) return none("it is not an upload of this GitHub, and nothing else is fetched");
    try {
      let response = await follow(fetch, origin, url, undefined, signal);
      if (response !== undefined && HIDDEN.includes(response.status) && url.origin === origin) {
        await response.body?.cancel();
        response = await follow(fetch, origin, url, `token ${await token()}`, signal);
      }
      if (response === undefined) return none("GitHub redirects to a place that is not its own");
      return response.ok ? await take(response) : await refused(response);
    } catch (error) {
      signal?.throwIfAborted();
      return none(`it could not be fetched (${messageOf(error)})`);
    }
  };
}

/** Follows redirects by hand, each to a known place and without the credential; undefined for one that leads elsewhere. */
async function follow(
  fetch: PictureOptions["fetch"],
  origin: string,
  from: URL,
  authorization: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  let url = from;
  let credential = authorization;
  for (let hop = 0; ; hop++) {
    const headers = { accept: "image/*", "user-agent": "sallyport", ...(credential === undefined ? {} : { authorization: credential }) };
    const response = await fetch(url.href, { headers, redirect: "manual", ...(signal === undefined ? {} : { signal }) });
    if (!REDIRECTS.includes(response.status)) return response;
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (hop >= MOST_REDIRECTS || location === null || !URL.canParse(location, url.href)) return undefined;
    url = new URL(location, url);
    if (!isPictureStorage(url, origin)) return undefined;
    credential = undefined;
  }
}

async function take(response: Response): Promise<PictureAnswer> {
  const chunks: Uint8Array[] = [];
  let size = Number(response.headers.get("content-length") ?? 0);
  if (size <= LARGEST && response.body !== null) {
    size = 0;
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      size += chunk.length;
      if (size > LARGEST) break;
      chunks.push(chunk);
    }
  }
  if (size > LARGEST) {
    if (response.body?.locked === false) await response.body.cancel();
    return none("it is larger than 1 MB");
  }
  const bytes = Buffer.concat(chunks);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === undefined) return none("it is no PNG, JPEG, GIF or WebP picture");
  return { status: "picture", image: { mediaType, base64: bytes.toString("base64") } };
}

async function refused(response: Response): Promise<PictureAnswer> {
  await response.body?.cancel();
  return none(`GitHub answered ${response.status}`);
}

function none(why: string): PictureAnswer {
  return { status: "none", why };
}
