import { describe, expect, it } from "vitest";
import { KNOWN_MODELS } from "../../../src/model/known-models.ts";
import { costOf, factsOf } from "../../../src/model/prices.ts";

const inputOf = (name: string, configured = {}) => factsOf(name, configured).price?.input;

describe("what is known of a model", () => {
  it.each([
    ["gpt-5", 1.25],
    ["gpt-5-2025-08-07", 1.25],
    ["GPT-5", 1.25],
    ["openai/gpt-5", 1.25],
    ["openrouter/openai/gpt-5-mini", 0.25],
    ["gpt-5-mini-2025-08-07", 0.25],
    ["gpt-4o-2024-11-20", 2.5],
    ["claude-sonnet-4-5-20250929", 3],
    ["claude-sonnet-4-5@20250929", 3],
    ["anthropic/claude-sonnet-4.5", 3],
    ["gemini-2.5-pro-preview-05-06", 1.25],
    ["google/gemini-3-pro-preview", 2],
  ])("is found under each of its names: %s", (name, price) => expect(inputOf(name)).toBe(price));

  it.each([
    "gpt-5-turbo",
    "gpt-50",
    "my-gpt-5",
    "gpt-5-mini-tuned",
    "scripted",
    "",
    "llama3.2:3b",
    "openai/gpt-5:free",
    "__proto__",
    "constructor",
  ])("is nothing of a model that only looks like it: %s", (name) => expect(factsOf(name)).toEqual({}));

  it("is what configuration says, before what the table says", () => {
    const prices = {
      "gpt-5": { input: 7, output: 8 },
      "house-*": { input: 1, output: 2, cached_input: 0.5 },
      "house-big-*": { input: 3, output: 4 },
    };
    expect(inputOf("gpt-5", { prices })).toBe(7);
    expect(inputOf("openai/gpt-5-2025-08-07", { prices })).toBe(7);
    expect(factsOf("house-small", { prices }).price).toEqual({ input: 1, output: 2, cached_input: 0.5, cached: 0.5 });
    expect(factsOf("house-big-1", { prices }).price).toMatchObject({ input: 3, cached: 3 });
    expect(inputOf("mouse", { prices })).toBeUndefined();
  });

  it("has a window: configured for all, configured for one, or known", () => {
    expect(factsOf("gpt-5").contextWindow).toBe(400_000);
    expect(factsOf("gpt-5", { context_window: 1000 }).contextWindow).toBe(1000);
    expect(factsOf("mine", { context_window: { mine: 2000 } }).contextWindow).toBe(2000);
    expect(factsOf("gpt-5", { context_window: { mine: 2000 } }).contextWindow).toBe(400_000);
  });

  it("has prices that fit together", () => {
    for (const [name, { price }] of Object.entries(KNOWN_MODELS)) {
      expect(price, name).toBeDefined();
      if (price === undefined) continue;
      expect(price.cached, name).toBeLessThanOrEqual(price.input);
      expect(price.output, name).toBeGreaterThan(price.input);
      if (price.long !== undefined) expect(price.long.input, name).toBeGreaterThan(price.input);
    }
  });
});

describe("the cost of an answer", () => {
  const price = { input: 2, cached: 0.5, output: 10, long: { above: 1000, input: 4, cached: 1, output: 15 } };
  it("counts cached input apart", () => {
    expect(costOf({ input: 1000, cached: 400, output: 100 }, price)).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 12);
  });
  it("is that of long requests for the whole of one", () => {
    expect(costOf({ input: 1001, cached: 1, output: 100 }, price)).toBeCloseTo((1000 * 4 + 1 + 100 * 15) / 1e6, 12);
  });
});
