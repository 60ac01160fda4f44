import { createHash } from "node:crypto";
import type { ToolCall } from "../core/conversation.ts";
import { readArguments } from "./arguments.ts";

/** What stands in place of nothing: strict servers refuse empty content. */
const NO_TEXT = "(no text)";
/** The shortest limit in use: OpenAI's own for ids of chat completions. Responses take 64. */
const LONGEST_ID = 40;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A text that strict servers take: well-formed, not empty. */
export function wireText(text: string): string {
  return text.trim() === "" ? NO_TEXT : text.toWellFormed();
}

/** The id of a call on the wire: short, and not among `used`, which it joins. The same conversation always gives the same ids. */
export function wireId(id: string, used: Set<string>): string {
  const short = /^[\w.:-]+$/.test(id) && id.length <= LONGEST_ID;
  let candidate = short ? id : `call_${digest(id)}`;
  for (let again = 2; used.has(candidate); again++) candidate = `call_${digest(`${id} ${again}`)}`;
  used.add(candidate);
  return candidate;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** A function's name, in letters that every server takes. */
export function wireName(name: string): string {
  if (NAME.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

/** A call that could not be read is told with no arguments; its result says what was wrong with them. */
export function wireArguments({ arguments: raw }: ToolCall): string {
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

/** What stands in the text for pictures that were not sent. */
export function picturesLeftOut(count: number): string {
  return `[${count === 1 ? "A picture was" : `${count} pictures were`} left out here: the model's server takes none.]`;
}
