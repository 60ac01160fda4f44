import { afterEach, describe, expect, it } from "vitest";
import { call, resumable, say, startScriptedModel, type Script, type ScriptedModel, type Turn } from "../../../../src/testing/index.ts";

const started: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of started.splice(0)) await model.stop();
});

async function model(script: readonly Turn[] | Script): Promise<ScriptedModel> {
  const it = await startScriptedModel(script);
  started.push(it);
  return it;
}

const HELLO = [{ role: "user", content: "Hello" }];

async function ask(of: ScriptedModel, fields: object = {}): Promise<{ status: number; text: string; json: Record<string, unknown> }> {
  const response = await fetch(`${of.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", messages: HELLO, ...fields }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** The chunks of a stream, without its end. */
function chunks(text: string): { choices: { delta: Record<string, unknown>; finish_reason: string | null }[]; usage?: object }[] {
  const lines = text.split("\n\n").filter((line) => line !== "" && line !== "data: [DONE]");
  return lines.map((line) => JSON.parse(line.replace(/^data: /, "")) as ReturnType<typeof chunks>[number]);
}

describe("a scripted model", () => {
  it("plays its turns in order", async () => {
    const of = await model([call("read_file", { path: "a" }), say("Done.")]);
    const first = await ask(of);
    expect(first.json).toMatchObject({
      object: "chat.completion",
      model: "scripted",
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: null,
            tool_calls: [{ id: "call_1_0", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
          },
        },
      ],
      usage: { total_tokens: expect.any(Number) as number },
    });
    expect((await ask(of)).json).toMatchObject({ choices: [{ finish_reason: "stop", message: { content: "Done." } }] });
    await of.finish();
  });

  it("streams text and calls in pieces that split no character, then the usage, then the end", async () => {
    const text = "😀".repeat(55);
    const args = { path: "src/a.ts", content: "é".repeat(100) };
    const of = await model([{ text, calls: [{ name: "write_file", args }, { name: "grep" }], usage: { input: 7, output: 5, cached: 3 } }]);
    const answer = await ask(of, { stream: true, stream_options: { include_usage: true } });
    expect(answer.text.endsWith("data: [DONE]\n\n")).toBe(true);
    const all = chunks(answer.text);
    const deltas = all.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    const contents = deltas.map(({ content }) => (typeof content === "string" ? content : ""));
    expect(contents.join("")).toBe(text);
    expect(contents.every((piece) => piece.isWellFormed())).toBe(true);
    const calls = deltas.flatMap(
      ({ tool_calls: made }) => (made ?? []) as { index: number; id?: string; function: { arguments: string } }[],
    );
    const joined = (index: number) =>
      calls
        .filter((item) => item.index === index)
        .map((item) => item.function.arguments)
        .join("");
    expect(JSON.parse(joined(0))).toEqual(args);
    expect(joined(1)).toBe("{}");
    expect(calls.filter(({ id }) => id !== undefined)).toHaveLength(2);
    expect(all.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason)).at(-1)).toBe("tool_calls");
    expect(all.at(-1)?.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 3 } });
  });

  it("streams no usage that was not asked for", async () => {
    const of = await model([say("x")]);
    expect(chunks((await ask(of, { stream: true })).text).every(({ usage }) => usage === undefined)).toBe(true);
  });

  it("keeps what came", async () => {
    const of = await model([say("x")]);
    const tools = [{ type: "function", function: { name: "grep", description: "Searches.", parameters: { type: "object" } } }];
    await ask(of, {
      messages: [
        { role: "system", content: "Be good." },
        { role: "user", content: [{ type: "text", text: "Hi" }] },
      ],
      tools,
    });
    expect(of.requests).toMatchObject([
      {
        authorization: "Bearer key",
        model: "scripted",
        system: "Be good.",
        last: "Hi",
        text: "Be good.\nHi",
        toolNames: ["grep"],
        results: [],
      },
    ]);
    expect(of.requests[0]?.tools).toEqual([{ name: "grep", description: "Searches.", parameters: { type: "object" } }]);
  });

  it.each<{ name: string; turn: Turn; expected: object }>([
    {
      name: "a refusal",
      turn: { refusal: "No." },
      expected: { choices: [{ finish_reason: "stop", message: { content: null, refusal: "No." } }] },
    },
    { name: "a cut answer", turn: { text: "x", finish: "length" }, expected: { choices: [{ finish_reason: "length" }] } },
    {
      name: "arguments that are no JSON",
      turn: { calls: [{ name: "a", raw: '{"b', id: "mine" }] },
      expected: { choices: [{ message: { tool_calls: [{ id: "mine", function: { arguments: '{"b' } }] } }] },
    },
    { name: "an error", turn: { status: 429, headers: { "retry-after": "2" } }, expected: { error: { message: "scripted failure" } } },
    { name: "an error of its own", turn: { status: 500, body: { error: { code: "x" } } }, expected: { error: { code: "x" } } },
  ])("plays $name", async ({ turn, expected }) => {
    const of = await model([turn]);
    const answer = await ask(of);
    expect(answer).toMatchObject({ status: turn.status ?? 200, json: expected });
  });

  it.each(["start", "calls", "arguments"] as const)("breaks the connection at %s, plain and streamed", async (cut) => {
    const turn = { text: "x".repeat(200), calls: [{ name: "a", args: { b: 1 } }], cut };
    const of = await model([turn, turn]);
    await expect(ask(of)).rejects.toThrow();
    await expect(ask(of, { stream: true })).rejects.toThrow();
    of.assertDone();
  });

  it("sends what comes before the break", async () => {
    const of = await model([{ calls: [{ name: "a", args: { b: 1 } }], cut: "arguments" }]);
    const response = await fetch(`${of.baseUrl}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: HELLO, stream: true }),
    });
    let seen = "";
    await expect(
      (async () => {
        for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
      })(),
    ).rejects.toThrow();
    expect(seen).toContain(String.raw`"arguments":"{\"b\""`);
    expect(seen).not.toContain('finish_reason":"tool_calls');
  });

  it("hangs until it is stopped", async () => {
    const of = await model([{ hang: true }]);
    const open = ask(of).then(
      () => "answered",
      () => "ended",
    );
    await expect.poll(() => of.requests.length).toBe(1);
    await of.stop();
    expect(await open).toBe("ended");
  });

  it("lists itself as a model", async () => {
    const of = await model([]);
    expect(await (await fetch(`${of.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: "scripted" }] });
    of.assertDone();
  });
});

describe("an unexpected call", () => {
  it("is answered with 400 and remembered when the list is at its end", async () => {
    const of = await model([say("Only this.")]);
    await ask(of);
    const answer = await ask(of, { messages: [{ role: "user", content: "And more?" }] });
    expect(answer).toMatchObject({ status: 400, json: { error: { type: "invalid_request_error" } } });
    expect(of.problems).toEqual(["request 2 was not expected; its last message: And more?"]);
    await expect(of.finish()).rejects.toThrow("request 2 was not expected");
  });

  it("is one that a function has no turn for, or fails at", async () => {
    const none = await model(() => undefined);
    expect((await ask(none)).status).toBe(400);
    expect(() => none.assertDone()).toThrow("was not expected");
    const failing = await model(() => {
      throw new Error("broken script");
    });
    expect((await ask(failing)).status).toBe(400);
    expect(() => failing.assertDone()).toThrow("broken script");
  });

  it("is one of another path or without JSON", async () => {
    const of = await model([]);
    expect((await fetch(`${of.baseUrl}/embeddings`, { method: "POST", body: "{}" })).status).toBe(400);
    expect((await fetch(`${of.baseUrl}/chat/completions`, { method: "POST", body: "no JSON" })).status).toBe(400);
    expect(of.problems).toHaveLength(2);
  });

  it("is missed when it never comes", async () => {
    const of = await model([say("Used."), call("never_made", { a: 1 })]);
    await ask(of);
    expect(() => of.assertDone()).toThrow(/never asked for: .*never_made/);
  });
});

describe("a function", () => {
  it("is given each request and how many were answered", async () => {
    const of = await model(({ last }, step) => say(`${step}: ${last}`));
    expect((await ask(of)).json).toMatchObject({ choices: [{ message: { content: "0: Hello" } }] });
    expect((await ask(of)).json).toMatchObject({ choices: [{ message: { content: "1: Hello" } }] });
    await of.finish();
  });

  it("made by resumable answers by the calls that a conversation holds", async () => {
    const of = await model(resumable([call("first"), call("second"), say("Done.")]));
    const asked = (name: string, id: string) => [
      { role: "assistant", tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }] },
      { role: "tool", tool_call_id: id, content: "ok" },
    ];
    const name = async (messages: object[]) => JSON.stringify((await ask(of, { messages })).json["choices"]);
    expect(await name(HELLO)).toContain("first");
    expect(await name(HELLO)).toContain("first");
    expect(await name([...HELLO, ...asked("first", "a")])).toContain("second");
    expect(await name([...HELLO, ...asked("first", "a"), ...asked("second", "b")])).toContain("Done.");
    expect(await name([...HELLO, ...asked("first", "a"), ...asked("second", "b"), ...asked("third", "c")])).toContain("Done.");
  });
});
