import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Milliseconds: how long a connection is waited for, and one answer. */
const CONNECT_WITHIN_MS = 100;
const ANSWER_WITHIN_MS = 30_000;

export interface SentAhead {
  /** Hands the early answer, once, to whoever asks for the same; sends everything else. */
  readonly fetch: typeof fetch;
  /** Resolves when the request has left, or has found no way within a moment. */
  readonly gone: Promise<void>;
}

/**
 * Sends the first read that `ask` makes at once, and gives its answer to the first who asks for the same, whatever it is: an answer with an
 * error too, and a broken connection. What `ask` itself gets is a refusal, so that nothing is read twice.
 */
export function sendAhead(ask: (fetch: typeof globalThis.fetch) => Promise<unknown>, send: typeof fetch = globalThis.fetch): SentAhead {
  let early: { readonly url: string; readonly answer: Promise<Response> } | undefined;
  const gone = Promise.withResolvers<void>();
  const timer = setTimeout(() => gone.resolve(), CONNECT_WITHIN_MS);
  const leave = (): void => gone.resolve();
  subscribe(HEADERS_SENT, leave);
  void gone.promise.then(() => {
    clearTimeout(timer);
    unsubscribe(HEADERS_SENT, leave);
  });

  const first: typeof fetch = (input, init) => {
    if (early === undefined && isRead(init)) {
      early = { url: addressOf(input), answer: send(input, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }) };
      early.answer.catch(leave);
    }
    return Promise.reject(new Error("The answer is for somebody else."));
  };
  ask(first).catch(() => {
    // Nothing was asked: nobody has to be waited for.
    if (early === undefined) leave();
  });
  return {
    gone: gone.promise,
    fetch(input, init) {
      const kept = early;
      if (kept === undefined || !isRead(init) || addressOf(input) !== kept.url) return send(input, init);
      early = undefined;
      return kept.answer;
    },
  };
}

/** Source: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
const HEADERS_SENT = "undici:client:sendHeaders";

const isRead = (init: RequestInit | undefined): boolean => (init?.method ?? "GET").toUpperCase() === "GET";

const addressOf = (input: Parameters<typeof fetch>[0]): string => (input instanceof Request ? input.url : String(input));
