import type { Conversation, Progress } from "../../agent/converse.ts";
import type { Finding } from "../../core/result.ts";
import { SEVERITY_WORDS } from "../../core/words.ts";
import { visible } from "../../gate/report/visible.ts";

/** What a command on a local checkout may see and touch of the machine. */
export interface LocalWorld {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The result. */
  readonly write: (text: string) => void;
  /** Progress and complaints. */
  readonly complain: (line: string) => void;
  /** Asks the person at the terminal; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Tells a person what goes on, a line a step; names and words of the model as inert text. */
export function progressLines(say: (line: string) => void): (event: Progress) => void {
  return (event) => {
    if (event.kind === "turn") say(`· turn ${event.turn}: ${event.calls.length === 0 ? "answers" : event.calls.map(visible).join(", ")}`);
    else if (event.kind === "tool-result" && event.status !== "ok") say(`  ${visible(event.tool)}: ${event.status}`);
    else if (event.kind === "note" && event.text.startsWith("[auto_test] ")) say(`  ${visible(event.text.split("\n", 1)[0] ?? "")}`);
  };
}

/** A finding of the gate in one line. */
export function findingLine({ rule, severity, where, why, fix }: Finding): string {
  const place = where === undefined ? "" : ` ${visible(where.path)}${where.line === undefined ? "" : `:${where.line}`}`;
  return `gate ${SEVERITY_WORDS[severity]}: ${visible(rule)}${place}: ${visible(why)}. ${visible(fix)}`;
}

/** Model, tokens and money of a conversation, for people. */
export function figuresLine({ model, usage, usd, turns }: Conversation): string {
  const cost = usd === undefined ? "" : `, $${usd.toFixed(2)}`;
  return `${visible(model)}, ${turns} ${turns === 1 ? "turn" : "turns"}, ${usage.input + usage.output} tokens${cost}`;
}

/** Why a conversation did not come to its own end; undefined when it did. */
export function whyUnfinished(conversation: Conversation): string | undefined {
  if (conversation.end === "stop") return undefined;
  if (conversation.end === "failed") return [conversation.why, conversation.hint].filter(Boolean).join(" ");
  return conversation.end === "out-of-budget" ? `the limit ${conversation.budget} was reached` : "it was cancelled";
}
