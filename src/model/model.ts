import type { Message, OpaqueState, ToolCall, Usage } from "../core/conversation.ts";

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
  /** When the run's time is up, in milliseconds since the epoch: no wait for the server goes beyond it. */
  readonly until?: number;
}

/** A call that did not arrive whole. */
export interface BrokenCall {
  readonly call: ToolCall;
  readonly why: string;
  /** Where it stood among all calls of the answer, from 0; behind them all when absent. */
  readonly at?: number;
}

/**
 * One complete answer. A call stands in `calls` only when it arrived whole (finish reason, JSON and stream agree); one that did not is in
 * `broken`, which the loop answers with an error and never runs.
 */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly broken: readonly BrokenCall[];
  /** The provider's or the model's refusal, in its own words. */
  readonly refusal?: string;
  /** The text was cut by the output limit or a filter. */
  readonly cut?: "length" | "content-filter";
  readonly usage: Usage;
  /** The server sent no usage: `usage` is a quarter of the characters sent and received. */
  readonly usageEstimated?: true;
  /** The model that answered, as the server names it. */
  readonly model: string;
  /** United States dollars; absent where neither the price is known nor the server told the cost. */
  readonly usd?: number;
  /** What the server wants back with this answer's message. */
  readonly opaque?: OpaqueState;
}

/** The model port. Temporary failures are retried inside. */
export interface Model {
  readonly name: string;
  /** Tokens that a request and its answer may hold together; absent where it is not known. */
  readonly contextWindow?: number;
  /** Names whose price is not known, among those that may be asked. */
  readonly unpriced?: readonly string[];
  /** @throws {ModelError} when there is no answer: unreachable, refused key, no quota, conversation too long. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}
