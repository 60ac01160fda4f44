/** One message of JSON-RPC 2.0. Source: https://www.jsonrpc.org/specification */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Hears what comes from a server. */
export interface Listener {
  message(message: unknown): void;
  /** Nothing more will come. `why`: in words, after "The tool server x has ended:". */
  closed(why: string): void;
}

/** A way to a server, as the session uses it. */
export interface Transport {
  /** @throws {Error} when the message could not be delivered, or a request had no answer. */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** The revision of the protocol that both sides speak from now on. */
  agreed?(version: string): void;
  close(): Promise<void>;
}

export type OpenTransport = (listener: Listener) => Promise<Transport>;

/** Bytes of one message of a server; one that sends more is not heard any further. */
export const LARGEST_MESSAGE = 8 * 1024 * 1024;
