/** One call that the scripted model makes. */
export interface ScriptedCall {
  readonly name: string;
  /** An empty object when absent. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The arguments as raw text, for what is no JSON. */
  readonly raw?: string;
  /** One of its own when absent. */
  readonly id?: string;
}

/** One answer of the scripted model. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** `tool_calls` or `stop` when absent, as fits. */
  readonly finish?: "stop" | "tool_calls" | "length" | "content_filter";
  readonly refusal?: string;
  /** Encrypted reasoning, which stands before the text and the calls; of responses only. */
  readonly reasoning?: string;
  /** Tokens; estimated from the request when absent. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** An HTTP status other than 200, or a `body`, is sent instead of an answer, with `headers`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly delayMs?: number;
  /** Never answers. */
  readonly hang?: boolean;
  /** The connection breaks: before anything is sent, before the calls, or inside the last call's arguments. */
  readonly cut?: "start" | "calls" | "arguments";
}

/** A turn with one call: `call("read_file", { path: "src/a.ts" })`. */
export function call(name: string, args: Readonly<Record<string, unknown>> = {}): Turn & { readonly calls: readonly ScriptedCall[] } {
  return { calls: [{ name, args }] };
}

/** A turn that only says something, which ends most conversations. */
export function say(text: string): Turn {
  return { text };
}
