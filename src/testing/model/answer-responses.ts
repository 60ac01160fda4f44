import type { ServerResponse } from "node:http";
import { listOf } from "./content.ts";
import type { ModelRequest } from "./request.ts";
import { breakOff, callsOf, pieces, tokensOf } from "./stream-parts.ts";
import type { Turn } from "./turn.ts";

type Item = Readonly<Record<string, unknown>> & { readonly type: string };

/** Sends a turn as a response, plain or streamed. Source: https://platform.openai.com/docs/api-reference/responses */
export async function answerResponses(response: ServerResponse, request: ModelRequest, turn: Turn, step: number): Promise<void> {
  if (turn.cut === "start") {
    response.destroy();
    return;
  }
  const items = outputOf(request, turn, step);
  const status = turn.finish === "length" || turn.finish === "content_filter" ? "incomplete" : "completed";
  const reason = turn.finish === "length" ? "max_output_tokens" : "content_filter";
  const { input, output, cached } = tokensOf(request, turn);
  const body = {
    id: `resp_${step}`,
    object: "response",
    created_at: Math.floor(request.at / 1000),
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    model: request.model,
    output: items.map((item) => ({ ...item, status: item.type === "reasoning" ? undefined : status })),
    store: request.body["store"] ?? true,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
  if (request.stream) await sendStream(response, turn, items, body);
  else await sendPlain(response, turn, body);
}

function outputOf(request: ModelRequest, turn: Turn, step: number): readonly Item[] {
  const seals = turn.reasoning !== undefined && listOf(request.body["include"]).includes("reasoning.encrypted_content");
  const content =
    turn.refusal !== undefined
      ? [{ type: "refusal", refusal: turn.refusal }]
      : turn.text === undefined
        ? []
        : [{ type: "output_text", text: turn.text, annotations: [], logprobs: [] }];
  return [
    ...(turn.reasoning === undefined
      ? []
      : [{ type: "reasoning", id: `rs_${step}`, summary: [], ...(seals ? { encrypted_content: turn.reasoning } : {}) }]),
    ...(content.length === 0 ? [] : [{ type: "message", id: `msg_${step}`, role: "assistant", content }]),
    ...callsOf(turn, step).map(({ id, name, arguments: args }, at) => ({
      type: "function_call",
      id: `fc_${step}_${at}`,
      call_id: id,
      name,
      arguments: args,
    })),
  ];
}

async function sendPlain(response: ServerResponse, turn: Turn, body: object): Promise<void> {
  const text = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json", ...turn.headers });
  if (turn.cut === undefined) response.end(text);
  else await breakOff(response, text.slice(0, text.length / 2));
}

async function sendStream(
  response: ServerResponse,
  turn: Turn,
  items: readonly Item[],
  body: { readonly status: string; readonly output: readonly object[] },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers });
  let sequence_number = 0;
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...fields })}\n\n`);
  };
  send("response.created", { response: { ...body, status: "in_progress", output: [] } });
  for (const [output_index, item] of items.entries()) {
    const at = { output_index, item_id: item["id"] };
    if (item.type === "function_call" && turn.cut === "calls") return breakOff(response, "");
    send("response.output_item.added", { output_index, item: { ...item, ...EMPTY[item.type], status: "in_progress" } });
    const { kind, text } = streamed(item);
    const isCut = turn.cut === "arguments" && output_index === items.length - 1;
    for (const delta of pieces(isCut ? text.slice(0, -3) : text)) send(`response.${kind}.delta`, { ...at, content_index: 0, delta });
    if (isCut) return breakOff(response, "");
    send("response.output_item.done", { output_index, item: body.output[output_index] });
  }
  if (turn.cut !== undefined) return breakOff(response, "");
  send(`response.${body.status}`, { response: body });
  response.end();
  return undefined;
}

const EMPTY: Readonly<Record<string, object>> = { message: { content: [] }, function_call: { arguments: "" } };

/** What of an item comes in pieces, and under which event. */
function streamed(item: Item): { readonly kind: string; readonly text: string } {
  if (item.type === "function_call") return { kind: "function_call_arguments", text: String(item["arguments"]) };
  const [part] = listOf(item["content"]) as readonly { readonly text?: string; readonly refusal?: string }[];
  return part?.refusal === undefined ? { kind: "output_text", text: part?.text ?? "" } : { kind: "refusal", text: part.refusal };
}
