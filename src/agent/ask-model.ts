import type { Message } from "../core/conversation.ts";
import type { Journal } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import { ModelError } from "../model/errors.ts";
import type { Model, ModelAnswer, ToolDefinition } from "../model/model.ts";
import { orAbandon } from "./abandon.ts";
import type { BudgetName } from "./budget.ts";
import { type Compaction, createCompactor, USUAL_WINDOW } from "./compact.ts";
import { type HistoryFold, toMessages } from "./history.ts";
import { type ConversationEnd, lastWords } from "./next-step.ts";
import { storable } from "./recorded-answer.ts";
import { summarise } from "./summarise.ts";

export interface AskOptions {
  readonly model: Model;
  readonly definitions: readonly ToolDefinition[];
  readonly isWrite: (tool: string) => boolean;
  readonly journal: Journal;
  readonly fold: HistoryFold;
  /** Whether turns that leave the conversation are summarised by the model as well. */
  readonly compaction: "digest" | "summary";
  readonly mask: (text: string) => string;
  /** Cancels the run. */
  readonly signal: AbortSignal;
  /** Cancels the run, or ends its time. */
  readonly stopped: AbortSignal;
  /** When the run's time is up, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly graceMs: number;
  readonly log: Logger;
}

/** Longest concluding turn, in milliseconds: time that is used up must not be used on. */
const CONCLUSION_MS = 20_000;
/** How often a conversation that a server refused as too long is made shorter for one turn. */
const SHORTENINGS = 2;

/** Asks the model for the next turn; `concluding` asks without tools, for the budget that is used up. Answers the run's end where there is none. */
export type AskModel = (concluding: BudgetName | undefined) => Promise<ModelAnswer | ConversationEnd>;

/** Asks with a conversation that fits the model's window: turns that leave it are journalled before the request that lacks them. */
export function createAsker(options: AskOptions): AskModel {
  const { model, definitions, isWrite, journal, fold, mask, signal, stopped, endsAt, graceMs, log } = options;
  const window = model.contextWindow ?? USUAL_WINDOW;
  const compactor = createCompactor({ window, definitions, isWrite });
  // Long conversations are masked again and again; a token that is issued later cannot stand in a text that was there before it.
  const masks = new Map<string, string>();

  async function compact(compaction: Compaction): Promise<void> {
    const { turn, leaving } = compaction;
    const earlier = fold.read().compacted?.summary;
    // Two bytes for each token: half of the window is left for its frame and its answer.
    const room = Math.floor(window * 1.5);
    const summary =
      options.compaction === "summary" ? await summarise({ model, leaving, earlier, room, mask, signal: stopped, log }) : undefined;
    const text = storable(mask(compaction.digest(summary?.text)));
    await journal.append({ kind: "compacted", turn, text, ...(summary === undefined ? {} : { summary }) });
    masks.clear();
    log.info({ turn, turns: leaving.length, summary: summary?.text !== undefined }, "turns have left the conversation to make room");
  }

  const maskedText = (text: string): string => {
    const known = masks.get(text) ?? mask(text);
    masks.set(text, known);
    return known;
  };

  function masked(message: Message): Message {
    const text = maskedText(message.text);
    if (message.role !== "assistant") return { ...message, text };
    const { opaque, ...rest } = message;
    const calls = message.calls.map((call) => ({ ...call, arguments: maskedText(call.arguments) }));
    // Signed by the provider: it is sent as it came, or not at all.
    const raw = opaque === undefined ? "" : JSON.stringify(opaque.items);
    return { ...rest, text, calls, ...(opaque !== undefined && maskedText(raw) === raw ? { opaque } : {}) };
  }

  return async (concluding) => {
    const until = concluding === undefined ? stopped : AbortSignal.any([signal, AbortSignal.timeout(CONCLUSION_MS)]);
    const outOfBudget = (budget: BudgetName): ConversationEnd => ({ end: "out-of-budget", budget, text: lastWords(fold.read().turns) });
    for (let shortenings = 0; ;) {
      const history = fold.read();
      const messages = toMessages(history);
      const size = compactor.sizeOf(messages);
      const due = compactor.due(history, size);
      if (due !== undefined) {
        await compact(due);
        continue;
      }
      try {
        const request = {
          messages: messages.map(masked),
          tools: concluding === undefined ? definitions : [],
          signal: until,
          ...(concluding === undefined ? { until: endsAt } : {}),
        };
        const settled = await orAbandon(model.complete(request), until, graceMs);
        if (settled.done) {
          if (settled.value.usageEstimated !== true) compactor.learn(size, settled.value.usage);
          return settled.value;
        }
        until.throwIfAborted();
      } catch (error) {
        if (signal.aborted) return { end: "cancelled" };
        if (until.aborted) return outOfBudget(concluding ?? "max_minutes");
        if (!(error instanceof ModelError)) throw error;
        const isTooLong = error.code === "context-too-long" && shortenings < SHORTENINGS;
        const shorter = isTooLong ? compactor.afterRefusal(history, size, shortenings > 0) : undefined;
        if (shorter === undefined) {
          if (concluding !== undefined) return outOfBudget(concluding);
          return { end: "failed", why: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
        }
        shortenings++;
        await compact(shorter);
      }
    }
  };
}
