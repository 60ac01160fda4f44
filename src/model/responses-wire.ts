import type { FunctionTool, ResponseInputContent, ResponseInputItem } from "openai/resources/responses/responses";
import type { AssistantMessage, Image, Message } from "../core/conversation.ts";
import { type Carried, dataUrl } from "./chat-wire.ts";
import type { ToolDefinition } from "./model.ts";
import { picturesLeftOut, wireArguments, wireId, wireName, wireText } from "./wire-parts.ts";

/**
 * The conversation as input of a stateless response: everything each time, every call answered once and directly after its message. Items
 * carry no ids of the server's, since it keeps nothing. As strict as chat messages are, and the same bytes for the same conversation.
 */
export function toResponsesInput(messages: readonly Message[], carried: Carried = { images: true }): ResponseInputItem[] {
  const used = new Set<string>();
  let answering = new Map<string, string>();
  return messages.flatMap((message): ResponseInputItem[] => {
    if (message.role === "tool") {
      const call_id = answering.get(message.callId) ?? wireId(message.callId, used);
      return [{ type: "function_call_output", call_id, output: wireText(message.text) }];
    }
    if (message.role === "system") return [{ role: "system", content: wireText(message.text) }];
    if (message.role !== "assistant") return [{ role: "user", content: userContent(message.text, message.images ?? [], carried.images) }];
    answering = new Map(message.calls.map(({ id }) => [id, wireId(id, used)]));
    return assistant(message, answering, carried.opaqueOf);
  });
}

/** Reasoning stands before what it led to; without that the server refuses it. */
function assistant({ text, calls, opaque }: AssistantMessage, ids: ReadonlyMap<string, string>, opaqueOf?: string): ResponseInputItem[] {
  const items = opaque !== undefined && opaque.of === opaqueOf ? opaque.items : [];
  const ahead = (before: number): ResponseInputItem[] =>
    items.filter((item) => item.before === before).map(({ item }) => item as unknown as ResponseInputItem);
  const says = text.trim() !== "" || calls.length === 0;
  const said: ResponseInputItem[] = says ? [{ role: "assistant", content: wireText(text) }] : [];
  // What led to an empty answer led to nothing that is sent.
  const first = calls.length === 0 && text.trim() === "" ? [] : ahead(0);
  return [
    ...first,
    ...said,
    ...calls.flatMap((call, at): ResponseInputItem[] => [
      ...ahead(at + 1),
      { type: "function_call", call_id: ids.get(call.id) ?? call.id, name: wireName(call.name), arguments: wireArguments(call) },
    ]),
  ];
}

function userContent(text: string, images: readonly Image[], takesImages: boolean): string | ResponseInputContent[] {
  if (images.length === 0) return wireText(text);
  if (!takesImages) return wireText(`${text}\n\n${picturesLeftOut(images.length)}`.trimStart());
  const pictures = images.map((image) => ({ type: "input_image" as const, image_url: dataUrl(image), detail: "auto" as const }));
  return [{ type: "input_text", text: wireText(text) }, ...pictures];
}

/** Tool definitions as the wire has them. Not strict: optional arguments would have to be nullable then. */
export function toResponsesTools(tools: readonly ToolDefinition[]): FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters: { ...parameters },
    strict: false,
  }));
}
