import { createHash } from "node:crypto";

/** Bytes of one answer that is worth keeping, and of all of them. */
const LARGEST = 128 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Headers of an answer that tell of it, and not of the body, so that those of the newest count. */
const OF_THIS_ANSWER = /^(?:date|x-ratelimit-|x-github-request-id|retry-after)/;

interface Kept {
  readonly etag: string;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Asks for what was read before only if it has changed: a 304 of GitHub costs nothing of the rate limit, and is given back as the answer that
 * it stands for. What is kept belongs to one credential and one address, so nobody is shown what was read by another; GitHub itself decides at
 * each request whether it may still be seen. Source: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export function conditionalFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.body.length ?? 0;
    kept.delete(key);
  }

  /** Keeps an answer as the newest; the oldest go. */
  function keep(key: string, answer: Kept): void {
    forget(key);
    kept.set(key, answer);
    bytes += answer.body.length;
    for (const oldest of kept.keys()) {
      if (bytes <= MOST_BYTES) break;
      forget(oldest);
    }
  }

  return async (input, init) => {
    const key = keyOf(input, init);
    if (key === undefined) return fetch(input, init);
    const before = kept.get(key);
    if (before === undefined) return remembered(key, await fetch(input, init));
    const headers = new Headers(init?.headers);
    headers.set("if-none-match", before.etag);
    const answer = await fetch(input, { ...init, headers });
    if (answer.status !== 304) return remembered(key, answer);
    keep(key, before);
    return restored(before, answer);
  };

  async function remembered(key: string, answer: Response): Promise<Response> {
    forget(key);
    const etag = answer.headers.get("etag");
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    if (answer.status !== 200 || etag === null || !isJson || Number(answer.headers.get("content-length") ?? 0) > LARGEST) return answer;
    const body = new Uint8Array(await answer.clone().arrayBuffer());
    if (body.length <= LARGEST) keep(key, { etag, body, headers: [...answer.headers] });
    return answer;
  }
}

/** Undefined for what is no plain read. */
function keyOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): string | undefined {
  if (input instanceof Request || (init?.method ?? "GET").toUpperCase() !== "GET") return undefined;
  const headers = new Headers(init?.headers);
  const authorization = headers.get("authorization");
  if (authorization === null || headers.has("range") || headers.has("if-none-match")) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([authorization, headers.get("accept"), String(input)]))
    .digest("base64url");
}

/** The answer that was kept, with what GitHub has said of the present. */
function restored({ body, headers }: Kept, answer: Response): Response {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  for (const [name, value] of answer.headers) if (OF_THIS_ANSWER.test(name)) all.set(name, value);
  // The body is no longer packed, and its length another.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) all.delete(name);
  const whole = new Response(Uint8Array.from(body), { status: 200, headers: all });
  Object.defineProperty(whole, "url", { value: answer.url });
  return whole;
}
