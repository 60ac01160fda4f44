import type { ServerResponse } from "node:http";
import { fieldsOf } from "./content.ts";
import type { ModelRequest } from "./request.ts";
import { breakOff, callsOf, pieces, tokensOf } from "./stream-parts.ts";
import type { Turn } from "./turn.ts";

interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Sends a turn as a chat completion, plain or streamed. Source: https://platform.openai.com/docs/api-reference/chat */
export async function answerChat(response: ServerResponse, request: ModelRequest, turn: Turn, step: number): Promise<void> {
  if (turn.cut === "start") {
    response.destroy();
    return;
  }
  const calls = callsOf(turn, step).map(({ id, name, arguments: args }): WireCall => {
    return { id, type: "function", function: { name, arguments: args } };
  });
  await (request.stream ? sendStream : sendPlain)(response, request, turn, calls);
}

function base(request: ModelRequest, object: string) {
  return { id: `chatcmpl-${request.at}`, object, created: Math.floor(request.at / 1000), model: request.model };
}

function finishOf(turn: Turn, calls: readonly WireCall[]): string {
  return turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function usageOf(request: ModelRequest, turn: Turn) {
  const { input, output, cached } = tokensOf(request, turn);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

async function sendPlain(response: ServerResponse, request: ModelRequest, turn: Turn, calls: readonly WireCall[]): Promise<void> {
  const message = {
    role: "assistant",
    content: turn.text ?? null,
    refusal: turn.refusal ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choice = { index: 0, message, finish_reason: finishOf(turn, calls), logprobs: null };
  const text = JSON.stringify({ ...base(request, "chat.completion"), choices: [choice], usage: usageOf(request, turn) });
  response.writeHead(200, { "content-type": "application/json", ...turn.headers });
  if (turn.cut === undefined) response.end(text);
  else await breakOff(response, text.slice(0, text.length / 2));
}

async function sendStream(response: ServerResponse, request: ModelRequest, turn: Turn, calls: readonly WireCall[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers });
  const send = (fields: object): void => {
    response.write(`data: ${JSON.stringify({ ...base(request, "chat.completion.chunk"), ...fields })}\n\n`);
  };
  const sendDelta = (delta: object, finish_reason: string | null = null): void => send({ choices: [{ index: 0, delta, finish_reason }] });
  sendDelta({ role: "assistant", content: "" });
  for (const content of pieces(turn.text ?? "")) sendDelta({ content });
  if (turn.refusal !== undefined) sendDelta({ refusal: turn.refusal });
  if (turn.cut === "calls") return breakOff(response, "");
  for (const [index, { id, type, function: called }] of calls.entries()) {
    sendDelta({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] });
    const isCut = turn.cut === "arguments" && index === calls.length - 1;
    for (const piece of pieces(isCut ? called.arguments.slice(0, -3) : called.arguments)) {
      sendDelta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  if (turn.cut !== undefined) return breakOff(response, "");
  sendDelta({}, finishOf(turn, calls));
  if (fieldsOf(request.body["stream_options"])["include_usage"] === true) send({ choices: [], usage: usageOf(request, turn) });
  response.end("data: [DONE]\n\n");
  return undefined;
}
