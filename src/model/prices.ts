import type { Usage } from "../core/conversation.ts";
import { KNOWN_MODELS } from "./known-models.ts";
import type { ModelFacts, Price } from "./model-facts.ts";

/** What configuration says of models, by their names; a name that ends in `*` stands for all that begin so. */
export interface ConfiguredFacts {
  readonly prices?:
    | Readonly<Record<string, { readonly input: number; readonly output: number; readonly cached_input?: number | undefined }>>
    | undefined;
  /** Tokens: for every model, or by model. */
  readonly context_window?: number | Readonly<Record<string, number>> | undefined;
}

/**
 * What is known of a model: what configuration says before what the table says. A name stands for its dated versions (`gpt-5-2025-08-07`)
 * and for itself behind a vendor's (`openai/gpt-5`), never for other models that begin alike.
 */
export function factsOf(name: string, { prices = {}, context_window }: ConfiguredFacts = {}): ModelFacts {
  const table = lookUp(name, KNOWN_MODELS);
  const configured = lookUp(name, prices);
  const price = configured === undefined ? table?.price : { ...configured, cached: configured.cached_input ?? configured.input };
  const window = typeof context_window === "object" ? lookUp(name, context_window) : context_window;
  const contextWindow = window ?? table?.contextWindow;
  return { ...(price === undefined ? {} : { price }), ...(contextWindow === undefined ? {} : { contextWindow }) };
}

/** United States dollars of one answer. Cached tokens are part of the input. */
export function costOf({ input, output, cached }: Usage, price: Price): number {
  const rates = price.long !== undefined && input > price.long.above ? price.long : price;
  return ((input - cached) * rates.input + cached * rates.cached + output * rates.output) / 1_000_000;
}

function lookUp<T>(name: string, table: Readonly<Record<string, T>>): T | undefined {
  const keys = new Map(Object.keys(table).map((key) => [key.toLowerCase(), key]));
  for (const spelling of spellings(name.trim().toLowerCase())) {
    const key = keys.get(spelling) ?? longestPrefix(spelling, [...keys.keys()], keys);
    if (key !== undefined) return table[key];
  }
  return undefined;
}

/** The name as it is, then without vendor, then without its date or its place in a line of versions. */
function spellings(name: string): readonly string[] {
  const bare = name.slice(name.lastIndexOf("/") + 1);
  const undated = (text: string): string => text.replace(/[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest|preview(-\d{2}-\d{2,4})?)$/, "");
  // Anthropic writes 4.5 as 4-5 in its own names; routers write it with a dot.
  const dashed = (text: string): string => (text.startsWith("claude-") ? text.replaceAll(".", "-") : text);
  return [...new Set([name, bare, undated(bare), dashed(undated(bare))])];
}

function longestPrefix(name: string, candidates: readonly string[], keys: ReadonlyMap<string, string>): string | undefined {
  const fitting = candidates.filter((key) => key.endsWith("*") && name.startsWith(key.slice(0, -1)));
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : keys.get(longest);
}
