import type { AssistantMessage, Message, Usage } from "../core/conversation.ts";
import { addUsage, NO_USAGE } from "../core/conversation.ts";
import type { InnerEntry, JournalEntry } from "../core/journal.ts";
import { failed, renderToolResult, type ToolResult } from "../core/result.ts";

/** One turn as the journal has it: the model's message, what its calls came to, what the loop said after it. */
export interface PastTurn {
  readonly number: number;
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly model: string;
  /** United States dollars, where the price was known. */
  readonly usd?: number;
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly notes: readonly string[];
  /** The workspace was stored in this turn, so one of its calls has changed it. */
  readonly changed: boolean;
  /** The workspace was stored after the last result that is here: the next call has run, and its result was lost. */
  readonly resultLost: boolean;
}

/** What stands in place of the turns up to one. */
export interface Compacted {
  readonly turn: number;
  readonly text: string;
  /** What the model said of them, where it was asked. */
  readonly summary?: string;
}

export interface History {
  /** Absent before the conversation has begun. */
  readonly opening: readonly Message[] | undefined;
  /** What the loop said before the first turn. */
  readonly notes: readonly string[];
  /** All of them, those that have left the conversation included. */
  readonly turns: readonly PastTurn[];
  /** The last one, which stands for the earlier ones as well. */
  readonly compacted: Compacted | undefined;
  readonly usage: Usage;
}

interface OpenTurn extends PastTurn {
  readonly results: Map<string, ToolResult>;
  readonly notes: string[];
  changed: boolean;
  resultLost: boolean;
  usd?: number;
}

interface OpenHistory extends History {
  opening: readonly Message[] | undefined;
  readonly notes: string[];
  readonly turns: OpenTurn[];
  compacted: Compacted | undefined;
  usage: Usage;
}

/** A run's conversation as far as its journal goes. Each row is folded once, so a step costs what is new and not what was. */
export interface HistoryFold {
  /** One object that grows with the journal. */
  read(): History;
}

/** Folds a run's journal, which only grows, into its conversation. */
export function startFold(entries: readonly JournalEntry[]): HistoryFold {
  const history: OpenHistory = { opening: undefined, notes: [], turns: [], compacted: undefined, usage: NO_USAGE };
  let folded = 0;
  return {
    read() {
      for (; folded < entries.length; folded++) {
        const entry = entries[folded];
        if (entry !== undefined) fold(history, entry);
      }
      return history;
    },
  };
}

/** Rows of other rooms are passed over. */
function fold(history: OpenHistory, entry: JournalEntry): void {
  const last = history.turns.at(-1);
  switch (entry.kind) {
    case "opening":
      history.opening ??= entry.messages;
      break;
    case "turn": {
      const { turn: number, message, model, usage, usd } = entry;
      const cost = usd === undefined ? {} : { usd };
      history.turns.push({ number, message, usage, model, ...cost, results: new Map(), notes: [], changed: false, resultLost: false });
      history.usage = addUsage(history.usage, usage);
      break;
    }
    case "tool-result":
      if (last === undefined || last.results.has(entry.callId)) break;
      last.results.set(entry.callId, entry.result);
      last.resultLost = false;
      break;
    case "note":
      (last?.notes ?? history.notes).push(entry.text);
      break;
    case "compacted": {
      const { turn, text, summary } = entry;
      history.compacted = { turn, text, ...(summary === undefined ? {} : { summary: summary.text }) };
      if (summary !== undefined) spend(history, summary);
      break;
    }
    case "snapshot":
      if (last !== undefined) last.changed = last.resultLost = true;
      break;
    case "phase":
    case "settings":
    case "asked":
    case "approved":
    case "asked-call":
    case "answered":
    case "responded":
    case "artifact":
    case "decision":
    case "branch":
    case "intent":
    case "outcome":
    case "published":
    case "replayed":
      break;
    case "nested":
      foldNested(history, entry.entry);
      break;
  }
}

/** What was used beside the turns is the run's as well; its cost is the last turn's. */
function spend(history: OpenHistory, { usage, usd }: { readonly usage: Usage; readonly usd?: number }): void {
  const last = history.turns.at(-1);
  history.usage = addUsage(history.usage, usage);
  if (usd !== undefined && last !== undefined) last.usd = (last.usd ?? 0) + usd;
}

/** What runs inside a call is used up by the run; and a call of a script that has ended is what the snapshot before it came from. */
function foldNested(history: OpenHistory, entry: InnerEntry): void {
  const last = history.turns.at(-1);
  if (entry.kind === "turn") {
    spend(history, entry);
  } else if (entry.kind === "compacted" && entry.summary !== undefined) spend(history, entry.summary);
  else if (entry.kind === "tool-result" && last !== undefined) last.resultLost = false;
}

/** The history as messages: each call is answered once, directly after its message, in the order of the calls. */
export function toMessages({ opening = [], notes, turns, compacted }: History): Message[] {
  if (compacted === undefined) return [...opening, ...notes.map(say), ...turns.flatMap(messagesOf)];
  return [...opening, say(compacted.text), ...turnsAfter(turns, compacted.turn).flatMap(messagesOf)];
}

/** The turns that come after one by its number: they are numbered in their order. */
export function turnsAfter(turns: readonly PastTurn[], turn: number): readonly PastTurn[] {
  return turns.slice(turns.findLastIndex(({ number }) => number <= turn) + 1);
}

/** One turn's messages, what the loop said after it included. */
export function messagesOf({ message, results, notes }: PastTurn): Message[] {
  const answers = message.calls.map(({ id }): Message => {
    return { role: "tool", callId: id, text: renderToolResult(results.get(id) ?? failed("This call was not run.")) };
  });
  return [message, ...answers, ...notes.map(say)];
}

function say(text: string): Message {
  return { role: "user", text };
}

/** How many turns at the end of the history fit the test without a break. */
export function trailing(turns: readonly PastTurn[], fits: (turn: PastTurn) => boolean): number {
  return turns.length - 1 - turns.findLastIndex((turn) => !fits(turn));
}
