import { createParser } from "eventsource-parser";
import { messageOf } from "../../core/errors.ts";
import { LARGEST_MESSAGE, type Listener, type Message, type OpenTransport } from "./transport.ts";

export interface HttpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

/** Milliseconds in which a session is taken leave of. */
const GOODBYE_MS = 2_000;

/** "Streamable HTTP": each message is posted, and answered by JSON or by a stream of events. Redirects are not followed. */
export function httpTransport({ url, headers, fetch }: HttpOptions): OpenTransport {
  return (listener) => {
    let session: string | undefined;
    let version: string | undefined;
    const ask = (init: RequestInit, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(url, {
        ...init,
        redirect: "manual",
        headers: {
          ...headers,
          ...more,
          ...(session === undefined ? {} : { "mcp-session-id": session }),
          ...(version === undefined ? {} : { "mcp-protocol-version": version }),
        },
      });
    return Promise.resolve({
      async send(message, signal) {
        const response = await ask(
          { method: "POST", body: JSON.stringify(message), signal },
          { "content-type": "application/json", accept: "application/json, text/event-stream" },
        ).catch((error: unknown) => {
          signal.throwIfAborted();
          throw new Error(`it cannot be reached: ${causeOf(error)}`);
        });
        session ??= response.headers.get("mcp-session-id") ?? undefined;
        if (!response.ok) {
          await response.body?.cancel();
          // The server has forgotten the session, or does not let us in: a new one may be asked for.
          if (response.status === 404 || response.status === 401) listener.closed(`it answers ${response.status}`);
          throw new Error(
            `it answers ${response.status}${response.status >= 300 && response.status < 400 ? ", which is not followed" : ""}`,
          );
        }
        if (message.id === undefined || message.method === undefined) await response.body?.cancel();
        else if (!(await answered(response, message.id, listener))) throw new Error("it gave no answer");
      },
      agreed(agreed) {
        version = agreed;
      },
      async close() {
        listener.closed("it was stopped");
        if (session === undefined) return;
        const gone = await ask({ method: "DELETE", signal: AbortSignal.timeout(GOODBYE_MS) }).catch(() => undefined);
        await gone?.body?.cancel();
      },
    });
  };
}

/** Hands on the messages of an answer until the one that answers the request has come. */
async function answered(response: Response, id: string | number, listener: Listener): Promise<boolean> {
  const type = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "text/event-stream" && type !== "application/json") {
    await response.body?.cancel();
    throw new Error(`it answers with ${JSON.stringify(type ?? "nothing")}`);
  }
  let isAnswered = false;
  const hear = (text: string): void => {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return;
    }
    listener.message(message);
    if (message?.id === id && message.method === undefined) isAnswered = true;
  };
  const parser = createParser({ onEvent: ({ data }) => hear(data), maxBufferSize: LARGEST_MESSAGE });
  const decoder = new TextDecoder();
  let bytes = 0;
  let whole = "";
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_MESSAGE) throw new Error(`it answers with more than ${LARGEST_MESSAGE} bytes`);
    const text = decoder.decode(chunk, { stream: true });
    if (type === "text/event-stream") parser.feed(text);
    else whole += text;
    if (isAnswered) break;
  }
  if (type === "application/json") hear(whole);
  return isAnswered;
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error);
}
