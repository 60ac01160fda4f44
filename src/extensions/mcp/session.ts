import { messageOf } from "../../core/errors.ts";
import { within } from "../within.ts";
import type { Message, OpenTransport, Transport } from "./transport.ts";

/** One connection to a server, from its greeting on. */
export interface Session {
  /** Why it is over, in words; undefined while it is not. */
  ended(): string | undefined;
  /** Answers what the server answered. @throws {Error} when it refuses, ends, or takes too long; the signal's reason when that aborts. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly open: OpenTransport;
  readonly version: string;
  /** The server has said that its list of tools is another one. */
  readonly onChanged: () => void;
  readonly onEnded: (why: string) => void;
}

/** The newest revision that is asked for; the server may answer with an older one. Source: https://modelcontextprotocol.io/specification */
const REVISION = "2025-11-25";
const SPOKEN: readonly unknown[] = [REVISION, "2025-06-18", "2025-03-26", "2024-11-05"];
/** Milliseconds in which a server has started and said what it is. */
const GREETING_WITHIN = 20_000;
/** Milliseconds that one request may take. */
const REQUEST_WITHIN = 60_000;
const METHOD_NOT_FOUND = -32601;
const LONGEST_COMPLAINT = 1_000;

/**
 * Opens a connection, without any capability of ours: what a server asks of its client is refused.
 * @throws {Error} when the server does not start, does not answer, or speaks no revision that is known.
 */
export async function openSession({ open, version, onChanged, onEnded }: SessionOptions): Promise<Session> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const never = new AbortController().signal;
  let last = 0;
  let why: string | undefined;
  let transport: Transport | undefined;

  const say = (message: Omit<Message, "jsonrpc">): void => {
    transport?.send({ jsonrpc: "2.0", ...message }, never).catch(() => undefined);
  };
  const hear = (message: unknown): void => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return;
    const { id, method, result, error } = message as Message;
    if (method !== undefined) {
      if (method === "notifications/tools/list_changed") onChanged();
      if (id === undefined) return;
      if (method === "ping") return say({ id, result: {} });
      return say({ id, error: { code: METHOD_NOT_FOUND, message: "Nothing is offered to servers." } });
    }
    const request = waiting.get(id as number);
    if (error === undefined || error === null) request?.resolve(result);
    // The type is what a server promises.
    else request?.reject(new Error(`it answers: ${JSON.stringify(error.message)?.slice(0, LONGEST_COMPLAINT)}`));
  };
  const end = (reason: string): void => {
    if (why !== undefined) return;
    why = reason;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    onEnded(reason);
  };

  async function request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    ms = REQUEST_WITHIN,
  ): Promise<unknown> {
    if (why !== undefined || transport === undefined) throw new Error(why ?? "it has not started");
    signal.throwIfAborted();
    const id = ++last;
    const answer = Promise.withResolvers<unknown>();
    // The end of the connection rejects it also where nobody waits any more.
    answer.promise.catch(() => undefined);
    waiting.set(id, answer);
    const stopped = new AbortController();
    const abort = (): void => answer.reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const sent = transport.send({ jsonrpc: "2.0", id, method, params }, AbortSignal.any([signal, stopped.signal]));
      sent.catch(answer.reject);
      return await within(ms, () => answer.promise);
    } catch (error) {
      if (why === undefined && method !== "initialize") say({ method: "notifications/cancelled", params: { requestId: id } });
      throw error;
    } finally {
      stopped.abort();
      signal.removeEventListener("abort", abort);
      waiting.delete(id);
    }
  }

  transport = await open({ message: hear, closed: end });
  const opened = transport;
  const close = async (): Promise<void> => {
    end("it was stopped");
    await opened.close();
  };
  try {
    const greeting = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "sallyport", version } };
    const answer = (await request("initialize", greeting, never, GREETING_WITHIN)) as { readonly protocolVersion?: unknown } | null;
    const spoken = answer?.protocolVersion;
    if (!SPOKEN.includes(spoken)) throw new Error(`it speaks the revision ${JSON.stringify(spoken)?.slice(0, 40)}, which is not known`);
    opened.agreed?.(spoken as string);
    say({ method: "notifications/initialized" });
  } catch (error) {
    const reason = messageOf(error);
    end(reason);
    await opened.close();
    throw error;
  }
  return { ended: () => why, request: (method, params, signal) => request(method, params, signal), close };
}
