import type { OpaqueState, ToolCall, Usage } from "../core/conversation.ts";
import { readArguments } from "./arguments.ts";
import type { CallDraft } from "./call-assembly.ts";
import { Interrupted } from "./errors.ts";
import type { BrokenCall, ModelAnswer } from "./model.ts";

/** Everything one response brought. */
export interface Draft {
  text: string;
  refusal: string;
  finish: string;
  usage: Usage | undefined;
  /** United States dollars, where the server told them. */
  usd: number | undefined;
  model: string;
  readonly calls: CallDraft[];
  opaque: OpaqueState["items"];
}

export function emptyDraft(): Draft {
  return { text: "", refusal: "", finish: "", usage: undefined, usd: undefined, model: "", calls: [], opaque: [] };
}

const WHOLE = new Set(["stop", "tool_calls", "function_call", "tool_use", "end_turn", "stop_sequence", "eos"]);
const LENGTH = new Set(["length", "max_tokens", "model_length"]);
const FILTER = new Set(["content_filter", "safety"]);
const FAULT = new Set(["error", "abort", "aborted", "cancelled", "insufficient_system_resource"]);

/**
 * The complete-call rule: a call counts when the answer ended properly, its name is there and its arguments are a JSON object. A server
 * that gives no id gets one made up, which says nothing about completeness.
 * @param sent characters of the request, for the usage where the server tells none
 * @param opaqueOf whose state the answer's opaque items are
 * @throws {Interrupted} when the answer as a whole did not arrive.
 */
export function judgeDraft(
  draft: Draft,
  { sent, model, opaqueOf }: { readonly sent: number; readonly model: string; readonly opaqueOf: string },
): ModelAnswer {
  const finish = draft.finish.toLowerCase();
  if (FAULT.has(finish)) throw new Interrupted("cut", `it ended with ${finish}`);
  if (["tool_calls", "tool_use", "function_call"].includes(finish) && draft.calls.length === 0) {
    throw new Interrupted("cut", "it announced a tool call that did not arrive");
  }
  const cut = LENGTH.has(finish) ? "length" : FILTER.has(finish) ? "content-filter" : undefined;
  const calls: ToolCall[] = [];
  const broken: BrokenCall[] = [];
  for (const [at, { id, name, arguments: raw, cut: isCut }] of draft.calls.entries()) {
    const call = { id: id || `call_${at + 1}`, name, arguments: raw.trim() === "" ? "{}" : raw };
    const why = isCut === true && cut === undefined ? NOT_WHOLE : whyBroken(call, finish, cut);
    if (why === undefined) calls.push(call);
    else broken.push({ call, why, at });
  }
  const opaque = calls.length > 0 && broken.length === 0 ? boundOpaque(draft.opaque) : [];
  const estimate = { input: Math.ceil(sent / 4), output: Math.ceil(charactersOf(draft) / 4), cached: 0 };
  return {
    text: draft.text,
    calls,
    broken,
    ...(draft.refusal === "" ? {} : { refusal: draft.refusal }),
    ...(cut === undefined ? {} : { cut }),
    usage: draft.usage ?? estimate,
    ...(draft.usage === undefined ? { usageEstimated: true as const } : {}),
    model: draft.model || model,
    ...(draft.usd === undefined ? {} : { usd: draft.usd }),
    ...(opaque.length === 0 ? {} : { opaque: { of: opaqueOf, items: opaque } }),
  };
}

/** Largest opaque state of one answer, in characters of JSON; it is journalled with the turn and sent with each later request. */
const LARGEST_OPAQUE = 500_000;

function boundOpaque(items: Draft["opaque"]): Draft["opaque"] {
  return JSON.stringify(items).length > LARGEST_OPAQUE ? [] : items;
}

const NOT_WHOLE = "the server did not send all of it; send the call again";

function whyBroken(call: ToolCall, finish: string, cut: ModelAnswer["cut"]): string | undefined {
  if (cut === "length") return "the answer was cut off at the output limit before the call was complete; send it again in smaller parts";
  if (cut === "content-filter") return "the provider's content filter withheld part of the answer; send the call again in other words";
  // No finish reason at all is only accepted for text, and the reader sees to that.
  if (!WHOLE.has(finish)) return `the answer ended with the unknown reason ${JSON.stringify(finish)}; send the call again`;
  if (call.name === "") return "it names no tool; send it again with the tool's name";
  const read = readArguments(call.arguments);
  return read.ok ? undefined : `${read.why}; send the whole call again with arguments that are one JSON object`;
}

/** Characters that the model wrote. */
export function charactersOf({ text, refusal, calls }: Draft): number {
  return text.length + refusal.length + calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
}
