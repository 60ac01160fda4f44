import type { Message, ToolCall, Usage } from "../core/conversation.ts";
import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import { ok, type ToolResult } from "../core/result.ts";
import type { Model } from "../model/model.ts";
import type { NestedCalls, Tool, WriteContext } from "../tools/tool.ts";
import { orAbandon } from "./abandon.ts";
import { createAsker } from "./ask-model.ts";
import { type Budget, tightestBudget, usdOf } from "./budget.ts";
import { startDeadline } from "./deadline.ts";
import { type Executed, type Execution, executeCall } from "./execute.ts";
import { type History, type PastTurn, startFold } from "./history.ts";
import { type ConversationEnd, nextStep, type Step } from "./next-step.ts";
import { openNestedCalls } from "./nested-calls.ts";
import { recordAnswer, recordConclusion, storable } from "./recorded-answer.ts";
import { createRepetitionGuard } from "./repetition.ts";

export interface ConverseOptions {
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** Tools that exist and are not offered in this run, by name: why, as a sentence. */
  readonly withheld?: ReadonlyMap<string, string>;
  readonly contextFor: (callId: string) => WriteContext;
  readonly journal: Journal;
  /** Called only when the journal has no opening yet. */
  readonly opening: () => Promise<readonly Message[]>;
  readonly budget: Budget;
  /** How turns that leave a long conversation are told: by what they did, or by a model's summary as well. `digest` when not said. */
  readonly compaction?: "digest" | "summary";
  /** Runs the repository's tests after a turn that changed the workspace; what it answers (`[auto_test] …`) is told to the model. */
  readonly repair?: () => Promise<string | undefined>;
  /**
   * Stores the workspace in the journal, as the only one who does. Called after each call that may have changed it, before its result is
   * journalled; answers `false` where nothing had changed, and stores nothing then.
   */
  readonly snapshot?: (turn: number) => Promise<unknown>;
  /** Takes the values of secrets out of everything that is sent to the model or journalled as a result. */
  readonly mask?: (text: string) => string;
  /** Cancels the run; what is under way is not journalled, so that a run stopped by its process can be resumed. */
  readonly signal: AbortSignal;
  /** When the run began, in milliseconds since the epoch; a resumed run keeps its first beginning. */
  readonly startedAt: number;
  readonly now?: () => number;
  /** How long a handler that ignores its signal is waited for, in milliseconds. */
  readonly graceMs?: number;
  readonly onProgress?: (event: Progress) => void;
  readonly log: Logger;
}

/** What somebody who watches the run may see of it. Observers are lossy: what they throw is dropped. */
export type Progress =
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly text: string;
      readonly calls: readonly string[];
      /** What this turn cost: tokens in and out, and United States dollars where a price is known. */
      readonly tokens: number;
      readonly usd?: number;
    }
  | { readonly kind: "tool-result"; readonly turn: number; readonly tool: string; readonly status: ToolResult["status"] }
  | { readonly kind: "note"; readonly turn: number; readonly text: string };

export type Conversation = ConversationEnd & {
  readonly usage: Usage;
  /** United States dollars, as far as prices were known. */
  readonly usd?: number;
  readonly turns: number;
  /** The model that answered last, as its server names it. */
  readonly model: string;
};

/**
 * Holds one run's conversation: ask the model, run its calls, journal each when it is there, until an end. The history is a fold over the
 * journal and nothing else, so a resumed run asks nothing twice.
 * @throws {StaleAttemptError} when another worker has taken the run.
 */
export async function converse(options: ConverseOptions): Promise<Conversation> {
  const { model, journal, signal, log, mask = (text) => text, now = Date.now, graceMs = 5000 } = options;
  const fold = startFold(journal.entries);
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const definitions = [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
  const isWrite = (name: string): boolean => tools.get(name)?.effect === "write";
  const guard = createRepetitionGuard(isWrite);
  const endsAt = options.startedAt + options.budget.maxMinutes * 60_000;
  const deadline = startDeadline(endsAt - now());
  const stopped = AbortSignal.any([signal, deadline.signal]);
  const { compaction = "digest" } = options;
  const askModel = createAsker({
    model,
    definitions,
    isWrite,
    journal,
    fold,
    compaction,
    mask,
    signal,
    stopped,
    endsAt,
    graceMs,
    log,
  });
  const broken = new Map<string, string>();
  const changed = new Set<number>();
  let tested = 0;

  const tell = (event: Progress): void => {
    try {
      options.onProgress?.(event);
    } catch (error) {
      log.debug({ error: messageOf(error) }, "an observer of the conversation failed");
    }
  };

  async function note(turn: number, text: string): Promise<void> {
    const clean = storable(mask(text));
    await journal.append({ kind: "note", turn, text: clean });
    tell({ kind: "note", turn, text: clean });
  }

  async function call({ turn, call }: Step & { do: "call" }, history: History): Promise<ConversationEnd | undefined> {
    const why = deadline.signal.aborted ? "the run's time is used up" : broken.get(call.id);
    const { withheld = new Map<string, string>(), contextFor } = options;
    const execution = { tools, withheld, contextFor, mask, journal, signal: stopped, graceMs };
    // A call that replays finds out itself which of its nested calls was lost.
    const replays = tools.get(call.name)?.replays === true;
    const nesting = replays ? { nested: nestedIn(turn, call, execution) } : {};
    const executed = turn.resultLost && !replays ? lostResult() : await executeCall(call, why, execution, nesting);
    if (executed.changed && (await options.snapshot?.(turn.number)) !== false) changed.add(turn.number);
    if (signal.aborted && (executed.abandoned || executed.result.status !== "ok")) return { end: "cancelled" };
    const result = guard.warn(history.turns, call, executed.result);
    const { entry: spilled, blobs } = executed.spilled ?? {};
    const row = { kind: "tool-result", turn: turn.number, callId: call.id, tool: call.name, result } as const;
    await journal.append(spilled === undefined ? row : { ...row, spilled }, blobs);
    log.info({ turn: turn.number, tool: call.name, status: result.status }, "a tool call has ended");
    tell({ kind: "tool-result", turn: turn.number, tool: call.name, status: result.status });
    return undefined;
  }

  /** The other tools, for a call that uses them: each use comes the way of a direct call. */
  function nestedIn({ number: turn, resultLost }: PastTurn, parent: ToolCall, execution: Execution): NestedCalls {
    const others = new Map([...tools].filter(([name]) => name !== parent.name));
    const withheld = new Map([...execution.withheld, [parent.name, "it cannot be called from within itself."]]);
    return openNestedCalls({
      parent,
      turn,
      resultLost,
      names: [...others.keys()],
      journal,
      mask,
      signal,
      execute: (call) => executeCall(call, undefined, { ...execution, tools: others, withheld }, { parentCallId: parent.id }),
      async onChanged() {
        if ((await options.snapshot?.(turn)) !== false) changed.add(turn);
      },
      onResult(tool, { status }) {
        log.info({ turn, tool, status, parent: parent.id }, "a nested tool call has ended");
        tell({ kind: "tool-result", turn, tool, status });
      },
    });
  }

  async function repair(turn: PastTurn): Promise<void> {
    tested = turn.number;
    if (options.repair === undefined || stopped.aborted) return;
    const tests = options.repair().catch((error: unknown) => {
      if (error instanceof StaleAttemptError) throw error;
      log.warn({ turn: turn.number, error: messageOf(error) }, "the repository's tests could not be run");
      return `[auto_test] The tests could not be run: ${messageOf(error)}`;
    });
    const settled = await orAbandon(tests, stopped, graceMs);
    if (settled.done && settled.value !== undefined && !signal.aborted) await note(turn.number, settled.value);
  }

  async function ask({ turn, concluding }: Step & { do: "ask" }, history: History): Promise<ConversationEnd | undefined> {
    const answer = await askModel(concluding);
    if ("end" in answer) return answer;
    const taken = new Set(history.turns.flatMap(({ message }) => message.calls.map(({ id }) => id)));
    const recorded =
      concluding === undefined ? recordAnswer(answer, taken) : { message: recordConclusion(answer), broken: new Map<string, string>() };
    const cost = answer.usd === undefined ? {} : { usd: answer.usd };
    await journal.append({ kind: "turn", turn, message: recorded.message, usage: answer.usage, model: answer.model, ...cost });
    for (const [id, why] of recorded.broken) broken.set(id, why);
    log.info({ turn, model: answer.model, calls: recorded.message.calls.length, ...answer.usage }, "the model has answered");
    const tokens = answer.usage.input + answer.usage.output;
    tell({ kind: "turn", turn, text: recorded.message.text, calls: recorded.message.calls.map(({ name }) => name), tokens, ...cost });
    return undefined;
  }

  async function perform(step: Step, history: History): Promise<ConversationEnd | undefined> {
    if (step.do === "end") return step.end;
    if (signal.aborted) return { end: "cancelled" };
    if (step.do === "call") return call(step, history);
    if (step.do === "ask") return ask(step, history);
    if (step.do === "repair") await repair(step.turn);
    else if (step.do === "note") await note(step.turn, step.text);
    else await journal.append({ kind: "opening", messages: await options.opening() });
    return undefined;
  }

  const needsRepair = (turn: PastTurn): boolean =>
    options.repair !== undefined &&
    (turn.changed || changed.has(turn.number)) &&
    tested !== turn.number &&
    !turn.notes.some((text) => text.startsWith("[auto_test] "));

  try {
    for (;;) {
      const history = fold.read();
      const tightest = tightestBudget(history, options.budget, now() - options.startedAt);
      const step = nextStep(history, { needsRepair, stuckOn: guard.stuckOn(history.turns), tightest });
      const end = await perform(step, history);
      if (end === undefined) continue;
      const { usage, turns } = fold.read();
      log.info({ end: end.end, turns: turns.length }, "the conversation has ended");
      const usd = usdOf(turns);
      return { ...end, usage, ...(usd === undefined ? {} : { usd }), turns: turns.length, model: turns.at(-1)?.model ?? model.name };
    }
  } finally {
    deadline.clear();
  }
}

function lostResult(): Executed {
  const text =
    "(The process was restarted while this call ran or just after; its output was lost, its changes to the workspace are kept. Look at them before you go on.)";
  return { result: ok(text), changed: false, abandoned: false };
}
