import { contentText, fieldsOf, imagesOf, isEmpty, listOf, textOf } from "./content.ts";
import { readInput } from "./read-input.ts";
import type { ReceivedCall, ReceivedMessage } from "./received-message.ts";

interface ReceivedTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What came to the scripted model. */
export interface ModelRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly api: "chat" | "responses";
  /** The raw `authorization` header. */
  readonly authorization: string | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly ReceivedMessage[];
  readonly tools: readonly ReceivedTool[];
  readonly toolNames: readonly string[];
  /** The texts of all system and developer messages. */
  readonly system: string;
  /** The text of the last message. */
  readonly last: string;
  /** The results of tools, oldest first. */
  readonly results: readonly string[];
  /** The texts of all messages. */
  readonly text: string;
  /** The body as it was parsed. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads a request of either wire leniently: what is wrong with it is for the strict check to say. */
export function readRequest(
  body: Readonly<Record<string, unknown>>,
  authorization: string | undefined,
  api: ModelRequest["api"] = "chat",
): ModelRequest {
  const messages = api === "chat" ? listOf(body["messages"]).map(readMessage) : readInput(body);
  const tools = listOf(body["tools"]).map((tool) => readTool(api === "chat" ? fieldsOf(tool)["function"] : tool));
  return {
    at: Date.now(),
    api,
    authorization,
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    messages,
    tools,
    toolNames: tools.map(({ name }) => name),
    system: joined(messages.filter(({ role }) => role === "system" || role === "developer")),
    last: messages.at(-1)?.text ?? "",
    results: messages.filter(({ role }) => role === "tool").map(({ text }) => text),
    text: joined(messages),
    body,
  };
}

function joined(messages: readonly ReceivedMessage[]): string {
  return messages.map(({ text }) => text).join("\n");
}

function readMessage(raw: unknown): ReceivedMessage {
  const message = fieldsOf(raw);
  const calls = listOf(message["tool_calls"]).map((item): ReceivedCall => {
    const { id, function: called } = fieldsOf(item);
    const { name, arguments: args } = fieldsOf(called);
    return { id: textOf(id), name: textOf(name), arguments: textOf(args) };
  });
  const callId = message["tool_call_id"];
  return {
    role: textOf(message["role"]),
    text: contentText(message["content"]),
    calls,
    callId: typeof callId === "string" ? callId : undefined,
    images: imagesOf(message["content"]),
    sealed: [],
    hasEmptyContent: isEmpty(message["content"]),
  };
}

function readTool(raw: unknown): ReceivedTool {
  const { name, description, parameters } = fieldsOf(raw);
  return { name: textOf(name), description: textOf(description), parameters: fieldsOf(parameters) };
}
