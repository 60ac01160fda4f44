import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { textHeaders, textOf } from "./answer.ts";
import { classify } from "./classify.ts";
import type { Meaning } from "./classify.ts";
import type { Clock } from "./clock.ts";
import { isGraphqlRead } from "./graphql-read.ts";

export interface PatienceOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often one read is sent at most. */
  readonly tries?: number;
  /** How long one read waits for rate limits in all, in milliseconds. */
  readonly longestWaitMs?: number;
}

/**
 * Repeats reads that met a server error, a broken connection or a rate limit; each request has its own tries. Writes pass through
 * untouched: whoever sends them must look before repeating. The last answer (or error) is given back as it came.
 */
export function patientFetch({ fetch, clock, log, tries = 5, longestWaitMs = 300_000 }: PatienceOptions): typeof globalThis.fetch {
  return async (input, init) => {
    if (!isRepeatable(input, init)) return fetch(input, init);
    const signal = init?.signal ?? undefined;
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      let answer: Response | undefined;
      let error: unknown;
      try {
        answer = await fetch(input, init);
        if (answer.status < 400) return answer;
      } catch (thrown) {
        signal?.throwIfAborted();
        error = thrown;
      }
      const ms = pause(answer === undefined ? { kind: "uncertain" } : await meaningOf(answer, clock), attempt);
      if (ms === undefined || attempt >= tries || waited + ms > longestWaitMs) {
        if (answer === undefined) throw error;
        return answer;
      }
      log.info(
        { status: answer?.status, ...(answer === undefined ? { why: messageOf(causeOf(error)) } : {}), attempt, ms },
        "read of GitHub is repeated",
      );
      await answer?.body?.cancel();
      await clock.sleep(ms, signal);
      waited += ms;
    }
  };
}

/** Reads, and the App's token exchange: a token that was made twice harms nobody. */
function isRepeatable(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const method = (init?.method ?? "GET").toUpperCase();
  if (method === "GET" || method === "HEAD") return true;
  if (method !== "POST" || input instanceof Request) return false;
  return /\/app\/installations\/\d+\/access_tokens$/.test(String(input)) || (typeof init?.body === "string" && isGraphqlRead(init.body));
}

async function meaningOf(answer: Response, clock: Clock): Promise<Meaning> {
  const text = await answer
    .clone()
    .text()
    .catch(() => "");
  let data: unknown = text;
  try {
    data = JSON.parse(text);
  } catch {
    // An error page: its text serves as the message.
  }
  return classify({ status: answer.status, headers: textHeaders(Object.fromEntries(answer.headers)), ...textOf(data) }, clock.now());
}

function pause(meaning: Meaning, attempt: number): number | undefined {
  if (meaning.kind === "later") return meaning.ms;
  return meaning.kind === "uncertain" ? backoffMs(attempt) : undefined;
}

/** `fetch` itself only says that it failed; what failed (a name, a connection, a certificate) is its cause. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

/** Half a second, then doubled each time. */
export function backoffMs(attempt: number): number {
  return 500 * 2 ** (attempt - 1);
}
