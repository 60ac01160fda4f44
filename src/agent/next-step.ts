import type { ToolCall } from "../core/conversation.ts";
import { readArguments } from "../model/arguments.ts";
import { type BudgetName, type BudgetUse, budgetNamedBy, budgetNote } from "./budget.ts";
import { type History, type PastTurn, trailing } from "./history.ts";
import { kindOf, refusalOf } from "./recorded-answer.ts";

export type ConversationEnd =
  | { readonly end: "stop"; readonly text: string }
  | { readonly end: "out-of-budget"; readonly budget: BudgetName; readonly text: string }
  | { readonly end: "failed"; readonly why: string; readonly hint?: string }
  | { readonly end: "cancelled" };

export type Step =
  | { readonly do: "open" }
  | { readonly do: "call"; readonly turn: PastTurn; readonly call: ToolCall }
  | { readonly do: "repair"; readonly turn: PastTurn }
  | { readonly do: "note"; readonly turn: number; readonly text: string }
  /** `concluding`: without tools, for the budget that is used up. */
  | { readonly do: "ask"; readonly turn: number; readonly concluding: BudgetName | undefined }
  | { readonly do: "end"; readonly end: ConversationEnd };

export interface Situation {
  /** Whether the turn changed the workspace and its tests have not been asked for. */
  readonly needsRepair: (turn: PastTurn) => boolean;
  /** The tool on which the run turns in circles. */
  readonly stuckOn: string | undefined;
  readonly tightest: BudgetUse;
}

/** How many answers of one fruitless kind in a row end the run. */
const FRUITLESS = 3;
/** How many turns in a row in which no call could be read end the run. */
const UNREADABLE = 5;
const NUDGE = {
  empty: "Your answer was empty. Go on with a tool call, or say in words that you have finished.",
  cut: "Your answer was cut off at the output limit. Go on from where it ended, in smaller steps.",
  withheld: "The provider's content filter withheld your answer. Go on in other words.",
} as const;
const WHY = {
  empty: "the model gave an empty answer",
  cut: "the model's answer was cut off at its output limit",
  withheld: "the provider's content filter withheld the model's answer",
} as const;

/**
 * What comes next, from the history alone: a run that goes on and a run that is resumed take the same way. What has been answered is not
 * asked again, what has a result is not run again.
 */
export function nextStep(history: History, { needsRepair, stuckOn, tightest }: Situation): Step {
  if (history.opening === undefined) return { do: "open" };
  const last = history.turns.at(-1);
  if (last !== undefined) {
    const step = afterTurn(history, last, needsRepair, stuckOn);
    if (step !== undefined) return step;
  }
  const turn = last?.number ?? 0;
  const concluding = budgetNamedBy(last?.notes ?? history.notes);
  if (concluding === undefined) {
    const note = budgetNote(history, tightest);
    if (note !== undefined) return { do: "note", turn, text: note };
  }
  return { do: "ask", turn: turn + 1, concluding };
}

function afterTurn(
  { notes, turns }: History,
  last: PastTurn,
  needsRepair: Situation["needsRepair"],
  stuckOn: string | undefined,
): Step | undefined {
  const end = (end: ConversationEnd): Step => ({ do: "end", end });
  const call = last.message.calls.find(({ id }) => !last.results.has(id));
  if (call !== undefined) return { do: "call", turn: last, call };
  const concluded = budgetNamedBy(turns.at(-2)?.notes ?? notes);
  if (concluded !== undefined) return end({ end: "out-of-budget", budget: concluded, text: lastWords(turns) });
  if (needsRepair(last)) return { do: "repair", turn: last };
  if (stuckOn !== undefined) return end({ end: "failed", why: `the model repeated the same call of ${stuckOn} with the same result` });
  const kind = kindOf(last.message);
  if (kind === "calls") {
    const times = trailing(turns, isUnreadable);
    return times < UNREADABLE ? undefined : end({ end: "failed", why: `no call of the model could be read ${times} times in a row` });
  }
  if (kind === "text") return end({ end: "stop", text: last.message.text });
  if (kind === "refused") return end({ end: "failed", why: `the model refused: ${refusalOf(last.message)}` });
  const times = trailing(turns, ({ message }) => kindOf(message) === kind);
  if (times >= FRUITLESS) return end({ end: "failed", why: `${WHY[kind]} ${times} times in a row` });
  return last.notes.includes(NUDGE[kind]) ? undefined : { do: "note", turn: last.number, text: NUDGE[kind] };
}

function isUnreadable({ message: { calls } }: PastTurn): boolean {
  return calls.length > 0 && calls.every((call) => !readArguments(call.arguments).ok);
}

/** The model's last words, whatever else it did in that turn. */
export function lastWords(turns: readonly PastTurn[]): string {
  return turns.findLast(({ message }) => message.text.trim() !== "")?.message.text ?? "";
}
