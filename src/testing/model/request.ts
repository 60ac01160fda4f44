/** A call of an earlier assistant message. `arguments` is raw text. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ReceivedMessage {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly ReceivedCall[];
  /** Which call a tool's message answers. */
  readonly callId: string | undefined;
  /** Its content is an empty text, or a list with an empty part, which is not the same as none. */
  readonly hasEmptyContent: boolean;
}

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

/** Reads a chat completion request leniently: what is wrong with it is for the strict check to say. */
export function readRequest(body: Readonly<Record<string, unknown>>, authorization: string | undefined): ModelRequest {
  const messages = listOf(body["messages"]).map(readMessage);
  const tools = listOf(body["tools"]).map(readTool);
  return {
    at: Date.now(),
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
    hasEmptyContent: isEmpty(message["content"]),
  };
}

function readTool(raw: unknown): ReceivedTool {
  const { name, description, parameters } = fieldsOf(fieldsOf(raw)["function"]);
  return { name: textOf(name), description: textOf(description), parameters: fieldsOf(parameters) };
}

/** Content is a text, or a list of parts that hold one. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(fieldsOf(part)["text"]))
    .join("");
}

function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return content === "";
  return content.length === 0 || content.some((part) => fieldsOf(part)["text"] === "");
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
