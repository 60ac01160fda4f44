import { APIError } from "openai";
import { charactersOf, type Draft, emptyDraft } from "./answer.ts";
import { Interrupted } from "./errors.ts";
import type { Assembly } from "./read-response.ts";
import { readUsage } from "./usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts a response together. The last event holds the whole response, and what it says holds; some servers leave its output out, so the items
 * are kept as they come. Source: https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function responsesAssembly(): Assembly {
  const items = new Map<number, Record<string, unknown>>();
  let response: Fields | undefined;
  let written = 0;

  function item(event: Fields): Record<string, unknown> {
    const at = typeof event["output_index"] === "number" ? event["output_index"] : Math.max(0, items.size - 1);
    const known = items.get(at) ?? {};
    items.set(at, known);
    return known;
  }

  function take(event: Fields): void {
    const type = text(event["type"]);
    if (type === "error") throw new APIError(undefined, event, undefined, undefined);
    if (isTerminal(event)) response = fields(event["response"] ?? event);
    else if (type === "response.output_item.added" || type === "response.output_item.done") Object.assign(item(event), event["item"]);
    else if (type === "response.output_text.delta") append(item(event), "streamedText", event);
    else if (type === "response.refusal.delta") append(item(event), "streamedRefusal", event);
    else if (type === "response.function_call_arguments.delta") append(item(event), "streamedArguments", event);
  }

  function append(to: Record<string, unknown>, key: string, { delta }: Fields): void {
    written += text(delta).length;
    to[key] = text(to[key]) + text(delta);
  }

  return {
    add: (piece) => take(fields(piece)),
    get state() {
      return response === undefined ? "open" : "complete";
    },
    size: () => written,
    draft() {
      if (response === undefined) {
        throw new Interrupted("cut", items.size === 0 ? "it ended without any content" : "it was cut off before its end");
      }
      const output = list(response["output"]);
      const known = [...items].sort(([a], [b]) => a - b).map(([, value]) => value);
      return draftOf(response, output.length > 0 ? output : known);
    },
  };
}

/** The last event of a stream, or a response itself, which is what a plain answer is. */
function isTerminal(event: Fields): boolean {
  const type = text(event["type"]);
  return type === ""
    ? event["status"] !== undefined || event["output"] !== undefined
    : /^response\.(completed|incomplete|failed|cancelled)$/.test(type);
}

function draftOf(response: Fields, output: readonly unknown[]): Draft {
  const draft = emptyDraft();
  const told = readUsage(response["usage"]);
  draft.usage = told.usage;
  draft.usd = told.usd;
  draft.model = text(response["model"]);
  draft.finish = finishOf(response);
  let waiting: Fields[] = [];
  const place = (before: number): void => {
    draft.opaque = [...draft.opaque, ...waiting.map((item) => ({ before, item }))];
    waiting = [];
  };
  for (const entry of output.map(fields)) {
    if (entry["type"] === "reasoning") waiting.push(...sealed(entry));
    else if (entry["type"] === "function_call") {
      addCall(draft, entry);
      place(draft.calls.length);
    } else if (entry["type"] === "message") {
      addMessage(draft, entry);
      // A text after the first call moves to the front of the message, away from what led to it.
      if (draft.calls.length === 0) place(0);
      waiting = [];
    }
  }
  if (charactersOf(draft) === 0 && text(response["output_text"]) !== "") draft.text = text(response["output_text"]);
  return draft;
}

/** @throws the provider's error when the response failed; {@link Interrupted} when it was given up. */
function finishOf(response: Fields): string {
  const status = text(response["status"]);
  if (status === "failed" || (response["error"] && status !== "completed")) {
    throw new APIError(undefined, fields(response["error"]), undefined, undefined);
  }
  if (status === "cancelled" || status === "queued" || status === "in_progress") throw new Interrupted("cut", `it is ${status}`);
  if (status !== "incomplete") return "stop";
  const reason = text(fields(response["incomplete_details"])["reason"]);
  return reason === "max_output_tokens" ? "length" : reason || "incomplete";
}

/** Reasoning that can be sent back: encrypted, without its readable summary, which nobody needs there. */
function sealed(item: Fields): readonly Fields[] {
  const encrypted = item["encrypted_content"];
  if (typeof encrypted !== "string" || encrypted === "") return [];
  const id = text(item["id"]);
  return [{ type: "reasoning", ...(id === "" ? {} : { id }), summary: [], encrypted_content: encrypted }];
}

function addMessage(draft: Draft, item: Fields): void {
  const parts = list(item["content"]).map(fields);
  const said = parts.map((part) => text(part["text"])).join("");
  draft.text += said || (typeof item["content"] === "string" ? item["content"] : parts.length > 0 ? "" : text(item["streamedText"]));
  const refused = parts.map((part) => text(part["refusal"])).join("");
  draft.refusal += refused || (parts.length > 0 ? "" : text(item["streamedRefusal"]));
}

function addCall(draft: Draft, item: Fields): void {
  const status = text(item["status"]);
  const given = item["arguments"];
  const raw =
    typeof given === "string" && given !== ""
      ? given
      : given && typeof given === "object"
        ? JSON.stringify(given)
        : text(item["streamedArguments"]);
  draft.calls.push({
    index: undefined,
    id: text(item["call_id"]) || text(item["id"]),
    name: text(item["name"]),
    arguments: raw,
    ...(status === "" || status === "completed" ? {} : { cut: true }),
  });
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
