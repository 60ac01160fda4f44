import { createHash } from "node:crypto";
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Message, ToolCall } from "../core/conversation.ts";
import { readArguments } from "./arguments.ts";
import type { ToolDefinition } from "./model.ts";

/** What stands in place of nothing: strict servers refuse empty content. */
const NO_TEXT = "(no text)";
/** OpenAI's own limit for ids of chat completions. */
const LONGEST_ID = 40;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Messages as the strictest servers take them: no empty content, well-formed text, valid names, past arguments that are JSON objects,
 * ids that are unique and short. The same conversation always gives the same bytes, so that provider caches hit.
 */
export function toChatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  const used = new Set<string>();
  let answering = new Map<string, string>();
  return messages.map((message): ChatCompletionMessageParam => {
    if (message.role === "tool") {
      return { role: "tool", tool_call_id: answering.get(message.callId) ?? wireId(message.callId, used), content: content(message.text) };
    }
    if (message.role !== "assistant") return { role: message.role, content: content(message.text) };
    if (message.calls.length === 0) return { role: "assistant", content: content(message.text) };
    answering = new Map(message.calls.map(({ id }) => [id, wireId(id, used)]));
    return {
      role: "assistant",
      content: message.text.trim() === "" ? null : message.text.toWellFormed(),
      tool_calls: message.calls.map((call) => ({
        id: answering.get(call.id) ?? call.id,
        type: "function",
        function: { name: wireName(call.name), arguments: wireArguments(call) },
      })),
    };
  });
}

/** Tool definitions as the wire has them. */
export function toChatTools(tools: readonly ToolDefinition[]): ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters: { ...parameters } },
  }));
}

function content(text: string): string {
  return text.trim() === "" ? NO_TEXT : text.toWellFormed();
}

function wireId(id: string, used: Set<string>): string {
  const short = /^[\w.:-]+$/.test(id) && id.length <= LONGEST_ID;
  let candidate = short ? id : `call_${digest(id)}`;
  for (let again = 2; used.has(candidate); again++) candidate = `call_${digest(`${id} ${again}`)}`;
  used.add(candidate);
  return candidate;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

function wireName(name: string): string {
  if (NAME.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

/** A call that could not be read is told with no arguments; its result says what was wrong with them. */
function wireArguments({ arguments: raw }: ToolCall): string {
  const read = readArguments(raw);
  if (!read.ok) return "{}";
  // Half a surrogate pair can hide behind an escape and surface only when the server decodes it.
  return /\\u[dD][89a-fA-F]/.test(raw) || !raw.isWellFormed() ? JSON.stringify(read.args, wellFormed) : raw.trim() || "{}";
}

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), inner]));
}
