import { z } from "zod";
import { failed, ok } from "../core/result.ts";
import { defineTool } from "./define-tool.ts";
import type { RunUsage } from "./tool.ts";

export const tokenUsage = defineTool({
  name: "get_token_usage",
  description: "Says what this run has used so far of its budgets: turns, minutes, tokens, and money where prices are known.",
  effect: "read",
  priority: 70,
  parameters: z.object({}),
  handler(_, { usage }) {
    return usage === undefined ? failed("What this run uses is not counted here.") : ok(show(usage()));
  },
});

function show({ turns, minutes, tokens, usd, budget }: RunUsage): string {
  const total = tokens.input + tokens.output;
  return [
    `turns: ${of(turns, budget.turns)}`,
    `minutes: ${of(Number(minutes.toFixed(1)), budget.minutes)}`,
    `tokens: ${of(total, budget.tokens)}: ${tokens.input} in (${tokens.cached} of them from the provider's cache), ${tokens.output} out`,
    usd === undefined ? "US dollars: the model's price is not known" : `US dollars: ${of(Number(usd.toFixed(4)), budget.usd)}`,
  ].join("\n");
}

function of(used: number, limit: number | undefined): string {
  if (limit === undefined) return String(used);
  const share = limit > 0 ? ` (${Math.floor((used / limit) * 100)} %)` : "";
  return `${used} of ${limit}${share}`;
}
