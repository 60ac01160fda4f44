import { describe, expect, it } from "vitest";
import { connectionOf } from "../../../src/model/connection.ts";
import { createServerModel } from "../../../src/model/server-model.ts";

/** The address and the authorization of the one request that is made. */
async function sent(baseUrl: string, apiKey?: string, api: "chat" | "responses" = "chat") {
  const seen: { url: string; headers: Headers }[] = [];
  const model = createServerModel({
    api,
    baseUrl,
    model: "m",
    retry: { attempts: 1 },
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: (url, init) => {
      seen.push({ url: url instanceof Request ? url.url : String(url), headers: new Headers(init?.headers) });
      return Promise.resolve(Response.json({ error: { message: `echo ${apiKey}` } }, { status: 401 }));
    },
  });
  const error: unknown = await model
    .complete({ messages: [], tools: [], signal: new AbortController().signal })
    .catch((thrown: unknown) => thrown);
  const [request] = seen;
  return { url: request?.url, authorization: request?.headers.get("authorization"), key: request?.headers.get("api-key"), error };
}

describe("a model's server", () => {
  it.each([
    ["OpenAI's", "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions", "Bearer sk-key", null],
    ["one with a final slash", "http://host/v1/", "http://host/v1/chat/completions", "Bearer sk-key", null],
    ["one named by its method", "http://host/v1/chat/completions", "http://host/v1/chat/completions", "Bearer sk-key", null],
    [
      "Azure's deployment",
      "https://acme.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21",
      "https://acme.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
      null,
      "sk-key",
    ],
    ["Azure's v1", "https://acme.openai.azure.com/openai/v1/", "https://acme.openai.azure.com/openai/v1/chat/completions", null, "sk-key"],
    ["a gateway with a login and a key", "http://me:pass@host/v1", "http://host/v1/chat/completions", "Bearer sk-key", null],
  ])("is asked where and as it wants: %s", async (_name, baseUrl, url, authorization, key) => {
    expect(await sent(baseUrl, "sk-key")).toMatchObject({ url, authorization, key });
  });

  it("is given a login where there is no key, and nothing where there is neither", async () => {
    const login = await sent("http://me:p%40ss@host/v1");
    expect(login).toMatchObject({
      url: "http://host/v1/chat/completions",
      authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    });
    expect((await sent("http://host/v1")).authorization).toBeNull();
  });

  it("is asked for responses beside", async () => {
    expect((await sent("https://acme.openai.azure.com/openai/v1?api-version=preview", "k", "responses")).url).toBe(
      "https://acme.openai.azure.com/openai/v1/responses?api-version=preview",
    );
  });

  it("is never quoted with its key or its login", async () => {
    const { error } = await sent("http://me:hunter22@host/v1", "the-key-of-it");
    expect(String(error)).not.toMatch(/the-key-of-it|hunter22/);
    expect(JSON.stringify(connectionOf({ baseUrl: "http://me:hunter22@host/v1", model: "m" }).baseURL)).not.toContain("hunter22");
  });

  it.each(["host/v1", "ftp://host", "http://", "nonsense"])("is refused when it is no address: %s", (baseUrl) => {
    expect(() => connectionOf({ baseUrl, model: "m" })).toThrow(/OPENAI_BASE_URL/);
  });
});
