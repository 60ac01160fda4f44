import type { AssistantMessage, Message, Usage } from "../core/conversation.ts";
import { addUsage, NO_USAGE } from "../core/conversation.ts";
import type { JournalEntry } from "../core/journal.ts";
import { failed, renderToolResult, type ToolResult } from "../core/result.ts";

/** One turn as the journal has it: the model's message, what its calls came to, what the loop said after it. */
export interface PastTurn {
  readonly number: number;
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly model: string;
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly notes: readonly string[];
  /** The workspace was stored in this turn, so one of its calls has changed it. */
  readonly changed: boolean;
  /** The workspace was stored after the last result that is here: the next call has run, and its result was lost. */
  readonly resultLost: boolean;
}

export interface History {
  /** Absent before the conversation has begun. */
  readonly opening: readonly Message[] | undefined;
  /** What the loop said before the first turn. */
  readonly notes: readonly string[];
  readonly turns: readonly PastTurn[];
  readonly usage: Usage;
}

interface OpenTurn extends PastTurn {
  readonly results: Map<string, ToolResult>;
  readonly notes: string[];
  changed: boolean;
  resultLost: boolean;
}

/** Folds a run's journal into its conversation. Rows of other rooms are passed over. */
export function foldHistory(entries: readonly JournalEntry[]): History {
  let opening: readonly Message[] | undefined;
  const notes: string[] = [];
  const turns: OpenTurn[] = [];
  let usage = NO_USAGE;
  for (const entry of entries) {
    const last = turns.at(-1);
    switch (entry.kind) {
      case "opening":
        opening ??= entry.messages;
        break;
      case "turn": {
        const { turn: number, message, model } = entry;
        turns.push({ number, message, usage: entry.usage, model, results: new Map(), notes: [], changed: false, resultLost: false });
        usage = addUsage(usage, entry.usage);
        break;
      }
      case "tool-result":
        if (last === undefined || last.results.has(entry.callId)) break;
        last.results.set(entry.callId, entry.result);
        last.resultLost = false;
        break;
      case "note":
        (last?.notes ?? notes).push(entry.text);
        break;
      case "snapshot":
        if (last !== undefined) last.changed = last.resultLost = true;
        break;
      case "phase":
      case "decision":
      case "branch":
      case "intent":
      case "outcome":
      case "published":
        break;
    }
  }
  return { opening, notes, turns, usage };
}

/** The history as messages: each call is answered once, directly after its message, in the order of the calls. */
export function toMessages({ opening, notes, turns }: History): Message[] {
  const say = (text: string): Message => ({ role: "user", text });
  return [...(opening ?? []), ...notes.map(say), ...turns.flatMap((turn) => [...turnMessages(turn), ...turn.notes.map(say)])];
}

function turnMessages({ message, results }: PastTurn): Message[] {
  const answers = message.calls.map(({ id }): Message => {
    return { role: "tool", callId: id, text: renderToolResult(results.get(id) ?? failed("This call was not run.")) };
  });
  return [message, ...answers];
}

/** How many messages the newest results take, with what came after them: from the last turn that made calls to the end. */
export function newestMessages({ turns }: History): number {
  const from = turns.findLastIndex(({ message }) => message.calls.length > 0);
  return turns.slice(Math.max(0, from)).reduce((sum, turn) => sum + 1 + turn.message.calls.length + turn.notes.length, 0);
}

/** How many turns at the end of the history fit the test without a break. */
export function trailing(turns: readonly PastTurn[], fits: (turn: PastTurn) => boolean): number {
  return turns.length - 1 - turns.findLastIndex((turn) => !fits(turn));
}
