import type { Usage } from "../core/conversation.ts";

/** What a server tells of an answer's cost. */
export interface ToldUsage {
  readonly usage: Usage | undefined;
  /** United States dollars, where the server names them (OpenRouter). */
  readonly usd: number | undefined;
}

/** Reads a usage object of either wire; undefined fields where nothing of use is told. */
export function readUsage(value: unknown): ToldUsage {
  if (typeof value !== "object" || value === null) return { usage: undefined, usd: undefined };
  const told = value as Record<string, unknown>;
  const details = (told["prompt_tokens_details"] ?? told["input_tokens_details"] ?? {}) as Record<string, unknown>;
  const output = count(told["completion_tokens"]) ?? count(told["output_tokens"]) ?? 0;
  const named = count(told["prompt_tokens"]) ?? count(told["input_tokens"]);
  const input = named ?? Math.max(0, (count(told["total_tokens"]) ?? 0) - output);
  if (input + output === 0) return { usage: undefined, usd: undefined };
  const cached = count(details["cached_tokens"]) ?? count(told["prompt_cache_hit_tokens"]) ?? 0;
  const cost = told["cost"];
  return {
    usage: { input, output, cached: Math.min(cached, input) },
    usd: typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? cost : undefined,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
}
