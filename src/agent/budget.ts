import type { History, PastTurn } from "./history.ts";

/** What a run may use. Fractions count. */
export interface Budget {
  readonly maxTurns: number;
  readonly maxMinutes: number;
  /** Input and output together, cached input included. */
  readonly maxTokens: number;
  /** United States dollars; counts the turns whose price is known. */
  readonly maxUsd?: number;
}

/** As configuration spells them. */
export type BudgetName = "max_turns" | "max_minutes" | "max_tokens" | "max_usd";

export interface BudgetUse {
  readonly name: BudgetName;
  readonly used: number;
  readonly limit: number;
}

/** Share of a budget at which the model is told. */
const WARNED_AT = 0.8;
const PREFIX = "[budget] ";

/** The budget that is used most, by share. */
export function tightestBudget({ turns, usage }: History, budget: Budget, elapsedMs: number): BudgetUse {
  const uses: readonly BudgetUse[] = [
    { name: "max_turns", used: turns.length, limit: budget.maxTurns },
    { name: "max_tokens", used: usage.input + usage.output, limit: budget.maxTokens },
    { name: "max_minutes", used: elapsedMs / 60_000, limit: budget.maxMinutes },
    ...(budget.maxUsd === undefined ? [] : [{ name: "max_usd", used: usdOf(turns) ?? 0, limit: budget.maxUsd } as const]),
  ];
  return uses.reduce((tightest, use) => (shareOf(use) > shareOf(tightest) ? use : tightest));
}

/** What turns cost in United States dollars; undefined where no price was known. */
export function usdOf(turns: readonly Pick<PastTurn, "usd">[]): number | undefined {
  const known = turns.flatMap(({ usd }) => (usd === undefined ? [] : [usd]));
  return known.length === 0 ? undefined : known.reduce((sum, usd) => sum + usd, 0);
}

const isUsedUp = (use: BudgetUse): boolean => shareOf(use) >= 1;

/** What the model is told at 80 %, once a run, and at the limit; undefined in between and after. */
export function budgetNote(history: History, use: BudgetUse): string | undefined {
  if (isUsedUp(use)) {
    return `${PREFIX}${use.name} is used up (${amount(use)}). This is the last turn and it has no tools: say in a few words what was done, what was not, and what comes next.`;
  }
  const told = allNotes(history).some((text) => text.startsWith(PREFIX));
  if (shareOf(use) < WARNED_AT || told) return undefined;
  return `${PREFIX}${Math.floor(shareOf(use) * 100)} % of ${use.name} is used (${amount(use)}). Finish what matters most and publish it; at the limit the run ends.`;
}

/** The budget that a note of the last turn called used up: the turn after it has no tools, and the run ends with it. */
export function budgetNamedBy(notes: readonly string[]): BudgetName | undefined {
  for (const text of notes) {
    const name = /^\[budget\] (max_turns|max_minutes|max_tokens|max_usd) is used up/.exec(text)?.[1];
    if (name !== undefined) return name as BudgetName;
  }
  return undefined;
}

const shareOf = ({ used, limit }: BudgetUse): number => (limit > 0 ? used / limit : 1);

function amount({ name, used, limit }: BudgetUse): string {
  const shown = name === "max_minutes" ? used.toFixed(1) : name === "max_usd" ? used.toFixed(4) : used;
  return `${shown} of ${limit}`;
}

function allNotes({ notes, turns }: History): readonly string[] {
  return [...notes, ...turns.flatMap((turn) => turn.notes)];
}
