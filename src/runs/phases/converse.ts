import type { Budget } from "../../agent/budget.ts";
import { converse, type Conversation } from "../../agent/converse.ts";
import { systemPrompt } from "../../agent/prompt.ts";
import type { Message } from "../../core/conversation.ts";
import { TRIAGE_1 } from "../../agent/prompts/triage-1.ts";
import type { CiFailure } from "../ci/failure.ts";
import { ciFragments, readCiOpening } from "../ci/opening.ts";
import { readTriageOpening } from "../triage/opening.ts";
import { REVIEW_1 } from "../../agent/prompts/review-1.ts";
import type { Repair } from "../../agent/repair.ts";
import { research } from "../../agent/research.ts";
import { spilledOutputs } from "../../agent/spill.ts";
import type { Decision } from "../../core/result.ts";
import type { Pin } from "../../core/run.ts";
import type { Model } from "../../model/model.ts";
import { instructionsFor } from "../../review/read/instructions-for.ts";
import { READ_DIFF } from "../../tools/git/read-diff.ts";
import type { Publisher, Tool, WriteContext } from "../../tools/tool.ts";
import { openFacts } from "../facts.ts";
import { looksOnly } from "../autonomy.ts";
import { gitHubReads } from "../github-reads.ts";
import type { Progress } from "../report.ts";
import { endPhase, phaseResult, type Authorized } from "../phase-results.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { readOpening, type OpeningWish } from "../opening.ts";
import { readReviewOpening } from "../review/opening.ts";
import { pathsShown, type Reading } from "../review/reading.ts";
import { runUsage } from "../run-usage.ts";
import { takeSnapshot } from "../snapshot.ts";
import type { Desk } from "./check-out.ts";

export interface ConversationOptions {
  readonly desk: Desk;
  readonly pin: Pin;
  readonly profile: Authorized["profile"];
  readonly model: Model;
  readonly repair: Repair | undefined;
  /** What a review reads; absent in every other run. */
  readonly reading?: Reading;
  /** What a pull request changes, for a run that is asked about that; absent in every other one. */
  readonly change?: Reading;
  /** What was read of failed CI; absent in every other run. */
  readonly failure?: CiFailure;
  readonly publisherFor: (key: string) => Publisher;
  readonly showProgress: (progress: Pick<Progress, "turn" | "tool" | "tokens">) => void;
}

/** Holds the run's conversation, or answers how it ended in an earlier attempt. */
export async function holdConversation(
  context: RunContext,
  dependencies: RunDependencies,
  options: ConversationOptions,
): Promise<Conversation> {
  const { journal, signal, log, view } = context;
  signal.throwIfAborted();
  const earlier = phaseResult(journal, "converse");
  if (earlier !== undefined) return earlier;
  const { desk, profile, model, repair } = options;
  const { mask, sandbox } = dependencies;
  const { reading } = options;
  const { tools, withheld } = toolsFor(dependencies.tools, context.request, {
    profile,
    hasParts: (reading ?? options.change) !== undefined,
  });
  const budget = budgetOf(context);
  const turnsSoFar = (): number => journal.entries.filter(({ kind }) => kind === "turn").length;
  const onResearch = (): void => options.showProgress({ turn: turnsSoFar(), tokens: tokensSoFar(context), tool: "research_code" });
  const { language, instructions } = context.settings;
  const prompted = {
    tools,
    hasSandbox: sandbox !== undefined,
    readOnly: profile === "read",
    fragments: fragmentsFor(context.request, { reading, isReadOnly: profile === "read" }),
    instructions: reading === undefined ? instructions : instructionsFor(instructions, pathsShown(reading)),
    ...(language === undefined ? {} : { language }),
  };
  const conversation = await converse({
    model,
    tools,
    withheld,
    journal,
    mask,
    signal,
    log,
    startedAt: desk.startedAt,
    budget,
    compaction: context.settings.compaction,
    contextFor: (callId) => ({
      ...toolContext(context, dependencies, options, callId),
      research: (question, signal) =>
        research(question, {
          runId: view.id,
          repository: `${view.repository.owner}/${view.repository.name}`,
          model,
          tools,
          callId,
          contextFor: (id, inner) => ({ ...toolContext(context, dependencies, options, id), outputs: spilledOutputs(inner) }),
          journal,
          budget,
          mask,
          signal,
          onProgress: onResearch,
          log,
        }),
    }),
    opening: () =>
      reading !== undefined
        ? readReviewOpening(context, { desk, reading, system: systemPrompt(prompted) })
        : (readErrand(context, options, systemPrompt(prompted)) ??
          readOpening(context, dependencies, { desk, pin: options.pin, system: systemPrompt(prompted), ...changeShown(options) })),
    ...(repair === undefined ? {} : { repair: () => repair.run() }),
    snapshot: (turn) => takeSnapshot(context, desk.workspace, turn),
    onProgress(event) {
      if (event.kind === "turn") context.tell({ kind: "turn", run: view, turn: event.turn, calls: event.calls });
      else if (event.kind === "note") context.tell({ kind: "note", run: view, turn: event.turn, text: event.text });
      else context.tell({ kind: "tool", run: view, turn: event.turn, tool: event.tool, status: event.status });
      const tool = event.kind === "turn" ? event.calls[0] : event.kind === "tool-result" ? event.tool : undefined;
      options.showProgress({ turn: event.turn, tokens: tokensSoFar(context), ...(tool === undefined ? {} : { tool }) });
    },
  });
  // A process that stops hands the run back: the next one goes on where the journal ends.
  if (conversation.end === "cancelled") signal.throwIfAborted();
  await endPhase(journal, "converse", conversation);
  context.tell({ kind: "phase", run: view, phase: "converse" });
  return conversation;
}

/** The fixed words of a run's kind. */
function fragmentsFor(
  { trigger }: RunContext["request"],
  { reading, isReadOnly }: { readonly reading: Reading | undefined; readonly isReadOnly: boolean },
): readonly string[] {
  if (reading !== undefined) return [REVIEW_1.task, REVIEW_1.post];
  if (trigger === "ci") return ciFragments(isReadOnly);
  return trigger === "triage" ? [TRIAGE_1.task, TRIAGE_1.end] : [];
}

/** What the model is told where nobody has asked for anything in words; undefined where somebody has. */
function readErrand(
  context: RunContext,
  { desk, pin, failure, profile }: ConversationOptions,
  system: string,
): Promise<readonly Message[]> | undefined {
  const { trigger, ci } = context.request;
  if (ci !== undefined && failure !== undefined)
    return readCiOpening(context, { desk, pin, ci, failure, isReadOnly: profile === "read", system });
  return trigger === "triage" ? readTriageOpening(context, { desk, system }) : undefined;
}

/** What the configuration lets a run use. */
export function budgetOf({ settings }: Pick<RunContext, "settings">): Budget {
  return {
    maxTurns: settings.max_turns,
    maxMinutes: settings.max_minutes,
    maxTokens: settings.max_tokens,
    maxUsd: settings.max_usd,
  };
}

/** The tools of a run's profile: who may only read is offered nothing that writes, but an answer on the thread. */
function toolsFor(
  tools: readonly Tool[],
  { trigger, unasked, command }: RunContext["request"],
  { profile, hasParts }: { readonly profile: Authorized["profile"]; readonly hasParts: boolean },
) {
  const isReview = trigger === "review";
  const isOffered = ({ effect, name }: Tool): boolean => {
    if (name === READ_DIFF) return hasParts;
    if (name === "gh_review_pr") return !looksOnly(command);
    if (name === "gh_comment_issue") return unasked !== true && trigger !== "ci";
    return effect === "read" || (profile === "write" && !isReview);
  };
  const why = whyWithheld(trigger, command);
  const kept = tools.filter((tool) => !isOffered(tool)).map(({ name }): [string, string] => [name, why]);
  return { tools: tools.filter(isOffered), withheld: new Map(kept) };
}

/** The first part of what a pull request changes, where the run is asked about that. */
function changeShown({ change }: ConversationOptions): Pick<OpeningWish, "difference"> {
  const [first, ...others] = change?.plan.parts ?? [];
  return first === undefined ? {} : { difference: { text: first.text, of: 1 + others.length } };
}

/** Why a run is not offered what the others are. */
function whyWithheld(trigger: RunContext["request"]["trigger"], command: RunContext["request"]["command"]): string {
  if (trigger === "review") return REVIEWS;
  if (command?.name === "plan") return ONLY_PLANS;
  return trigger === "mention" && !looksOnly(command) ? READ_ONLY : ONLY_LOOKS;
}

const ONLY_PLANS = "this run only plans; what it plans is carried out once somebody says so.";
const REVIEWS = "this run reviews a pull request: it reads, and posts its remarks with gh_review_pr.";
const ONLY_LOOKS = "this run looks and explains; what it has to say are its last words.";
const READ_ONLY =
  "this run is read-only, since its pull request comes from a fork (or from one that is gone), or the configuration says so; it may look and comment.";

function toolContext(
  context: RunContext,
  { gate, sandbox, mask, database }: RunDependencies,
  options: ConversationOptions,
  callId: string,
): WriteContext {
  const { view, signal, journal } = context;
  const { workspace, graph } = options.desk;
  const parts = (options.reading ?? options.change)?.plan.parts;
  return {
    run: view,
    callId,
    workspace,
    ...(sandbox === undefined ? {} : { sandbox }),
    github: gitHubReads(context, mask),
    usage: () => runUsage(journal, budgetOf(context), options.desk.startedAt),
    outputs: spilledOutputs(journal),
    ...(graph === undefined ? {} : { graph: graph.ask }),
    ...(parts === undefined ? {} : { difference: parts.map(({ text }) => text) }),
    ...(database === undefined || !context.settings.memory ? {} : { facts: openFacts(context, { gate, database, callId }) }),
    signal,
    publisher: options.publisherFor(callId),
    async write(path, bytes): Promise<Decision> {
      const there = await workspace.read(path);
      const before = there.status === "file" ? there.bytes : undefined;
      const sides = { ...(bytes === undefined ? {} : { after: bytes }), ...(before === undefined ? {} : { before }) };
      const decision = await gate.judgeWrite({ kind: "workspace-write", path, ...sides }, view);
      for (const finding of decision.findings) context.tell({ kind: "finding", run: view, finding });
      if (decision.findings.length > 0) await journal.append({ kind: "decision", operation: "workspace-write", key: callId, decision });
      if (decision.verdict !== "allow") return decision;
      if (bytes === undefined) await workspace.remove(path);
      else await workspace.write(path, bytes);
      return decision;
    },
  };
}

function tokensSoFar({ journal }: RunContext): number {
  const rows = journal.entries.map((entry) => (entry.kind === "nested" ? entry.entry : entry));
  return rows.reduce((sum, entry) => (entry.kind === "turn" ? sum + entry.usage.input + entry.usage.output : sum), 0);
}
