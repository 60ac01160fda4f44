import { type Budget, usdOf } from "../agent/budget.ts";
import { startFold } from "../agent/history.ts";
import type { Journal } from "../core/journal.ts";
import type { RunUsage } from "../tools/tool.ts";

/** What a run has used by now, as its journal has it. */
export function runUsage(journal: Pick<Journal, "entries">, budget: Budget, startedAt: number, now: number): RunUsage {
  const { turns, usage } = startFold(journal.entries).read();
  const usd = usdOf(turns);
  return {
    turns: turns.length,
    minutes: (now - startedAt) / 60_000,
    tokens: usage,
    ...(usd === undefined ? {} : { usd }),
    budget: {
      turns: budget.maxTurns,
      minutes: budget.maxMinutes,
      tokens: budget.maxTokens,
      ...(budget.maxUsd === undefined ? {} : { usd: budget.maxUsd }),
    },
  };
}
