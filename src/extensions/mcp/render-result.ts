import { failed, ok, type ToolResult } from "../../core/result.ts";
import { untrusted } from "../../text/untrusted.ts";

/** Characters of one result that are kept; they are spilled like any other. */
const LONGEST_RESULT = 1_000_000;

type Item = { readonly [key in "type" | "text" | "mimeType" | "data" | "uri" | "name" | "resource"]?: unknown };

/** What a server answered to a call, as data that names the server. Pictures, sounds and files are named, and not shown. */
export function renderResult(answer: unknown, from: { readonly server: string; readonly tool: string }): ToolResult {
  const { content, structuredContent, isError } = (typeof answer === "object" && answer !== null ? answer : {}) as {
    readonly content?: unknown;
    readonly structuredContent?: unknown;
    readonly isError?: unknown;
  };
  const items = Array.isArray(content) ? (content as readonly unknown[]).map(renderItem) : [];
  const parts = items.length === 0 && structuredContent !== undefined ? [JSON.stringify(structuredContent)] : items;
  const whole = parts.join("\n");
  const left = whole.length - LONGEST_RESULT;
  const text = left > 0 ? `${whole.slice(0, LONGEST_RESULT)}\n[${left} more characters are left out]` : whole;
  const wrapped = untrusted("mcp", from, text.toWellFormed() || "(empty)");
  return isError === true ? failed(wrapped) : ok(wrapped);
}

function renderItem(value: unknown): string {
  const { type, text, mimeType, data, uri, name, resource } = (typeof value === "object" && value !== null ? value : {}) as Item;
  switch (type) {
    case "text":
      return words(text, "");
    case "image":
    case "audio":
      return `[${type} ${words(mimeType, "of an unknown type")}, ${typeof data === "string" ? data.length : 0} characters of base64: not shown]`;
    case "resource_link":
      return `[a link to ${words(name, "a resource")}: ${words(uri, "nowhere")}]`;
    case "resource": {
      const held = (typeof resource === "object" && resource !== null ? resource : {}) as Item;
      return typeof held.text === "string" ? held.text : `[the resource ${words(held.uri, "without a name")}, which is no text: not shown]`;
    }
    default:
      return "[something of a kind that is not known: not shown]";
  }
}

function words(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
