import type { Message, ToolCall } from "../core/conversation.ts";
import { readArguments } from "../model/arguments.ts";

/** What stays of a shortened text, in characters. */
const KEPT = 200;
/** The first shortening leaves this share of the conversation; the second takes all that it may. */
const FIRST_TARGET = 0.6;

/** Shortens a conversation that is too long for the model. What was shortened once stays so, or every request would look different. */
export interface Shortener {
  /**
   * Marks more of `messages` as shortened, oldest results first, then the long arguments of old calls; nothing before `from` (system and
   * request) and nothing at or after `to` (the newest turn). Answers false when there is nothing left to take.
   */
  tighten(messages: readonly Message[], from: number, to: number, everything: boolean): boolean;
  apply(messages: readonly Message[]): readonly Message[];
}

export function createShortener(): Shortener {
  const marked = new Set<number>();
  return {
    tighten(messages, from, to, everything) {
      let size = messages.reduce((sum, message, at) => sum + sizeOf(marked.has(at) ? shortened(message) : message), 0);
      const target = everything ? 0 : size * FIRST_TARGET;
      const before = marked.size;
      for (const role of ["tool", "assistant"]) {
        for (let at = from; at < to && size > target; at++) {
          const message = messages[at];
          if (message === undefined || message.role !== role || marked.has(at)) continue;
          const saved = sizeOf(message) - sizeOf(shortened(message));
          if (saved <= 0) continue;
          marked.add(at);
          size -= saved;
        }
      }
      return marked.size > before;
    },
    apply: (messages) => (marked.size === 0 ? messages : messages.map((message, at) => (marked.has(at) ? shortened(message) : message))),
  };
}

function sizeOf(message: Message): number {
  const calls = message.role === "assistant" ? message.calls : [];
  return message.text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
}

function shortened(message: Message): Message {
  if (message.role === "tool")
    return { ...message, text: head(message.text, "shortened: the conversation was too long; call the tool again to see it") };
  if (message.role !== "assistant") return message;
  return { ...message, calls: message.calls.map(shortenedCall) };
}

function shortenedCall(call: ToolCall): ToolCall {
  const read = readArguments(call.arguments);
  if (!read.ok) return call;
  const short = (_key: string, value: unknown): unknown => (typeof value === "string" ? head(value, "shortened") : value);
  const text = JSON.stringify(read.args, short);
  return text.length < call.arguments.length ? { ...call, arguments: text } : call;
}

function head(text: string, why: string): string {
  if (text.length <= KEPT + 150) return text;
  return `${text.slice(0, KEPT).toWellFormed()}\n[… ${text.length - KEPT} characters ${why} …]`;
}
