import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "../../../src/model/model.ts";
import { createServerModel } from "../../../src/model/server-model.ts";
import { calls, chunk, finish, json, type Reply, serveModel, sse } from "./wire-server.ts";

type Api = "chat" | "responses";

async function ask(api: Api, reply: Reply, attempts = 1): Promise<ModelAnswer> {
  await using server = await serveModel(...Array.from({ length: attempts }, () => reply));
  const model = createServerModel({
    api,
    baseUrl: server.baseUrl,
    model: "m",
    lingerMs: 20,
    retry: { attempts, sleep: () => Promise.resolve() },
  });
  return await model.complete({ messages: [{ role: "user", text: "Hi." }], tools: [], signal: new AbortController().signal });
}

/** Sends these bytes, piece by piece, under a content type. */
function bytes(pieces: readonly (string | Uint8Array)[], type = "text/event-stream"): Reply {
  return (response) => {
    response.writeHead(200, type === "" ? {} : { "content-type": type });
    const send = (at: number): void => {
      const piece = pieces[at];
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(() => send(at + 1)));
    };
    send(0);
  };
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (type: string, fields: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const message = (text: string) => ({ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] });
const done = (...output: object[]) => ({ status: "completed", model: "m-1", output });

const WHOLE: Readonly<Record<Api, { readonly stream: string; readonly plain: object }>> = {
  chat: {
    stream: data(chunk({ content: "né 😀" })) + data(finish()) + "data: [DONE]\n\n",
    plain: { choices: [{ index: 0, message: { content: "né 😀" }, finish_reason: "stop" }] },
  },
  responses: {
    stream:
      event("response.created", { response: { status: "in_progress", error: null } }) +
      event("response.completed", { response: done(message("né 😀")) }),
    plain: done(message("né 😀")),
  },
};

describe.each(["chat", "responses"] as const)("a stream over %s", (api) => {
  const { stream, plain } = WHOLE[api];
  const raw = new TextEncoder().encode(stream);
  it.each<{ name: string; reply: Reply }>([
    { name: "with lines that end in CRLF", reply: bytes([stream.replaceAll("\n", "\r\n")]) },
    { name: "with a byte order mark", reply: bytes([`\uFEFF${stream}`]) },
    { name: "with comments that keep it alive", reply: bytes([": ping\n\n", stream.replace("\n\n", "\n\n: OPENROUTER PROCESSING\n\n")]) },
    { name: "without its sentinel", reply: bytes([stream.replace("data: [DONE]\n\n", "")]) },
    { name: "byte by byte, characters split", reply: bytes([...raw].map((byte) => Uint8Array.of(byte))) },
    { name: "under the wrong content type", reply: bytes([stream], "text/plain") },
    { name: "under none", reply: bytes([stream], "") },
    { name: "that is plain JSON after all", reply: json(plain) },
    { name: "that is plain JSON under the type of a stream", reply: bytes([JSON.stringify(plain)]) },
    {
      name: "that is plain JSON with a byte order mark",
      reply: bytes([`\uFEFF${JSON.stringify(plain)}`], "application/json; charset=utf-8"),
    },
    { name: "with something after the end", reply: bytes([stream, "data: {half"]) },
  ])("is read: $name", async ({ reply }) => {
    expect(await ask(api, reply)).toMatchObject({ text: "né 😀", calls: [], broken: [] });
  });

  it.each<{ name: string; reply: Reply; code: string; says: RegExp }>([
    { name: "a web page", reply: bytes(["<!doctype html><p>Sign in</p>"], "text/html"), code: "model-unreachable", says: /web page/ },
    {
      name: "a web page under the wrong type",
      reply: bytes(["\n<html>Sign in"], "text/plain"),
      code: "model-unreachable",
      says: /web page/,
    },
    { name: "nothing", reply: bytes([]), code: "model-unreachable", says: /without any content/ },
    { name: "an error as text", reply: bytes(['{"error":"model is loading"}']), code: "model-unreachable", says: /model is loading/ },
    {
      name: "an error of its own kind",
      reply: json({ object: "error", message: "engine is dead", code: 500 }),
      code: "model-overloaded",
      says: /engine is dead/,
    },
    { name: "a list", reply: json([]), code: "model-unreachable", says: /without any content|not a JSON object/ },
    { name: "half of it", reply: bytes([stream.slice(0, 60)]), code: "model-unreachable", says: /cut off|without any content|broke off/ },
  ])("that is no answer is named: $name", async ({ reply, code, says }) => {
    await expect(ask(api, reply)).rejects.toMatchObject({ code, message: expect.stringMatching(says) as string });
  });
});

describe("a response put together oddly", () => {
  const item = (fields: object = {}) => ({
    type: "function_call",
    id: "fc_1",
    call_id: "c1",
    name: "grep",
    arguments: '{"pattern":"a"}',
    ...fields,
  });
  const whole = { calls: [{ id: "c1", name: "grep", arguments: '{"pattern":"a"}' }], broken: [] };
  const added = event("response.output_item.added", { output_index: 0, item: item({ arguments: "", status: "in_progress" }) });
  const deltas = ['{"pattern"', ':"a"}']
    .map((delta) => event("response.function_call_arguments.delta", { output_index: 0, delta }))
    .join("");

  it.each<{ name: string; events: string; expected: object }>([
    {
      name: "the last event leaves its output out",
      events:
        added +
        deltas +
        event("response.output_item.done", { output_index: 0, item: item({ status: "completed" }) }) +
        event("response.completed", { response: done() }),
      expected: whole,
    },
    { name: "the last event alone", events: event("response.completed", { response: done(item()) }), expected: whole },
    {
      name: "no ids but the item's",
      events: event("response.completed", { response: done(item({ call_id: undefined })) }),
      expected: { calls: [{ id: "fc_1" }] },
    },
    {
      name: "no ids at all",
      events: event("response.completed", { response: done(item({ call_id: undefined, id: undefined })) }),
      expected: { calls: [{ id: "call_1" }] },
    },
    {
      name: "arguments as an object",
      events: event("response.completed", { response: done(item({ arguments: { pattern: "a" } })) }),
      expected: whole,
    },
    {
      name: "no arguments",
      events: event("response.completed", { response: done(item({ arguments: "" })) }),
      expected: { calls: [{ arguments: "{}" }] },
    },
    {
      name: "a call that never became whole",
      events: added + deltas + event("response.completed", { response: done() }),
      expected: { calls: [], broken: [{ why: expect.stringMatching(/did not send all/) as string }] },
    },
    {
      name: "two texts and a call",
      events: event("response.completed", { response: done(message("One. "), message("Two."), item()) }),
      expected: { text: "One. Two.", ...whole },
    },
    {
      name: "items that nobody asked for",
      events: event("response.completed", { response: done({ type: "web_search_call" }, message("Hi.")) }),
      expected: { text: "Hi.", calls: [] },
    },
    {
      name: "an unknown reason to be incomplete",
      events: event("response.incomplete", {
        response: { ...done(item()), status: "incomplete", incomplete_details: { reason: "moon_phase" } },
      }),
      expected: { calls: [], broken: [{ why: expect.stringMatching(/moon_phase/) as string }] },
    },
    {
      name: "a refusal in pieces",
      events: event("response.completed", { response: done({ type: "message", content: [{ type: "refusal", refusal: "No." }] }) }),
      expected: { refusal: "No." },
    },
    {
      name: "texts that only came in pieces",
      events:
        event("response.output_item.added", { output_index: 0, item: { type: "message" } }) +
        event("response.output_text.delta", { output_index: 0, delta: "Hi." }) +
        event("response.completed", { response: done() }),
      expected: { text: "Hi." },
    },
    {
      name: "usage without any details",
      events: event("response.completed", { response: { ...done(message("x")), usage: { input_tokens: 7, output_tokens: 2 } } }),
      expected: { usage: { input: 7, output: 2, cached: 0 } },
    },
  ])("is read: $name", async ({ events, expected }) => {
    expect(await ask("responses", bytes([events]))).toMatchObject(expected);
  });

  it.each<{ name: string; events: string; code: string; says: RegExp }>([
    {
      name: "that failed",
      events: event("response.failed", { response: { status: "failed", error: { code: "server_error", message: "we broke" } } }),
      code: "model-overloaded",
      says: /we broke/,
    },
    {
      name: "that failed for a limit",
      events: event("response.failed", { response: { status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } } }),
      code: "model-overloaded",
      says: /slow down/,
    },
    {
      name: "that was refused",
      events: event("response.failed", { response: { status: "failed", error: { code: "invalid_prompt", message: "not this" } } }),
      code: "model-refused-request",
      says: /not this/,
    },
    {
      name: "of which an event says an error",
      events: event("error", { code: "context_length_exceeded", message: "too long" }),
      code: "context-too-long",
      says: /too long/,
    },
    {
      name: "of which an unnamed event says an error",
      events: data({ type: "error", code: "server_error", message: "we broke" }),
      code: "model-overloaded",
      says: /we broke/,
    },
    {
      name: "that was cancelled",
      events: event("response.cancelled", { response: { status: "cancelled" } }),
      code: "model-unreachable",
      says: /cancelled/,
    },
    {
      name: "that is still under way",
      events: JSON.stringify({ status: "in_progress", output: [] }),
      code: "model-unreachable",
      says: /in_progress/,
    },
    {
      name: "without a last event",
      events: added + deltas + event("response.output_item.done", { output_index: 0, item: item() }),
      code: "model-unreachable",
      says: /cut off/,
    },
  ])("fails with its reason: $name", async ({ events, code, says }) => {
    await expect(ask("responses", bytes([events]))).rejects.toMatchObject({ code, message: expect.stringMatching(says) as string });
  });
});

describe("what a server of chat completions wants back", () => {
  const round = async (...deltas: readonly unknown[]) => {
    await using server = await serveModel(sse([...deltas, finish("tool_calls")]), sse([chunk({ content: "ok" }), finish()]));
    const model = createServerModel({ baseUrl: server.baseUrl, model: "m" });
    const signal = new AbortController().signal;
    const { calls: made, text, opaque } = await model.complete({ messages: [{ role: "user", text: "Hi." }], tools: [], signal });
    const message = { role: "assistant" as const, text, calls: made, ...(opaque === undefined ? {} : { opaque }) };
    await model.complete({
      messages: [{ role: "user", text: "Hi." }, message, { role: "tool", callId: "a", text: "r" }],
      tools: [],
      signal,
    });
    const { messages } = server.received[1]?.body ?? {};
    return (messages as readonly object[])[1];
  };
  const called = calls({ index: 0, id: "a", name: "grep", args: "{}" });

  it("is sent with its call: a signature of its thought", async () => {
    const signed = chunk({
      tool_calls: [
        { index: 0, id: "a", function: { name: "grep", arguments: "{}" }, extra_content: { google: { thought_signature: "s" } } },
      ],
    });
    expect(await round(signed)).toMatchObject({ tool_calls: [{ id: "a", extra_content: { google: { thought_signature: "s" } } }] });
  });
  it("is sent with its message: what it thought", async () => {
    expect(await round(chunk({ reasoning_content: "hm, " }), chunk({ reasoning_content: "so" }), called)).toMatchObject({
      reasoning_content: "hm, so",
    });
    expect(await round(chunk({ reasoning_details: [{ data: "x" }] }), called)).toMatchObject({ reasoning_details: [{ data: "x" }] });
  });
  it("is nothing where it sent nothing", async () => {
    expect(Object.keys((await round(called)) ?? {})).toEqual(["role", "content", "tool_calls"]);
  });
});
