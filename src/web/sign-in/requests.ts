import type { IncomingMessage } from "node:http";

/** Bytes of a form; most of ours are two words and a seal. */
const LARGEST_FORM = 8 * 1024;

/** The value of a cookie; undefined where there is none, or more than one. */
export function cookieOf({ headers }: Pick<IncomingMessage, "headers">, name: string): string | undefined {
  const values = (headers.cookie ?? "").split(";").flatMap((pair) => {
    const [key = "", ...value] = pair.split("=");
    return key.trim() === name ? [value.join("=").trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/**
 * A cookie that only this very host is sent, only encrypted or on this machine, and not with what other sites send here. Source: RFC 6265bis.
 */
export function cookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
}

/**
 * Whether a page of this very site sent it. What a browser says of that no page can forge; one that says nothing at all is no browser, or not
 * to be trusted. Source: https://www.w3.org/TR/fetch-metadata/
 */
export function isOwnRequest({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const from = origin === undefined ? null : URL.parse(origin);
  // A proxy may call us by another name than the browser did: then what the browser says of the site is what counts.
  return from !== null && (site === "same-origin" || from.host === host?.toLowerCase());
}

/** The fields of a form; undefined when it is no form, or larger than any of ours. */
export async function readForm(request: IncomingMessage, most = LARGEST_FORM): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(request.headers["content-type"] ?? "")) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > most) return undefined;
    parts.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(parts).toString());
}
