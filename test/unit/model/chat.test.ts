import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/core/conversation.ts";
import { createServerModel, type ServerModelOptions } from "../../../src/model/server-model.ts";
import type { ModelAnswer } from "../../../src/model/model.ts";
import { calls, chunk, finish, json, type Reply, serveModel, sse, usage, type WireServer } from "./wire-server.ts";

const MESSAGES: readonly Message[] = [
  { role: "system", text: "You work." },
  { role: "user", text: "Fix it." },
];
const TOOLS = [{ name: "read_file", description: "Reads.", parameters: { type: "object", properties: {} } }];

function ask(server: WireServer, options: Partial<ServerModelOptions> = {}, signal = new AbortController().signal): Promise<ModelAnswer> {
  const model = createServerModel({
    baseUrl: server.baseUrl,
    apiKey: "sk-test-0123456789abcdef",
    model: "scripted",
    retry: { sleep: () => Promise.resolve() },
    ...options,
  });
  return model.complete({ messages: MESSAGES, tools: TOOLS, signal });
}

describe("an answer that arrives whole", () => {
  const two = [
    { id: "a", name: "read_file", arguments: '{"path":"a"}' },
    { id: "b", name: "read_file", arguments: '{"path":"b"}' },
  ];
  const rows: readonly { name: string; reply: Reply; expected: Partial<ModelAnswer> }[] = [
    {
      name: "text in pieces",
      reply: sse([chunk({ content: "Hel" }), chunk({ content: "lo" }), finish(), usage]),
      expected: { text: "Hello", calls: [] },
    },
    {
      name: "two calls under one index",
      reply: sse([
        calls({ index: 0, id: "a", name: "read_file", args: '{"path":"a"}' }),
        calls({ index: 0, id: "b", name: "read_file", args: '{"path":"b"}' }),
        finish("tool_calls"),
      ]),
      expected: { calls: two, broken: [] },
    },
    {
      name: "arguments that arrive in turns",
      reply: sse([
        calls({ index: 0, id: "a", name: "read_file", args: '{"path":' }),
        calls({ index: 1, id: "b", name: "read_file", args: '{"path":' }),
        calls({ index: 0, args: '"a"}' }),
        calls({ index: 1, args: '"b"}' }),
        finish("tool_calls"),
      ]),
      expected: { calls: two, broken: [] },
    },
    {
      name: "calls without any index",
      reply: sse([
        calls({ id: "a", name: "read_file", args: '{"path":' }, {}),
        calls({ args: '"a"}' }),
        calls({ id: "b", name: "read_file", args: '{"path":"b"}' }),
        finish("tool_calls"),
      ]),
      expected: { calls: two, broken: [] },
    },
    {
      name: "calls without ids under one index, told apart by being whole",
      reply: sse([
        calls({ index: 0, id: "", name: "read_file", args: '{"path":"a"}' }),
        calls({ index: 0, id: "", name: "read_file", args: '{"path":"b"}' }),
        finish("tool_calls"),
      ]),
      expected: {
        calls: [
          { id: "call_1", name: "read_file", arguments: '{"path":"a"}' },
          { id: "call_2", name: "read_file", arguments: '{"path":"b"}' },
        ],
      },
    },
    {
      name: "a name and an id that are repeated with each piece",
      reply: sse([
        calls({ index: 0, id: "a", name: "read_file", args: '{"path":' }),
        calls({ index: 0, id: "a", name: "read_file", args: '"a"}' }),
        calls({ index: 0, id: "a", name: "read_file", args: "" }),
        calls({ index: 1, id: "b", name: "read_file", args: '{"path":"b"}' }),
        finish("tool_calls"),
      ]),
      expected: { calls: two, broken: [] },
    },
    {
      name: "arguments as an object, and calls that end with stop",
      reply: sse([
        calls({ index: 0, id: "a", name: "read_file", args: { path: "a" } }, { index: 1, id: "b", name: "read_file", args: { path: "b" } }),
        finish(),
      ]),
      expected: { calls: two, broken: [] },
    },
    {
      name: "a second call under the index of one that never became whole",
      reply: sse([
        calls({ index: 0, id: "a", name: "read_file", args: '{"path":' }),
        calls({ index: 0, id: "b", name: "read_file", args: '{"path":"b"}' }),
        finish("tool_calls"),
      ]),
      expected: {
        calls: two.slice(1),
        broken: [{ call: { id: "a", name: "read_file", arguments: '{"path":' }, why: expect.any(String) as string }],
      },
    },
    {
      name: "no arguments at all",
      reply: sse([calls({ index: 0, id: "a", name: "read_file", args: "" }), finish("tool_calls")]),
      expected: { calls: [{ id: "a", name: "read_file", arguments: "{}" }] },
    },
    {
      name: "usage in a chunk without choices, and choices that are null",
      reply: sse([chunk({ content: "hi" }), { choices: [], usage: { total_tokens: 9 } }, { choices: null }]),
      expected: { text: "hi", usage: { input: 9, output: 0, cached: 0 } },
    },
    {
      name: "a choice without a delta",
      reply: sse([{ choices: [{ index: 0 }] }, chunk({ content: "ok" }, "stop")]),
      expected: { text: "ok" },
    },
    { name: "content in parts", reply: sse([chunk({ content: [{ type: "text", text: "parts" }] }, "stop")]), expected: { text: "parts" } },
    {
      name: "a refusal",
      reply: sse([chunk({ refusal: "I can not help with that." }), finish()]),
      expected: { text: "", refusal: "I can not help with that." },
    },
    { name: "nothing, properly ended", reply: sse([finish()]), expected: { text: "", calls: [], broken: [] } },
    { name: "a reset after the end", reply: sse([chunk({ content: "whole" }), finish()], "reset"), expected: { text: "whole" } },
    {
      name: "a plain answer to a request for a stream",
      reply: json({
        model: "plain-1",
        choices: [
          {
            index: 0,
            finish_reason: "tool_calls",
            message: {
              content: null,
              tool_calls: [{ id: "a", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      }),
      expected: { calls: two.slice(0, 1), model: "plain-1", usage: { input: 5, output: 2, cached: 0 } },
    },
  ];
  it.each(rows)("is read as it was meant: $name", async ({ reply, expected }) => {
    await using server = await serveModel(reply);
    expect(await ask(server)).toMatchObject(expected);
    expect(server.received).toHaveLength(1);
  });

  it("ends although its stream stays open", async () => {
    await using server = await serveModel(sse([chunk({ content: "final" }), finish()], "open"));
    expect(await ask(server, { lingerMs: 20 })).toMatchObject({ text: "final" });
  });

  it("has the server's own usage, cached tokens included", async () => {
    await using server = await serveModel(sse([chunk({ content: "x" }), finish(), usage]));
    const answer = await ask(server);
    expect(answer.usage).toEqual({ input: 11, output: 3, cached: 7 });
    expect(answer.usageEstimated).toBeUndefined();
  });

  it("has an estimate of a quarter of the characters where the server tells no usage", async () => {
    await using server = await serveModel(sse([chunk({ content: "12345678" }), finish()]));
    const answer = await ask(server);
    expect(answer).toMatchObject({ usageEstimated: true, usage: { output: 2 } });
    expect(answer.usage.input).toBe(Math.ceil(JSON.stringify(server.received[0]?.body).length / 4));
  });
});

describe("a call that is not complete", () => {
  const whole = { index: 0, id: "a", name: "write_file", args: '{"path":"a","content":"x"}' };
  const rows: readonly { name: string; reply: Reply; why: RegExp; cut?: string }[] = [
    {
      name: "cut at the output limit",
      reply: sse([calls({ ...whole, args: '{"path":"a' }), finish("length")]),
      why: /output limit/,
      cut: "length",
    },
    { name: "cut at the limit although it looks whole", reply: sse([calls(whole), finish("length")]), why: /output limit/, cut: "length" },
    { name: "withheld by a filter", reply: sse([calls(whole), finish("content_filter")]), why: /filter/, cut: "content-filter" },
    {
      name: "cut but called complete",
      reply: sse([calls({ ...whole, args: '{"path":"a","content":"ab' }), finish("tool_calls")]),
      why: /JSON/,
    },
    { name: "no JSON", reply: sse([calls({ ...whole, args: '{"cmd": ls -la | head}' }), finish("tool_calls")]), why: /JSON/ },
    { name: "a list", reply: sse([calls({ ...whole, args: '["a"]' }), finish("tool_calls")]), why: /object/ },
    { name: "two objects fused", reply: sse([calls({ ...whole, args: '{"a":1}{"b":2}' }), finish("tool_calls")]), why: /JSON/ },
    { name: "without a name", reply: sse([calls({ ...whole, name: null }), finish("tool_calls")]), why: /names no tool/ },
    { name: "ended for an unknown reason", reply: sse([calls(whole), finish("moon_phase")]), why: /unknown reason "moon_phase"/ },
  ];
  it.each(rows)("never counts: $name", async ({ reply, why, cut }) => {
    await using server = await serveModel(reply);
    const answer = await ask(server);
    expect(answer.calls).toEqual([]);
    expect(answer.broken).toHaveLength(1);
    expect(answer.broken[0]?.why).toMatch(why);
    expect(answer.cut).toBe(cut);
  });
});

describe("a temporary fault", () => {
  const good = sse([chunk({ content: "second try" }), finish(), usage]);
  const rows: readonly { name: string; reply: Reply }[] = [
    ...[408, 409, 429, 500, 502, 503, 529].map((status) => ({
      name: `status ${status}`,
      reply: json({ error: { message: "busy" } }, status),
    })),
    { name: "a page instead of JSON", reply: json("<html>busy</html>", 503) },
    { name: "a stream that is reset in the text", reply: sse([chunk({ content: "seco" })], "reset") },
    { name: "a stream that is reset in a call", reply: sse([calls({ index: 0, id: "a", name: "x", args: '{"a":1}' })], "reset") },
    { name: "a stream that ends without a finish reason", reply: sse([chunk({ content: "seco" })], "closed") },
    {
      name: "a call whose stream is done without a finish reason",
      reply: sse([calls({ index: 0, id: "a", name: "x", args: "{}" }), usage]),
    },
    { name: "a stream with nothing in it", reply: sse([], "closed") },
    { name: "a line that is not JSON", reply: sse(["{half"], "closed") },
    { name: "an answer without a body", reply: json("") },
    { name: "an answer that is not JSON", reply: json("{") },
    { name: "a socket that is closed at once", reply: (response) => response.destroy() },
    { name: "an announced call that does not come", reply: sse([chunk({ content: "I will" }), finish("tool_calls")]) },
    { name: "an error inside the stream", reply: sse([{ error: { message: "overloaded", type: "overloaded_error" } }]) },
    {
      name: "an error inside the stream that carries a status",
      reply: sse([chunk({ content: "a" }), { error: { message: "bad gateway", code: 502 } }]),
    },
  ];
  it.each(rows)("is tried again: $name", async ({ reply }) => {
    await using server = await serveModel(reply, good);
    expect(await ask(server)).toMatchObject({ text: "second try" });
    expect(server.received).toHaveLength(2);
  });

  it("that lasts ends after five attempts with the server's words", async () => {
    await using server = await serveModel(...Array.from({ length: 9 }, () => json({ error: { message: "we are busy" } }, 503)));
    await expect(ask(server)).rejects.toMatchObject({
      code: "model-overloaded",
      message: expect.stringMatching(/503.*we are busy.*tried 5 times/) as string,
    });
    expect(server.received).toHaveLength(5);
  });

  it("waits as long as the server asks", async () => {
    const slept: number[] = [];
    await using server = await serveModel(json({}, 429, { "retry-after": "3" }), json({}, 429, { "retry-after-ms": "1500" }), good);
    const retry = { sleep: (ms: number) => Promise.resolve(slept.push(ms)), random: () => 0 };
    await ask(server, { retry });
    expect(slept).toEqual([3000, 1500]);
  });

  it("that asks for a longer wait than a request may take ends at once and says so", async () => {
    await using server = await serveModel(json({ error: { message: "slow down" } }, 429, { "retry-after": "3600" }));
    await expect(ask(server)).rejects.toMatchObject({ code: "model-overloaded", message: expect.stringMatching(/wait 3600 s/) as string });
  });

  it("of silence is tried once more and then given up", async () => {
    const silence: Reply = () => undefined;
    await using server = await serveModel(silence, sse([chunk({ content: "a" })], "open"), silence);
    await expect(ask(server, { timeoutMs: 60 })).rejects.toMatchObject({ code: "model-timeout" });
    expect(server.received).toHaveLength(2);
  });
});

describe("a final fault", () => {
  const rows: readonly { name: string; reply: Reply; code: string; message: RegExp; hint?: RegExp }[] = [
    {
      name: "a wrong key, which is not repeated to people",
      reply: json(
        { error: { message: "Incorrect API key provided: sk-test-0123456789abcdef or gsk_abcdefgh12345678.", code: "invalid_api_key" } },
        401,
      ),
      code: "model-key-refused",
      message: /^(?!.*(0123456789abcdef|abcdefgh12345678)).*refused the API key \(401\)/,
      hint: /OPENAI_API_KEY/,
    },
    {
      name: "a forbidden key",
      reply: json({ error: { message: "no access" } }, 403),
      code: "model-key-refused",
      message: /403.*no access/,
    },
    {
      name: "no quota",
      reply: json({ error: { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" } }, 429),
      code: "model-quota",
      message: /quota/,
      hint: /billing/,
    },
    { name: "no credit", reply: json({ error: { message: "Insufficient credits" } }, 402), code: "model-quota", message: /402/ },
    {
      name: "a conversation that is too long",
      reply: json({ error: { message: "This model's maximum context length is 8192 tokens.", code: "context_length_exceeded" } }, 400),
      code: "context-too-long",
      message: /maximum context length is 8192/,
    },
    {
      name: "a conversation that is too long, in an error wrapped in a stream",
      reply: sse([
        { error: { message: "Stream error", value: { error_message: '{"error":{"message":"maximum context length is 40960"}}' } } },
      ]),
      code: "context-too-long",
      message: /^(?!.*object Object).*maximum context length is 40960/,
    },
    {
      name: "a request that is refused",
      reply: json({ error: { message: "bad tools" } }, 400),
      code: "model-refused-request",
      message: /400.*bad tools/,
    },
    {
      name: "a model that is not there",
      reply: json({ error: { message: "no such model" } }, 404),
      code: "model-not-found",
      message: /404/,
      hint: /SALLYPORT_MODEL/,
    },
  ];
  it.each(rows)("is not tried again: $name", async ({ reply, code, message, hint }) => {
    await using server = await serveModel(reply);
    await expect(ask(server)).rejects.toMatchObject({
      name: "ModelError",
      code,
      message: expect.stringMatching(message) as string,
      ...(hint === undefined ? {} : { hint: expect.stringMatching(hint) as string }),
    });
    expect(server.received).toHaveLength(1);
  });

  it("of a closed port names the origin, the reason and the variable", async () => {
    const server = await serveModel();
    await server[Symbol.asyncDispose]();
    await expect(ask(server)).rejects.toMatchObject({
      code: "model-unreachable",
      message: expect.stringMatching(new RegExp(`could not reach the model at ${server.origin}: connection refused`)) as string,
      hint: "Check OPENAI_BASE_URL.",
    });
  });

  it("of a base URL that is none stops the start without showing its password", () => {
    expect(() => createServerModel({ baseUrl: "ftp://me:secretword@host", model: "m" })).toThrow(/^(?!.*secretword).*OPENAI_BASE_URL/);
  });
});

describe("a cancelled request", () => {
  it.each([
    ["while the server is silent", () => undefined],
    ["in the middle of a stream", sse([chunk({ content: "a" })], "open")],
  ])("ends with the signal's reason: %s", async (_name, reply) => {
    const controller = new AbortController();
    await using server = await serveModel((response, received) => {
      reply(response, received);
      setTimeout(() => controller.abort(new Error("stopped by a person")), 30);
    });
    await expect(ask(server, {}, controller.signal)).rejects.toThrow("stopped by a person");
    expect(server.received).toHaveLength(1);
  });
});

describe("a request", () => {
  const good = sse([chunk({ content: "ok" }), finish()]);

  it("is streamed with usage, carries the key, and offers tools only where there are some", async () => {
    await using server = await serveModel(good, good);
    await ask(server);
    const model = createServerModel({ baseUrl: server.baseUrl, model: "scripted" });
    await model.complete({ messages: MESSAGES, tools: [], signal: new AbortController().signal });
    const [first, second] = server.received;
    expect(first?.headers.authorization).toBe("Bearer sk-test-0123456789abcdef");
    expect(first?.body).toMatchObject({
      model: "scripted",
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ function: { name: "read_file" } }],
    });
    expect(second?.headers.authorization).toBeUndefined();
    expect(second?.body).not.toHaveProperty("tools");
  });

  it("asks a server for usage once when that refuses to be asked", async () => {
    const refuses = json({ error: { message: "Extra inputs are not permitted: stream_options" } }, 422);
    await using server = await serveModel(refuses, good, good);
    const model = createServerModel({ baseUrl: server.baseUrl, model: "scripted" });
    for (let turn = 0; turn < 2; turn++) await model.complete({ messages: MESSAGES, tools: [], signal: new AbortController().signal });
    expect(server.received.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
  });
});
