/** After this long without a complete answer a request is given up, in milliseconds. */
export const TIME_LIMIT_MS = 30_000;

/**
 * Gives each request a time limit, and takes JSON answers in whole: Octokit reads a body that breaks off as an empty success.
 * Throws a TypeError when time is up or the answer breaks off, and the signal's own reason when the caller aborts.
 */
export function timedFetch(fetch: typeof globalThis.fetch, limitMs: number): typeof globalThis.fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(limitMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    try {
      const response = await fetch(input, { ...init, signal });
      return isJson(response) ? await takenWhole(response) : response;
    } catch (error) {
      if (init?.signal?.aborted) throw init.signal.reason;
      if (limit.aborted) throw new TypeError(`No answer from GitHub within ${limitMs / 1000} s`, { cause: error });
      throw error;
    }
  };
}

function isJson(response: Response): boolean {
  return response.body !== null && /[/+]json\b/.test(response.headers.get("content-type") ?? "");
}

async function takenWhole(response: Response): Promise<Response> {
  const { status, statusText, headers, url } = response;
  const bytes = await response.arrayBuffer();
  const isNullBody = status === 204 || status === 205 || status === 304;
  // A constructed response has no address, and pagination needs the answer's.
  return Object.defineProperty(new Response(isNullBody ? null : bytes, { status, statusText, headers }), "url", { value: url });
}
