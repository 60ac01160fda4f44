import { describe, expect, it } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { providerWords, redact } from "../../../src/model/provider-words.ts";
import { type Failure, RETRY, waitOf, withRetries } from "../../../src/model/retry.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");

describe("the wait that a server asks for", () => {
  it.each([
    ["retry-after in seconds", { "retry-after": "2.5" }, { ms: 2500, firm: true }],
    ["retry-after as a date", { "retry-after": "Fri, 02 Jan 2026 03:04:35 GMT" }, { ms: 30_000, firm: true }],
    ["retry-after in the past", { "retry-after": "Fri, 02 Jan 2026 03:00:00 GMT" }, { ms: 0, firm: true }],
    ["milliseconds before seconds", { "retry-after-ms": "20", "retry-after": "9" }, { ms: 20, firm: true }],
    [
      "the reset of what is used up",
      { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2.5s" },
      { ms: 62_500, firm: false },
    ],
    ["no reset of what is left", { "x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s" }, undefined],
    ["a reset in milliseconds", { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms" }, { ms: 20, firm: false }],
    ["a reset as a point in time", { "x-ratelimit-reset": String(NOW + 4000) }, { ms: 4000, firm: false }],
    ["a reset as a point in time in seconds", { "x-ratelimit-reset": String((NOW + 4000) / 1000) }, { ms: 4000, firm: false }],
    ["nonsense", { "retry-after": "soon", "x-ratelimit-reset": "-1" }, undefined],
    ["nothing", {}, undefined],
  ])("is read from its headers: %s", (_name, headers, expected) => {
    expect(waitOf(new Headers(headers as Record<string, string>), NOW)).toEqual(expected);
  });
});

describe("retries", () => {
  async function pauses(
    failure: Partial<Failure>,
    options: Partial<typeof RETRY> = {},
    until?: number,
  ): Promise<{ pauses: number[]; thrown: unknown }> {
    const slept: number[] = [];
    const retry = { ...RETRY, random: () => 0.999_999, sleep: (ms: number) => Promise.resolve(slept.push(Math.round(ms))), ...options };
    const judge = (): Failure => ({ code: "model-overloaded", message: "busy", worth: 99, ...failure });
    const thrown = await withRetries(() => Promise.reject(new Error("x")), judge, {
      retry,
      until,
      signal: new AbortController().signal,
      log: silent,
    }).catch((error: unknown) => error);
    return { pauses: slept, thrown };
  }

  it("double their pauses", async () => expect((await pauses({})).pauses).toEqual([500, 1000, 2000, 4000]));
  it("wait no longer in all than they may", async () => {
    expect((await pauses({}, { attempts: 9, maxWaitMs: 6000 })).pauses).toEqual([500, 1000, 2000, 2500]);
  });
  it("shorten a hint but not a firm wait", async () => {
    expect((await pauses({ wait: { ms: 90_000, firm: false } })).pauses).toEqual([60_000, 60_000, 60_000, 60_000]);
    expect((await pauses({ wait: { ms: 200_000, firm: true } })).pauses).toEqual([200_000]);
    expect((await pauses({ wait: { ms: 400_000, firm: true } })).pauses).toEqual([]);
  });
  it("do not wait beyond the end of the run", async () => {
    const ended = await pauses({ wait: { ms: 90_000, firm: true } }, {}, Date.now() + 30_000);
    expect(ended).toMatchObject({
      pauses: [],
      thrown: { message: expect.stringMatching(/asks to wait 90 s, longer than the (29|30) s/) as string },
    });
    expect((await pauses({}, {}, Date.now() - 1)).pauses).toEqual([]);
  });
  it("are not made for what is final", async () => {
    const { pauses: slept, thrown } = await pauses({ worth: 1, hint: "look" });
    expect(slept).toEqual([]);
    expect(thrown).toMatchObject({ message: "busy", hint: "look" });
  });
  it("jitter between half of a pause and the whole", async () => {
    expect((await pauses({}, { random: () => 0 })).pauses).toEqual([250, 500, 1000, 2000]);
  });
});

describe("a provider's words", () => {
  it.each([
    ["a message", { message: "busy" }, "busy"],
    ["JSON inside text", { message: '{"error":{"message":"too long"}}' }, "too long"],
    ["a nested value", { message: "Provider error", metadata: { raw: '{"detail":"deep down"}' } }, "Provider error – deep down"],
    ["a web page", "<html><body><h1>502</h1>\n bad   gateway</body></html>", "502 bad gateway"],
    ["nothing", null, ""],
    ["numbers", 42, ""],
  ])("are found in %s", (_name, body, expected) => expect(providerWords(body, [])).toBe(expected));

  it("are bounded and end for any nesting", () => {
    let nested: unknown = "x".repeat(5000);
    expect(providerWords(nested, [])).toHaveLength(500);
    for (let depth = 0; depth < 10_000; depth++) nested = { error: nested };
    expect(providerWords(nested, [])).toBe("");
  });

  it.each([
    ["a held value", "the key hunter2-and-more is wrong", "hunter2-and-more"],
    ["an OpenAI key", "provided: sk-proj-AbCd0123_efgh4567.", "AbCd0123"],
    ["a masked key", "sk-abc******wxyz", "wxyz"],
    ["a bearer token", "Authorization: Bearer abc.def.ghi", "abc.def"],
    ["a named key", 'api_key="zzzz1"', "zzzz1"],
    ["a GitHub token", "ghs_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F"],
    ["a long run of letters and digits", "token 0a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b", "0a1b2c3d"],
  ])("are shown without %s", (_name, text, secret) => expect(redact(text, ["hunter2-and-more"])).not.toContain(secret));

  it("keep ordinary words", () => {
    const text = "The model gpt-5.2-mini has a maximum context length of 128000 tokens (request-id 42).";
    expect(redact(text, [])).toBe(text);
  });
});
