import type { ReceivedCall, ReceivedMessage } from "./received-message.ts";
import type { ModelRequest } from "./request.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Longest call id that strict servers take, in characters. */
const LONGEST_CALL_ID = 40;
const ROLES = ["system", "developer", "user", "assistant", "tool"];

/**
 * What the strictest servers in use would refuse in a request; undefined when it is fine.
 * `issued` are the call ids and the encrypted reasoning that the model has given itself: they come back as they are, however long.
 */
export function problemIn(request: ModelRequest, issued: ReadonlySet<string>): string | undefined {
  if (request.model === "") return "the request names no model";
  if (typeof request.body["previous_response_id"] === "string") return "the request builds on a response, and none is kept here";
  return problemInMessages(request.messages, issued) ?? problemInTools(request);
}

function problemInMessages(messages: readonly ReceivedMessage[], issued: ReadonlySet<string>): string | undefined {
  let open = new Set<string>();
  const used = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const where = `message ${at + 1} (${message.role})`;
    const wrong = problemInText(message);
    if (wrong !== undefined) return `${where} ${wrong}`;
    if (message.sealed.length > 0 && message.role !== "assistant") return `${where} follows reasoning that led to nothing`;
    if (message.sealed.some((seal) => !issued.has(seal))) return `${where} follows reasoning that is not this model's`;
    if (message.role === "tool") {
      if (!open.delete(message.callId ?? ""))
        return `${where} answers call ${message.callId}, which is answered already or was not made before`;
      continue;
    }
    const [unanswered] = open;
    if (unanswered !== undefined) return `the call ${unanswered} has no result before ${where}`;
    open = new Set();
    for (const call of message.calls) {
      const problem = message.role === "assistant" ? problemInCall(call, used, issued) : "makes calls";
      if (problem !== undefined) return `${where} ${problem}`;
      used.add(call.id);
      open.add(call.id);
    }
  }
  const [unanswered] = open;
  if (unanswered !== undefined) return `the call ${unanswered} has no result`;
  const spoken = messages.some(({ role }) => role !== "system" && role !== "developer");
  return spoken ? undefined : "there is no message beside the system's";
}

function problemInText({ role, text, calls, hasEmptyContent }: ReceivedMessage): string | undefined {
  if (!ROLES.includes(role)) return "has an unknown role";
  if (!text.isWellFormed()) return "holds half of a surrogate pair";
  if (text.includes("\0")) return "holds a null character";
  if (hasEmptyContent) return "has empty content";
  return text === "" && calls.length === 0 ? "has no content" : undefined;
}

function problemInCall(
  { id, name, arguments: args }: ReceivedCall,
  used: ReadonlySet<string>,
  issued: ReadonlySet<string>,
): string | undefined {
  if (!NAME.test(name)) return `calls a function with the invalid name ${JSON.stringify(name)}`;
  if (id === "" || (id.length > LONGEST_CALL_ID && !issued.has(id))) return `holds the invalid call id ${JSON.stringify(id)}`;
  if (used.has(id)) return `holds the call id ${id} twice`;
  return isJsonObject(args) ? undefined : `holds arguments that are no JSON object: ${args.slice(0, 80)}`;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function problemInTools({ tools, toolNames }: ModelRequest): string | undefined {
  if (new Set(toolNames).size !== toolNames.length) return "two tools have the same name";
  for (const { name, parameters } of tools) {
    if (!NAME.test(name)) return `the tool name ${JSON.stringify(name)} is invalid`;
    if (parameters["type"] !== "object") return `the parameters of ${name} are no object schema`;
  }
  return undefined;
}
