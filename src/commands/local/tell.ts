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
  /** Shows what is being waited for until the next line, where somebody looks on. Undefined: nothing more is. */
  readonly busy?: (what: string | undefined) => void;
  /** Asks the person at the terminal; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Tells a person what goes on, a line a step with what it has cost so far; names and words of the model as inert text. `busy` is told what is being
 * waited for meanwhile.
 */
export function progressLines({ complain, busy = () => {} }: Pick<LocalWorld, "complain" | "busy">): (event: Progress) => void {
  let tokens = 0;
  let usd: number | undefined;
  busy("the model reads the task");
  return (event) => {
    if (event.kind === "turn") {
      tokens += event.tokens;
      if (event.usd !== undefined) usd = (usd ?? 0) + event.usd;
      const calls = event.calls.map(visible).join(", ");
      complain(`· turn ${event.turn}: ${calls === "" ? "answers" : calls} (${costWords(tokens, usd)})`);
      busy(calls === "" ? "the gate judges what was made" : calls);
      return;
    }
    if (event.kind === "tool-result" && event.status !== "ok") complain(`  ${visible(event.tool)}: ${event.status}`);
    else if (event.kind === "note" && event.text.startsWith("[auto_test] ")) complain(`  ${visible(event.text.split("\n", 1)[0] ?? "")}`);
    busy("the model thinks");
  };
}

const costWords = (tokens: number, usd: number | undefined): string => `${tokens} tokens${usd === undefined ? "" : `, $${usd.toFixed(2)}`}`;

/** A finding of the gate in one line. */
export function findingLine({ rule, severity, where, why, fix }: Finding): string {
  const place = where === undefined ? "" : ` ${visible(where.path)}${where.line === undefined ? "" : `:${where.line}`}`;
  return `gate ${SEVERITY_WORDS[severity]}: ${visible(rule)}${place}: ${visible(why)}. ${visible(fix)}`;
}

/** Model, tokens and money of a conversation, for people. */
export function figuresLine({ model, usage, usd, turns }: Conversation): string {
  return `${visible(model)}, ${turns} ${turns === 1 ? "turn" : "turns"}, ${costWords(usage.input + usage.output, usd)}`;
}

/** Why a conversation did not come to its own end; undefined when it did. */
export function whyUnfinished(conversation: Conversation): string | undefined {
  if (conversation.end === "stop") return undefined;
  if (conversation.end === "failed") return [conversation.why, conversation.hint].filter(Boolean).join(" ");
  return conversation.end === "out-of-budget" ? `the limit ${conversation.budget} was reached` : "it was cancelled";
}
