import { describe, expect, it } from "vitest";
import type { Image, Message } from "../../../src/core/conversation.ts";
import type { ModelAnswer } from "../../../src/model/model.ts";
import { createServerModel, type ServerModelOptions } from "../../../src/model/server-model.ts";
import { call, say, type Script, type ScriptedModel, startScriptedModel, type Turn } from "../../../src/testing/index.ts";

const OPENING: readonly Message[] = [
  { role: "system", text: "You work." },
  { role: "user", text: "Fix it." },
];
const TOOLS = [{ name: "read_file", description: "Reads.", parameters: { type: "object", properties: { path: { type: "string" } } } }];
const PICTURE: Image = { mediaType: "image/png", base64: "aGVsbG8=" };

type Given = Partial<ServerModelOptions> & { readonly messages?: readonly Message[] };

/** Plays one script to one model and answers what came of each request. */
async function play(
  api: "chat" | "responses",
  script: readonly Turn[] | Script,
  work: (ask: (given?: Given) => Promise<ModelAnswer>, server: ScriptedModel) => Promise<void>,
): Promise<void> {
  const server = await startScriptedModel(script);
  const made = new Map<string, ReturnType<typeof createServerModel>>();
  try {
    await work(({ messages = OPENING, ...options } = {}) => {
      const key = JSON.stringify(options);
      const model =
        made.get(key) ??
        createServerModel({
          api,
          baseUrl: server.baseUrl,
          apiKey: "sk-0123456789",
          model: "gpt-5",
          retry: { sleep: () => Promise.resolve() },
          ...options,
        });
      made.set(key, model);
      return model.complete({ messages, tools: TOOLS, signal: new AbortController().signal });
    }, server);
    expect(server.requests.every((request) => request.api === api)).toBe(true);
  } finally {
    await server.stop();
  }
}

describe.each(["chat", "responses"] as const)("over %s", (api) => {
  const read = (path: string, id: string) => ({ name: "read_file", args: { path }, id });
  const whole = (path: string, id: string) => ({ id, name: "read_file", arguments: JSON.stringify({ path }) });

  it.each<{ name: string; turn: Turn; expected: object }>([
    { name: "a text", turn: say("Done: 😀".repeat(30)), expected: { text: "Done: 😀".repeat(30), calls: [], broken: [], model: "gpt-5" } },
    {
      name: "a call",
      turn: { text: "I look.", calls: [read("a", "c1")] },
      expected: { text: "I look.", calls: [whole("a", "c1")], broken: [] },
    },
    { name: "two calls", turn: { calls: [read("a", "c1"), read("b", "c2")] }, expected: { calls: [whole("a", "c1"), whole("b", "c2")] } },
    { name: "a refusal", turn: { refusal: "I can not." }, expected: { text: "", refusal: "I can not." } },
    {
      name: "usage, cached tokens among it",
      turn: { text: "x", usage: { input: 9, output: 4, cached: 5 } },
      expected: { usage: { input: 9, output: 4, cached: 5 } },
    },
    { name: "a text that was cut", turn: { text: "half", finish: "length" }, expected: { text: "half", cut: "length" } },
    { name: "a text that was withheld", turn: { text: "", finish: "content_filter" }, expected: { cut: "content-filter" } },
  ])("an answer is read: $name", async ({ turn, expected }) => {
    await play(api, [turn], async (ask) => expect(await ask()).toMatchObject(expected));
  });

  it.each<{ name: string; turn: Turn; why: RegExp }>([
    { name: "cut off at the limit", turn: { calls: [{ name: "write_file", raw: '{"path":"a' }], finish: "length" }, why: /output limit/ },
    { name: "withheld", turn: { calls: [{ name: "write_file" }], finish: "content_filter" }, why: /filter/ },
    { name: "cut but called complete", turn: { calls: [{ name: "write_file", raw: '{"path":"a' }] }, why: /JSON/ },
    { name: "no object", turn: { calls: [{ name: "write_file", raw: "5" }] }, why: /object/ },
    { name: "without a name", turn: { calls: [{ name: "" }] }, why: /no tool/ },
  ])("a call never counts that is $name", async ({ turn, why }) => {
    await play(api, [turn], async (ask) => {
      const answer = await ask();
      expect(answer.calls).toEqual([]);
      expect(answer.broken).toMatchObject([{ why: expect.stringMatching(why) as string }]);
    });
  });

  it.each<{ name: string; turn: Turn }>([
    ...(["start", "calls", "arguments"] as const).map((cut) => ({
      name: `broken off at ${cut}`,
      turn: { text: "a", calls: [read("a", "c1")], cut },
    })),
    ...[408, 429, 500, 503].map((status) => ({ name: `status ${status}`, turn: { status } })),
    { name: "an empty body", turn: { status: 200, body: "" } },
    { name: "an error with status 200", turn: { body: { error: { message: "overloaded", code: "server_error" } } } },
  ])("a temporary fault is tried again: $name", async ({ turn }) => {
    await play(api, [turn, say("second")], async (ask, server) => {
      expect(await ask()).toMatchObject({ text: "second" });
      server.assertDone();
    });
  });

  it.each<{ name: string; turn: Turn; code: string }>([
    { name: "a wrong key", turn: { status: 401, body: { error: { message: "bad key sk-0123456789" } } }, code: "model-key-refused" },
    { name: "no quota", turn: { status: 429, body: { error: { message: "quota", code: "insufficient_quota" } } }, code: "model-quota" },
    {
      name: "a model that is not there",
      turn: { status: 404, body: { error: { message: "no such model", code: "model_not_found" } } },
      code: "model-not-found",
    },
    {
      name: "a model that is kept from us",
      turn: { status: 403, body: { error: { message: "no access to model", code: "model_not_found" } } },
      code: "model-not-found",
    },
    {
      name: "too much",
      turn: { status: 400, body: { error: { message: "too long", code: "context_length_exceeded" } } },
      code: "context-too-long",
    },
    { name: "a bad request", turn: { status: 400, body: { error: { message: "bad tools" } } }, code: "model-refused-request" },
  ])("a final fault is not tried again: $name", async ({ turn, code }) => {
    await play(api, [turn], async (ask, server) => {
      await expect(ask()).rejects.toMatchObject({ code, message: expect.not.stringContaining("0123456789") as string });
      expect(server.requests).toHaveLength(1);
    });
  });

  it("a broken call keeps its place among the others", async () => {
    const turn = {
      calls: [read("a", "c1"), { name: "write_file", raw: "{oh", id: "c2" }, read("b", "c3"), { name: "write_file", raw: "[]", id: "c4" }],
    };
    await play(api, [turn], async (ask) => {
      const { calls, broken } = await ask();
      expect(calls.map(({ id }) => id)).toEqual(["c1", "c3"]);
      expect(broken.map(({ call: { id }, at }) => [id, at])).toEqual([
        ["c2", 1],
        ["c4", 3],
      ]);
    });
  });

  it("a conversation goes on with every call answered", async () => {
    const calls = [whole("a", "c1"), whole("b", "x".repeat(70))];
    const messages: readonly Message[] = [
      ...OPENING,
      { role: "assistant", text: "Both.", calls },
      { role: "tool", callId: "c1", text: "alpha" },
      { role: "tool", callId: "x".repeat(70), text: "" },
      { role: "user", text: "[auto_test] passed" },
      { role: "assistant", text: "", calls: [{ id: "c3", name: "no such", arguments: "{oh" }] },
      { role: "tool", callId: "c3", text: "[error] no" },
    ];
    await play(api, [say("ok")], async (ask, server) => {
      await ask({ messages });
      const [request] = server.requests;
      expect(request?.messages.map(({ role }) => role)).toEqual([
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "assistant",
        "tool",
      ]);
      expect(request?.messages[2]).toMatchObject({ text: "Both.", calls: [{ id: "c1" }, { id: request?.messages[4]?.callId }] });
      expect(request?.toolNames).toEqual(["read_file"]);
    });
  });

  describe("a picture", () => {
    const messages: readonly Message[] = [OPENING[0] as Message, { role: "user", text: "See:", images: [PICTURE, PICTURE] }];

    it("is sent beside its text", async () => {
      await play(api, [say("I see.")], async (ask, server) => {
        await ask({ messages });
        expect(server.requests[0]?.messages[1]).toMatchObject({
          text: "See:",
          images: Array(2).fill("data:image/png;base64,aGVsbG8=") as string[],
        });
      });
    });

    it.each([
      { status: 400, message: "Invalid content type. image_url is only supported by certain models." },
      { status: 404, message: "No endpoints found that support image input" },
      { status: 422, message: "unknown variant `image_url`, expected `text`" },
      { status: 413, message: "Payload too large" },
      { status: 400, message: "At most 0 pictures" },
    ])("that the server refuses ($status) is left out and said to be, in later requests too", async ({ status, message }) => {
      const refuses = { status, body: { error: { message, type: "invalid_request_error" } } };
      await play(api, [refuses, say("Blind."), say("Still.")], async (ask, server) => {
        expect(await ask({ messages })).toMatchObject({ text: "Blind." });
        await ask({ messages });
        expect(server.requests.map(({ messages: [, user] }) => user?.images.length)).toEqual([2, 0, 0]);
        expect(server.requests[2]?.last).toBe("See:\n\n[2 pictures were left out here: the model's server takes none.]");
      });
    });

    it("is not blamed for what is refused without it too", async () => {
      await play(
        api,
        () => ({ status: 400, body: { error: { message: "bad tools" } } }),
        async (ask, server) => {
          await expect(ask({ messages })).rejects.toMatchObject({
            code: "model-refused-request",
            message: expect.stringMatching(/bad tools/) as string,
          });
          expect(server.requests).toHaveLength(2);
        },
      );
    });
  });

  it("a server that does not stream for this account is asked plainly", async () => {
    const refuses = {
      status: 400,
      body: { error: { message: "Your organization must be verified to stream this model.", param: "stream" } },
    };
    await play(api, [refuses, call("read_file", { path: "a" })], async (ask, server) => {
      expect(await ask()).toMatchObject({ calls: [{ name: "read_file" }] });
      expect(server.requests.map(({ stream }) => stream)).toEqual([true, false]);
    });
  });

  it("an answer costs what its model's price says, or nothing that is known", async () => {
    const turn = { text: "x", usage: { input: 1_000_000, output: 100_000, cached: 500_000 } };
    const facts = (name: string) => (name === "gpt-5" ? { price: { input: 2, cached: 1, output: 10 }, contextWindow: 1000 } : {});
    await play(api, [turn, turn], async (ask, server) => {
      expect(await ask({ facts })).toMatchObject({ usd: 1 + 0.5 + 1 });
      expect((await ask({ facts, model: "mine" })).usd).toBeUndefined();
      const { unpriced, contextWindow } = createServerModel({ api, baseUrl: server.baseUrl, model: "gpt-5", facts });
      expect({ unpriced, contextWindow }).toEqual({ unpriced: undefined, contextWindow: 1000 });
      expect(createServerModel({ api, baseUrl: server.baseUrl, model: "mine", facts })).toMatchObject({ unpriced: ["mine"] });
    });
  });
});

describe("reasoning over responses", () => {
  const first = { reasoning: "gAAAA-sealed", calls: [{ name: "read_file", args: { path: "a" }, id: "c1" }] };
  const after = (answer: ModelAnswer): readonly Message[] => [
    ...OPENING,
    { role: "assistant", text: answer.text, calls: answer.calls, ...(answer.opaque === undefined ? {} : { opaque: answer.opaque }) },
    { role: "tool", callId: "c1", text: "alpha" },
  ];

  it("goes back sealed, before the call that it led to, and nothing is kept by the server", async () => {
    await play("responses", [first, say("ok")], async (ask, server) => {
      await ask({ messages: after(await ask()) });
      expect(server.requests[1]?.messages[2]).toMatchObject({ sealed: ["gAAAA-sealed"], calls: [{ id: "c1" }] });
      expect(server.requests.map(({ body }) => body["store"])).toEqual([false, false]);
      server.assertDone();
    });
  });

  it("is not shown to another model", async () => {
    await play("responses", [first, say("ok")], async (ask, server) => {
      await ask({ model: "gpt-5-mini", messages: after(await ask()) });
      expect(server.requests[1]?.messages[2]).toMatchObject({ sealed: [], calls: [{ id: "c1" }] });
    });
  });

  it("is left out when the server can not read it any more", async () => {
    const refuses = {
      status: 400,
      body: { error: { message: "The encrypted content could not be verified.", code: "invalid_encrypted_content" } },
    };
    await play("responses", [first, refuses, say("ok")], async (ask, server) => {
      expect(await ask({ messages: after(await ask()) })).toMatchObject({ text: "ok" });
      expect(server.requests.map(({ messages }) => messages[2]?.sealed.length ?? 0)).toEqual([0, 1, 0]);
    });
  });

  it("is not asked for where the server does not know it", async () => {
    const refuses = { status: 400, body: { error: { message: "Unknown parameter: 'include'." } } };
    await play("responses", [refuses, say("ok"), say("ok")], async (ask, server) => {
      await ask();
      await ask();
      expect(server.requests.map(({ body }) => "include" in body)).toEqual([true, false, false]);
    });
  });
});
