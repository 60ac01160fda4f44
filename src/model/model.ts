import type { Message, ToolCall, Usage } from "../core/conversation.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, `type: "object"`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Empty for a turn that must conclude. */
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
}

/**
 * One complete answer. A call stands in `calls` only when it arrived whole (finish reason, JSON and stream agree); one that did not is in
 * `broken`, which the loop answers with an error and never runs.
 */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly broken: readonly { readonly call: ToolCall; readonly why: string }[];
  /** The provider's or the model's refusal, in its own words. */
  readonly refusal?: string;
  /** The text was cut by the output limit or a filter. */
  readonly cut?: "length" | "content-filter";
  readonly usage: Usage;
  /** The server sent no usage: `usage` is a quarter of the characters sent and received. */
  readonly usageEstimated?: true;
  /** The model that answered, as the server names it. */
  readonly model: string;
}

/** The model port. Temporary failures are retried inside. */
export interface Model {
  readonly name: string;
  /** @throws {ModelError} when there is no answer: unreachable, refused key, no quota, conversation too long. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}
