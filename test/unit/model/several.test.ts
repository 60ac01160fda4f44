import { describe, expect, it } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { firstAvailable } from "../../../src/model/first-available.ts";
import { openModels } from "../../../src/model/open-models.ts";
import { type ModelRequest as Received, say, startScriptedModel, type Turn } from "../../../src/testing/index.ts";
import { say as answering, scripted } from "../agent/doubles.ts";

const request = () => ({ messages: [{ role: "user" as const, text: "Hi." }], tools: [], signal: new AbortController().signal });

/** Asks `a, b` in order of a server that answers as the function says. */
async function askBoth(answer: (received: Received) => Turn, times = 1) {
  const server = await startScriptedModel(answer);
  try {
    const models = openModels({ names: ["a", "b"], baseUrl: server.baseUrl, retry: { sleep: () => Promise.resolve() } });
    const model = models({});
    const said: unknown[] = [];
    for (let turn = 0; turn < times; turn++) {
      said.push(
        await model.complete(request()).then(
          ({ model: name, text }) => ({ name, text }),
          (error: unknown) => error,
        ),
      );
    }
    return { said, asked: server.requests.map(({ model: name }) => name) };
  } finally {
    await server.stop();
  }
}

describe("a list of models", () => {
  it.each<{ name: string; turn: Turn }>([
    { name: "is not there", turn: { status: 404, body: { error: { message: "The model `a` does not exist", code: "model_not_found" } } } },
    { name: "has no quota", turn: { status: 429, body: { error: { message: "no", code: "insufficient_quota" } } } },
    { name: "stays overloaded", turn: { status: 503 } },
    { name: "can not be reached", turn: { cut: "start" } },
  ])("goes on to the next when one $name, and stays there", async ({ turn }) => {
    const { said, asked } = await askBoth((received) => (received.model === "a" ? turn : say("from b")), 2);
    expect(said).toEqual([
      { name: "b", text: "from b" },
      { name: "b", text: "from b" },
    ]);
    expect(asked.slice(-2)).toEqual(["b", "b"]);
    expect(asked.filter((name) => name === "a").length).toBeLessThanOrEqual(3);
  });

  it.each<{ name: string; turn: Turn; code: string }>([
    { name: "a refused key", turn: { status: 401, body: { error: { message: "bad key" } } }, code: "model-key-refused" },
    { name: "a refused request", turn: { status: 400, body: { error: { message: "bad tools" } } }, code: "model-refused-request" },
    {
      name: "a conversation that is too long",
      turn: { status: 400, body: { error: { code: "context_length_exceeded", message: "x" } } },
      code: "context-too-long",
    },
  ])("ends at what the next could not help: $name", async ({ turn, code }) => {
    const { said, asked } = await askBoth(() => turn);
    expect(said).toMatchObject([{ code }]);
    expect(asked).toEqual(["a"]);
  });

  it("says of each why it is not available", async () => {
    const { said } = await askBoth(({ model }) => ({
      status: 404,
      body: { error: { message: `no ${model} here`, code: "model_not_found" } },
    }));
    expect(said).toMatchObject([
      { code: "model-not-found", message: expect.stringMatching(/none of the models.*a: .*no a here.*b: .*no b here/) as string },
    ]);
  });

  it("is what the run's configuration names, or else the server's", async () => {
    const server = await startScriptedModel(({ model }) => say(model));
    const models = openModels({ names: ["a"], baseUrl: server.baseUrl });
    const answer = async (model: readonly string[]) => (await models({ model }).complete(request())).text;
    expect([await answer([]), await answer(["c", "c"])]).toEqual(["a", "c"]);
    await server.stop();
  });

  it("has the smallest window of its models, and names those without a price", () => {
    const model = openModels({ names: ["gpt-4o", "gpt-5", "mine"], baseUrl: "http://127.0.0.1:9/v1" })({
      prices: { other: { input: 1, output: 1 } },
    });
    expect(model).toMatchObject({ name: "gpt-4o", contextWindow: 128_000, unpriced: ["mine"] });
  });

  it("ends with its run", async () => {
    const controller = new AbortController();
    controller.abort(new Error("stopped"));
    const models = [scripted([answering("never")]), scripted([answering("never")])];
    const aborted = models.map((model) => ({ ...model, complete: () => Promise.reject(controller.signal.reason as Error) }));
    await expect(firstAvailable(aborted, silent).complete({ ...request(), signal: controller.signal })).rejects.toThrow("stopped");
  });
});
