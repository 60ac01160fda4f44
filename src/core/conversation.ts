/** A call as the model wrote it. `arguments` is raw JSON text, as it arrived. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** What the server wants back with this message, unread. */
  readonly opaque?: OpaqueState;
}

/** A provider's own state beside a message, such as encrypted reasoning. Only the model that made it can read it. */
export interface OpaqueState {
  /** Wire and name of the model it belongs to: another one is not sent it. */
  readonly of: string;
  /** `before` 0: it stands before the text; 1 and up: before that call of the message, counted from 1. */
  readonly items: readonly { readonly before: number; readonly item: Readonly<Record<string, unknown>> }[];
}

/** A picture beside a text, small enough to be journalled with it. */
export interface Image {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly base64: string;
}

/** One message of a conversation, the same for every wire format. Each call is answered once, directly after its message. */
export type Message =
  | { readonly role: "system" | "user"; readonly text: string; readonly images?: readonly Image[] }
  | AssistantMessage
  | { readonly role: "tool"; readonly callId: string; readonly text: string };

/** Tokens as the server counted them; `cached` is part of `input`. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}
