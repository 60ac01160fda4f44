import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AssistantMessage, Image, Message } from "../core/conversation.ts";
import type { ToolDefinition } from "./model.ts";
import { picturesLeftOut, wireArguments, wireId, wireName, wireText } from "./wire-parts.ts";

/** What a request carries beside texts and calls. */
export interface Carried {
  readonly images: boolean;
  /** Whose opaque state is sent back; none when absent. */
  readonly opaqueOf?: string;
}

/**
 * Messages as the strictest servers take them: no empty content, well-formed text, valid names, past arguments that are JSON objects,
 * ids that are unique and short. The same conversation always gives the same bytes, so that provider caches hit.
 */
export function toChatMessages(messages: readonly Message[], carried: Carried = { images: true }): ChatCompletionMessageParam[] {
  const used = new Set<string>();
  let answering = new Map<string, string>();
  return messages.map((message): ChatCompletionMessageParam => {
    if (message.role === "tool") {
      return { role: "tool", tool_call_id: answering.get(message.callId) ?? wireId(message.callId, used), content: wireText(message.text) };
    }
    if (message.role === "system") return { role: "system", content: wireText(message.text) };
    if (message.role !== "assistant") return { role: "user", content: userContent(message.text, message.images ?? [], carried.images) };
    answering = new Map(message.calls.map(({ id }) => [id, wireId(id, used)]));
    return assistant(message, answering, carried.opaqueOf);
  });
}

function assistant(message: AssistantMessage, ids: ReadonlyMap<string, string>, opaqueOf: string | undefined): ChatCompletionMessageParam {
  const { text, calls, opaque } = message;
  if (calls.length === 0) return { role: "assistant", content: wireText(text) };
  const items = opaque !== undefined && opaque.of === opaqueOf ? opaque.items : [];
  const beside = (before: number): object =>
    Object.assign({}, ...items.filter((item) => item.before === before).map(({ item }) => item)) as object;
  const sent: ChatCompletionAssistantMessageParam = {
    role: "assistant",
    content: text.trim() === "" ? null : text.toWellFormed(),
    ...beside(0),
    tool_calls: calls.map((call, at) => ({
      id: ids.get(call.id) ?? call.id,
      type: "function",
      function: { name: wireName(call.name), arguments: wireArguments(call) },
      ...beside(at + 1),
    })),
  };
  return sent;
}

function userContent(text: string, images: readonly Image[], takesImages: boolean): string | ChatCompletionContentPart[] {
  if (images.length === 0) return wireText(text);
  if (!takesImages) return wireText(`${text}\n\n${picturesLeftOut(images.length)}`.trimStart());
  return [
    { type: "text", text: wireText(text) },
    ...images.map((image) => ({ type: "image_url" as const, image_url: { url: dataUrl(image) } })),
  ];
}

/** A picture as a URL that holds it. */
export const dataUrl = ({ mediaType, base64 }: Image): string => `data:${mediaType};base64,${base64}`;

/** Tool definitions as the wire has them. */
export function toChatTools(tools: readonly ToolDefinition[]): ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters: { ...parameters } },
  }));
}
