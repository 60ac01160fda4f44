import type { Journal, JournalEntry } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import { failed, ok, type ToolResult } from "../core/result.ts";
import type { Model } from "../model/model.ts";
import type { Tool, WriteContext } from "../tools/tool.ts";
import { type Budget, usdOf } from "./budget.ts";
import { type Conversation, converse, type Progress } from "./converse.ts";
import { wrapPieces } from "./envelope.ts";
import { startFold } from "./history.ts";
import { kindOf } from "./recorded-answer.ts";
import { checkReferences } from "./references.ts";
import { researchOpening } from "./research-prompt.ts";
import { scopedJournal } from "./scoped-journal.ts";

export interface ResearchOptions {
  readonly runId: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly model: Model;
  /** All that it may use: those of `forResearch`, and what extensions add to them. */
  readonly tools: readonly Tool[];
  /** The id of the call that asks. */
  readonly callId: string;
  /** The context of a call of the subagent, by an id that is its own within the run. */
  readonly contextFor: (callId: string, journal: Journal) => WriteContext;
  /** The run's journal. */
  readonly journal: Journal;
  /** The run's own budget: what is left of it is the most that the subagent may use. */
  readonly budget: Budget;
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
  readonly onProgress?: (event: Progress) => void;
  readonly log: Logger;
}

/** What one research may use of the run's budget; turns are its own. */
const BUDGET: Budget = { maxTurns: 20, maxMinutes: 5, maxTokens: 300_000 };
/** What is read of the repository, of its history and graph, and of GitHub. */
const READING = /^(read_file|list_files|find_files|grep|read_output|list_recent_tags|git_\w+|cp_\w+|gh_(get|list)_\w+)$/;
/** What is told of a research that came to no conclusion. */
const SHOWN_CALLS = 30;
const SHOWN_WORDS = 4000;

/** Those of a run's tools that a subagent has by itself. */
export function forResearch(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ name, effect }) => effect === "read" && READING.test(name));
}

/**
 * Puts a question to a read-only subagent: a conversation of its own inside one call, journalled under it, so that a resumed run asks nothing
 * twice. Its words come back in an envelope as untrusted data, with the places that they name looked up.
 * @throws {AttemptError} when another worker has taken the run, or its journal cannot be written.
 */
export async function research(question: string, options: ResearchOptions): Promise<ToolResult> {
  const { model, tools, mask, signal, log, callId, onProgress } = options;
  const journal = scopedJournal(options.journal, callId);
  const conversation = await converse({
    model,
    tools,
    journal,
    mask,
    signal,
    log: log.child({ research: callId }),
    contextFor: (id) => options.contextFor(`${callId}/${id}`, journal),
    opening: () => Promise.resolve(researchOpening(question, options.repository, tools)),
    budget: budgetWithin(options.budget, options.journal, journal),
    startedAt: Date.now(),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { text, why } = conclusionOf(conversation);
  const used = `[research: ${conversation.turns} turns, ${conversation.usage.input + conversation.usage.output} tokens]`;
  const words = (said: string): string => wrapPieces(options.runId, [{ origin: "research_code", trust: "thread", text: said }])[0] ?? "";
  if (text.trim() === "") {
    const soFar = foundSoFar(journal.entries);
    return failed(
      `The research came to no conclusion: ${(why ?? "it said nothing").replace(/\.$/, "")}.\n${soFar === "" ? "" : `${words(soFar)}\n`}${used}`,
    );
  }
  const { workspace } = options.contextFor(callId, journal);
  const places = await placesOf(text, workspace);
  return ok([...(why === undefined ? [] : [`It ended early: ${why}.`]), words(text), places, used].join("\n"));
}

/** The subagent's own budget, or what the run has left where that is less. What it used before a restart is its own use. */
function budgetWithin(budget: Budget, run: Journal, own: Journal): Budget {
  const used = startFold(run.entries).read();
  const before = startFold(own.entries).read();
  const tokens = used.usage.input + used.usage.output - before.usage.input - before.usage.output;
  const usd = (usdOf(used.turns) ?? 0) - (usdOf(before.turns) ?? 0);
  return {
    ...BUDGET,
    maxTokens: Math.min(BUDGET.maxTokens, budget.maxTokens - tokens),
    ...(budget.maxUsd === undefined ? {} : { maxUsd: budget.maxUsd - usd }),
  };
}

/** The subagent's last words, and why they are not all that there was to say. */
function conclusionOf(conversation: Conversation): { readonly text: string; readonly why?: string } {
  switch (conversation.end) {
    case "stop":
      return { text: conversation.text };
    case "out-of-budget":
      return { text: conversation.text, why: `its ${conversation.budget} is used up` };
    case "failed":
      return { text: "", why: conversation.why };
    case "cancelled":
      return { text: "", why: "it was stopped" };
  }
}

async function placesOf(text: string, workspace: WriteContext["workspace"]): Promise<string> {
  const references = await checkReferences(text, workspace);
  if (references.length === 0) return "It names no place in the code as path:line.";
  const there = references.filter(({ missing }) => missing === undefined).map(({ written }) => written);
  const not = references.flatMap(({ written, missing }) => (missing === undefined ? [] : [`${written} (${missing})`]));
  return [
    ...(there.length === 0 ? [] : [`These places exist: ${there.join(", ")}.`]),
    ...(not.length === 0 ? [] : [`These do not exist, so do not rely on what is said of them: ${not.join(", ")}.`]),
  ].join("\n");
}

/** What was said on the way, and what was looked at. */
function foundSoFar(entries: readonly JournalEntry[]): string {
  const turns = entries.flatMap((entry) => (entry.kind === "turn" ? [entry.message] : []));
  const said = turns
    .flatMap((message) => (kindOf(message) === "refused" || message.text.trim() === "" ? [] : [message.text.trim()]))
    .join("\n");
  const looked = turns.flatMap(({ calls }) => calls.map(({ name, arguments: raw }) => `- ${name} ${raw.slice(0, 200)}`));
  const calls = looked.length === 0 ? [] : ["It had called:", ...looked.slice(-SHOWN_CALLS)];
  return [...(said === "" ? [] : [said.slice(-SHOWN_WORDS)]), ...calls].join("\n").toWellFormed();
}
