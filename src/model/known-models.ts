import type { ModelFacts, Price } from "./model-facts.ts";

const MILLION = 1_000_000;
const GPT_WINDOW = 1_050_000;

/** OpenAI's tariff above 272,000 tokens of input: input twice, output one and a half times as dear. */
const gpt = (input: number, cached: number, output: number): ModelFacts => ({
  contextWindow: GPT_WINDOW,
  price: { input, cached, output, long: { above: 272_000, input: 2 * input, cached: 2 * cached, output: 1.5 * output } },
});
/** Google's tariff above 200,000 tokens of input. */
const geminiPro = (input: number, cached: number, output: number): ModelFacts => ({
  contextWindow: 1_048_576,
  price: { input, cached, output, long: { above: 200_000, input: 2 * input, cached: 2 * cached, output: 1.5 * output } },
});
const flat = (contextWindow: number | undefined, input: number, cached: number, output: number): ModelFacts => ({
  ...(contextWindow === undefined ? {} : { contextWindow }),
  price: { input, cached, output } satisfies Price,
});

/**
 * United States dollars per million tokens of the standard tier, and context windows, by name without date and vendor.
 * As of 2026-11-30. Sources: https://developers.openai.com/api/docs/pricing, https://platform.claude.com/docs/en/about-claude/pricing,
 * https://ai.google.dev/gemini-api/docs/pricing. What is not certain is left out: an unknown price is asked for, a wrong one is believed.
 */
export const KNOWN_MODELS: Readonly<Record<string, ModelFacts>> = {
  "gpt-6.2-astra": gpt(8, 0.4, 40),
  "gpt-6.2-sol": gpt(2, 0.1, 10),
  "gpt-6.1-sol": gpt(2, 0.1, 10),
  "gpt-6-astra": gpt(10, 1, 50),
  "gpt-6-sol": gpt(2, 0.2, 10),
  "gpt-6-luna": gpt(0.1, 0.01, 0.5),
  "gpt-5.6-sol": gpt(4, 0.4, 20),
  "gpt-5.6-terra": gpt(2, 0.2, 12),
  "gpt-5.6-luna": gpt(0.2, 0.02, 1.2),
  "gpt-5.5": gpt(5, 0.5, 30),
  "gpt-5.5-pro": gpt(30, 30, 180),
  "gpt-5.4": gpt(2.5, 0.25, 15),
  "gpt-5.4-pro": gpt(30, 30, 180),
  "gpt-5.4-mini": flat(400_000, 0.75, 0.075, 4.5),
  "gpt-5.4-nano": flat(400_000, 0.2, 0.02, 1.25),
  "gpt-5.3-codex": flat(400_000, 1.75, 0.175, 14),
  "gpt-5.2": flat(400_000, 1.75, 0.175, 14),
  "gpt-5.2-codex": flat(400_000, 1.75, 0.175, 14),
  "gpt-5.2-pro": flat(400_000, 21, 21, 168),
  "gpt-5.1": flat(400_000, 1.25, 0.125, 10),
  "gpt-5.1-codex": flat(400_000, 1.25, 0.125, 10),
  "gpt-5.1-codex-max": flat(400_000, 1.25, 0.125, 10),
  "gpt-5.1-codex-mini": flat(400_000, 0.25, 0.025, 2),
  "gpt-5": flat(400_000, 1.25, 0.125, 10),
  "gpt-5-codex": flat(400_000, 1.25, 0.125, 10),
  "gpt-5-mini": flat(400_000, 0.25, 0.025, 2),
  "gpt-5-nano": flat(400_000, 0.05, 0.005, 0.4),
  "gpt-5-pro": flat(400_000, 15, 15, 120),
  "gpt-4.1": flat(1_047_576, 2, 0.5, 8),
  "gpt-4.1-mini": flat(1_047_576, 0.4, 0.1, 1.6),
  "gpt-4.1-nano": flat(1_047_576, 0.1, 0.025, 0.4),
  "gpt-4o": flat(128_000, 2.5, 1.25, 10),
  "gpt-4o-mini": flat(128_000, 0.15, 0.075, 0.6),
  o3: flat(200_000, 2, 0.5, 8),
  "o3-pro": flat(200_000, 20, 20, 80),
  "o3-mini": flat(200_000, 1.1, 0.55, 4.4),
  "o4-mini": flat(200_000, 1.1, 0.275, 4.4),
  o1: flat(200_000, 15, 7.5, 60),
  "claude-fable-5-1": flat(undefined, 10, 0.25, 50),
  "claude-fable-5": flat(undefined, 10, 1, 50),
  "claude-opus-5-5": flat(undefined, 4, 0.2, 20),
  "claude-opus-5": flat(undefined, 5, 0.5, 25),
  "claude-opus-4-8": flat(MILLION, 5, 0.5, 25),
  "claude-opus-4-7": flat(MILLION, 5, 0.5, 25),
  "claude-opus-4-6": flat(MILLION, 5, 0.5, 25),
  "claude-opus-4-5": flat(200_000, 5, 0.5, 25),
  "claude-opus-4-1": flat(200_000, 15, 1.5, 75),
  "claude-opus-4": flat(200_000, 15, 1.5, 75),
  "claude-sonnet-5-5": flat(undefined, 2, 0.1, 10),
  "claude-sonnet-5": flat(undefined, 2, 0.2, 10),
  "claude-sonnet-4-6": flat(MILLION, 3, 0.3, 15),
  "claude-sonnet-4-5": flat(200_000, 3, 0.3, 15),
  "claude-sonnet-4": flat(200_000, 3, 0.3, 15),
  "claude-haiku-5-5": {
    price: { input: 0.1, cached: 0.01, output: 0.5, long: { above: 100_000, input: 0.5, cached: 0.05, output: 2.5 } },
  },
  "claude-haiku-4-5": flat(200_000, 1, 0.1, 5),
  "gemini-4-neon": flat(MILLION, 3, 0.15, 15),
  "gemini-4-hydrogen": flat(MILLION, 1.5, 0.075, 7.5),
  "gemini-3.1-pro": geminiPro(2, 0.2, 12),
  "gemini-3-pro": geminiPro(2, 0.2, 12),
  "gemini-3-flash": flat(1_048_576, 0.5, 0.05, 3),
  "gemini-2.5-pro": geminiPro(1.25, 0.125, 10),
  "gemini-2.5-flash": flat(1_048_576, 0.3, 0.03, 2.5),
  "gemini-2.5-flash-lite": flat(1_048_576, 0.1, 0.01, 0.4),
};
