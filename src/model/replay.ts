import type { AssistantMessage, Message, ToolCall } from "../core/conversation.ts";
import type { InnerEntry, JournalEntry } from "../core/journal.ts";
import { renderToolResult } from "../core/result.ts";
import { readArguments } from "./arguments.ts";
import { ReplayError } from "./errors.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";

/** An answer of the journal, and what must stand at the end of the request for it. */
interface Step {
  /** `turn 3`, for messages. */
  readonly name: string;
  readonly answer: () => ModelAnswer;
  /** The answer before it in the same conversation; undefined for a conversation's first, null for a summary, whose request is its own. */
  readonly before: { readonly message: AssistantMessage; readonly results: Map<string, string> } | undefined | null;
}

/**
 * A model that answers from a run's journal: its turns, those of its subagents and its summaries, in the order in which they were journalled.
 * Each request must end with what the journal says came before: the last answer's calls and their results. One that does not ends in a
 * {@link ReplayError} that names the turn and the call, and takes no answer away.
 */
export function replayModel(entries: readonly JournalEntry[]): Model {
  const steps = stepsOf(entries);
  let at = 0;
  return {
    name: steps[0]?.answer().model ?? "journal",
    complete(request) {
      const step = steps[at];
      const wrong =
        step === undefined ? `the journal ends after ${steps.length} answers, and one more is asked for` : differenceIn(step, request);
      if (step === undefined || wrong !== undefined) return Promise.reject(new ReplayError(wrong ?? "nothing is left"));
      at++;
      return Promise.resolve(step.answer());
    },
  };
}

function stepsOf(entries: readonly JournalEntry[]): readonly Step[] {
  const steps: Step[] = [];
  // Each subagent's conversation begins anew, under the call that asked it.
  const last = new Map<string, NonNullable<Step["before"]>>();
  const take = (entry: InnerEntry, scope: string): void => {
    if (entry.kind === "turn") {
      const name = scope === "" ? `turn ${entry.turn}` : `turn ${entry.turn} inside ${scope}`;
      const results = new Map<string, string>();
      steps.push({ name, answer: () => answerOf(entry, results), before: last.get(scope) });
      last.set(scope, { message: entry.message, results });
    } else if (entry.kind === "tool-result") {
      last.get(scope)?.results.set(entry.callId, renderToolResult(entry.result));
    } else if (entry.kind === "compacted" && entry.summary !== undefined) {
      const { text, usage, model, usd } = entry.summary;
      const answer: ModelAnswer = { text, calls: [], broken: [], usage, model, ...(usd === undefined ? {} : { usd }) };
      steps.push({ name: `the summary up to turn ${entry.turn}`, answer: () => answer, before: null });
    }
  };
  for (const entry of entries) {
    if (entry.kind === "nested") take(entry.entry, entry.callId);
    else take(entry, "");
  }
  return steps;
}

/** The answer that leads to the journalled message: a call that was journalled unreadable is one that did not arrive whole. */
function answerOf(
  { message, usage, model, usd }: Extract<InnerEntry, { kind: "turn" }>,
  results: ReadonlyMap<string, string>,
): ModelAnswer {
  const isWhole = (call: ToolCall): boolean => readArguments(call.arguments).ok;
  return {
    text: message.text,
    calls: message.calls.filter(isWhole),
    broken: message.calls.flatMap((call, at) => (isWhole(call) ? [] : [{ call, at, why: whyNotRun(results.get(call.id)) }])),
    usage,
    model,
    ...(usd === undefined ? {} : { usd }),
    ...(message.opaque === undefined ? {} : { opaque: message.opaque }),
  };
}

function differenceIn({ name, before }: Step, { messages }: ModelRequest): string | undefined {
  if (before === null) return undefined;
  const asked = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[asked];
  if (before === undefined)
    return last === undefined ? undefined : `${name} was the first of its conversation, and something was said before`;
  if (last?.role !== "assistant") return `before ${name} the model had answered, and nothing of it is there`;
  const differs =
    last.calls.length !== before.message.calls.length || last.calls.some((call, at) => !isSame(call, before.message.calls[at]));
  if (differs || last.text !== before.message.text) return `before ${name} stands another answer than the recorded one`;
  return differingResult(messages.slice(asked + 1), before.results, last.calls, name);
}

function isSame(call: ToolCall, recorded: ToolCall | undefined): boolean {
  return call.id === recorded?.id && call.name === recorded.name && call.arguments === recorded.arguments;
}

function differingResult(
  after: readonly Message[],
  recorded: ReadonlyMap<string, string>,
  calls: readonly ToolCall[],
  name: string,
): string | undefined {
  for (const message of after) {
    if (message.role !== "tool") continue;
    const text = recorded.get(message.callId);
    const tool = calls.find(({ id }) => id === message.callId)?.name ?? "a call";
    if (text !== undefined && text !== message.text) return `before ${name} the result of ${tool} is not the recorded one`;
  }
  return undefined;
}

/** Why a call did not count stands in its result alone. */
function whyNotRun(result = ""): string {
  return /^\[error\] This call was not run: (.*)\.$/s.exec(result)?.[1] ?? "the recorded call was not whole";
}
