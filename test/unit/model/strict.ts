import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";

/** What a strict OpenAI-compatible server refuses in a list of messages; undefined when it takes them. */
export function strictProblem(messages: readonly ChatCompletionMessageParam[]): string | undefined {
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const { content } = message;
    if (typeof content === "string" && content.trim() === "") return `message ${at} is empty`;
    if (typeof content === "string" && !content.isWellFormed()) return `message ${at} is not well-formed`;
    if (message.role === "tool") {
      if (open.shift() !== message.tool_call_id) return `message ${at} answers ${message.tool_call_id} out of turn`;
      continue;
    }
    if (open.length > 0) return `${open[0]} has no result before message ${at}`;
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    if (typeof content !== "string" && calls.length === 0) return `message ${at} has no content`;
    for (const call of calls) {
      if (call.type !== "function") return `message ${at} has a call that is no function's`;
      if (ids.has(call.id) || call.id.length === 0 || call.id.length > 40 || !call.id.isWellFormed())
        return `message ${at} has the wrong id ${call.id}`;
      ids.add(call.id);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) return `message ${at} calls ${JSON.stringify(call.function.name)}`;
      const args: unknown = JSON.parse(call.function.arguments);
      if (typeof args !== "object" || args === null || Array.isArray(args)) return `message ${at} has arguments that are no object`;
      if (!JSON.stringify(args).isWellFormed() || /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(args)))
        return `message ${at} has malformed arguments`;
    }
    open = calls.map(({ id }) => id);
  }
  return open.length > 0 ? `${open[0]} has no result` : undefined;
}
