import { contentText, fieldsOf, imagesOf, isEmpty, listOf, textOf } from "./content.ts";
import type { ReceivedMessage } from "./received-message.ts";

/**
 * The input of a response as messages: calls that follow one another, or a text of the assistant's, are one message, so that a script sees the
 * same conversation over both wires. Source: https://platform.openai.com/docs/api-reference/responses/create
 */
export function readInput(body: Readonly<Record<string, unknown>>): readonly ReceivedMessage[] {
  const { instructions, input } = body;
  const messages: ReceivedMessage[] = [];
  let sealed: string[] = [];
  const add = (role: string, content: unknown, more: Partial<ReceivedMessage> = {}): void => {
    messages.push({
      role,
      text: contentText(content),
      calls: [],
      callId: undefined,
      images: imagesOf(content),
      sealed,
      hasEmptyContent: isEmpty(content),
      ...more,
    });
    sealed = [];
  };
  if (instructions !== undefined && instructions !== null) add("system", instructions);
  if (typeof input === "string") add("user", input);
  for (const item of listOf(input).map(fieldsOf)) {
    const type = textOf(item["type"]);
    if (type === "reasoning") sealed.push(textOf(item["encrypted_content"]));
    else if (type === "function_call_output") add("tool", item["output"], { callId: textOf(item["call_id"]) });
    else if (type === "function_call") {
      const call = { id: textOf(item["call_id"]), name: textOf(item["name"]), arguments: textOf(item["arguments"]) };
      const last = messages.at(-1);
      if (last?.role === "assistant")
        messages[messages.length - 1] = { ...last, calls: [...last.calls, call], sealed: [...last.sealed, ...sealed] };
      else add("assistant", undefined, { calls: [call] });
      sealed = [];
    } else add(type === "" || type === "message" ? textOf(item["role"]) : type, item["content"]);
  }
  // Reasoning that leads to nothing shows as a message that no server takes.
  if (sealed.length > 0) add("reasoning", undefined);
  return messages;
}
