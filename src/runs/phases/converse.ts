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
import { forResearch, research } from "../../agent/research.ts";
import { spilledOutputs } from "../../agent/spill.ts";
import type { Decision } from "../../core/result.ts";
import type { Pin } from "../../core/run.ts";
import type { Model } from "../../model/model.ts";
import { instructionsFor } from "../../review/read/instructions-for.ts";
import { assembleTools } from "../../tools/extended/assemble.ts";
import { isAllowed, type ToolPolicy } from "../../tools/extended/policy.ts";
import { type ExtensionHost, noExtensions } from "../../extensions/host.ts";
import { READ_DIFF } from "../../tools/git/read-diff.ts";
import { RESOLVE } from "../../tools/github/resolve-remarks.ts";
import type { Publisher, Tool, WriteContext } from "../../tools/tool.ts";
import { extensionPorts } from "../extension-ports.ts";
import { openFacts } from "../facts.ts";
import { looksOnly } from "../autonomy.ts";
import { gitHubReads } from "../github-reads.ts";
import type { Progress } from "../report.ts";
import { endPhase, phaseResult, type Authorized } from "../phase-results.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { readOpening, type OpeningWish } from "../opening.ts";
import { isLaterLook, readReviewOpening } from "../review/opening.ts";
import { pathsShown, type Reading } from "../review/reading.ts";
import { runUsage } from "../run-usage.ts";
import { takeSnapshot } from "../snapshot.ts";
import type { Desk } from "./check-out.ts";

const NO_EXTENSIONS = noExtensions();

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
  readonly showProgress: (progress: Pick<Progress, "turn" | "tool" | "words" | "tokens">) => void;
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
  const { extensions = NO_EXTENSIONS, server } = dependencies;
  const { isOffered, why } = offerFor(context.request, {
    profile,
    hasParts: (reading ?? options.change) !== undefined,
    // Of a first look there are no earlier remarks.
    isLater: reading !== undefined && isLaterLook(context.request, reading),
  });
  const policy = policyFor(server, context.request.trigger);
  const assembling = { extensions, run: view, isOffered, log };
  const { watchTools = (list: readonly Tool[]) => list } = dependencies;
  const tools = watchTools(await assembleTools({ ...assembling, of: "tools", builtIn: dependencies.tools, policy }));
  const researching = watchTools(
    await assembleTools({
      ...assembling,
      of: "research",
      builtIn: forResearch(dependencies.tools),
      policy: server?.tools?.research ?? {},
      isOffered: (tool) => tool.effect === "read" && isOffered(tool),
    }),
  );
  const withheld = withheldFrom(dependencies.tools, { isOffered, why, policy });
  // The time in which people were waited for is not the run's.
  const startedAt = options.desk.startedAt + waitedForCalls(journal);
  const budget = budgetOf(context);
  const turnsSoFar = (): number => journal.entries.filter(({ kind }) => kind === "turn").length;
  const onResearch = (): void => options.showProgress({ turn: turnsSoFar(), tokens: tokensSoFar(context), tool: "research_code" });
  const { language, instructions } = context.settings;
  const prompted = {
    tools,
    hasSandbox: sandbox !== undefined,
    readOnly: profile === "read",
    fragments: [
      ...fragmentsFor(context.request, { reading, isReadOnly: profile === "read" }),
      ...extensions.fragments
        .filter(({ whenTools }) => whenTools.every((name) => tools.some((tool) => tool.name === name)))
        .map(({ text }) => text),
    ],
    instructions: reading === undefined ? instructions : instructionsFor(instructions, pathsShown(reading)),
    ...(language === undefined ? {} : { language }),
  };
  const systemOf = (): Promise<string> => extensions.filter("prompt.system", systemPrompt(prompted), view, whyNoPrompt);
  const conversation = await converse({
    model,
    tools,
    withheld,
    journal,
    mask,
    signal,
    log,
    startedAt,
    now: context.now,
    budget,
    compaction: context.settings.compaction,
    contextFor: (callId) => ({
      ...toolContext(context, dependencies, options, callId),
      research: (question, signal) =>
        research(question, {
          runId: view.id,
          repository: `${view.repository.owner}/${view.repository.name}`,
          model,
          tools: researching,
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
    async opening() {
      const system = await systemOf();
      if (reading !== undefined) return readReviewOpening(context, { desk, reading, system });
      const errand = readErrand(context, options, system);
      return errand ?? readOpening(context, dependencies, { desk, pin: options.pin, system, ...changeShown(options) });
    },
    ...(repair === undefined ? {} : { repair: () => repair.run() }),
    snapshot: (turn) => takeSnapshot(context, desk.workspace, turn),
    onProgress(event) {
      if (event.kind === "turn") {
        context.tell({ kind: "turn", run: view, turn: event.turn, calls: event.calls });
        emitTurn(context, extensions, event.turn);
      } else if (event.kind === "note") context.tell({ kind: "note", run: view, turn: event.turn, text: event.text });
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

/** What a run's profile lets it have: who may only read is offered nothing that writes, but an answer on the thread. `why` is for the others. */
function offerFor(
  { trigger, unasked, command }: RunContext["request"],
  { profile, hasParts, isLater }: { readonly profile: Authorized["profile"]; readonly hasParts: boolean; readonly isLater: boolean },
) {
  const isReview = trigger === "review";
  const isOffered = ({ effect, name }: Pick<Tool, "effect" | "name">): boolean => {
    if (name === READ_DIFF) return hasParts;
    if (name === "gh_review_pr") return !looksOnly(command);
    if (name === RESOLVE) return isLater;
    if (name === "gh_comment_issue") return unasked !== true && trigger !== "ci";
    return effect === "read" || (profile === "write" && !isReview);
  };
  return { isOffered, why: whyWithheld(trigger, command) };
}

/** Tools of ours that this run does not have, and why. */
function withheldFrom(
  tools: readonly Tool[],
  { isOffered, why, policy }: ReturnType<typeof offerFor> & { readonly policy: ToolPolicy },
): ReadonlyMap<string, string> {
  const kept = tools.filter((tool) => !isOffered(tool)).map(({ name }): [string, string] => [name, why]);
  const denied = tools.filter(({ name }) => !isAllowed(name, policy)).map(({ name }): [string, string] => [name, DENIED]);
  return new Map([...denied, ...kept]);
}

/** What the operator says of this kind of job; the others (gate checks, commands) ask no model. */
function policyFor(server: RunDependencies["server"], trigger: RunContext["request"]["trigger"]): ToolPolicy {
  return trigger === "gate" || trigger === "command" ? {} : (server?.tools?.[trigger] ?? {});
}

/** Why a filter's answer is no system prompt. */
export function whyNoPrompt(answer: unknown): string | undefined {
  return typeof answer === "string" && answer.trim() !== "" ? undefined : "answered something that is no prompt";
}

function emitTurn({ journal, view }: RunContext, extensions: ExtensionHost, turn: number): void {
  const entry = journal.entries.findLast((one) => one.kind === "turn");
  if (entry?.kind !== "turn") return;
  const { usage, usd } = entry;
  extensions.emit("turn.completed", { run: view, turn, tokens: usage.input + usage.output, ...(usd === undefined ? {} : { usd }) });
}

/** Milliseconds in which people were waited for since the conversation began. */
function waitedForCalls({ entries }: RunContext["journal"]): number {
  return entries.reduce((sum, entry) => (entry.kind === "answered" ? sum + entry.waitedMs : sum), 0);
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

const DENIED = "this server's configuration keeps it from this kind of run.";
const ONLY_PLANS = "this run only plans; what it plans is carried out once somebody says so.";
const REVIEWS = "this run reviews a pull request: it reads, and posts its remarks with gh_review_pr.";
const ONLY_LOOKS = "this run looks and explains; what it has to say are its last words.";
const READ_ONLY =
  "this run is read-only, since its pull request comes from a fork (or from one that is gone), or the configuration says so; it may look and comment.";

function toolContext(
  context: RunContext,
  { gate, sandbox, mask, database, extensions = NO_EXTENSIONS }: RunDependencies,
  options: ConversationOptions,
  callId: string,
): WriteContext {
  const { view, signal, journal } = context;
  const { workspace, graph } = options.desk;
  const turn = journal.entries.filter(({ kind }) => kind === "turn").length;
  const showWords = (words: string): void => options.showProgress({ turn, tokens: tokensSoFar(context), words });
  const parts = (options.reading ?? options.change)?.plan.parts;
  return {
    run: view,
    callId,
    workspace,
    ...(sandbox === undefined ? {} : { sandbox }),
    github: gitHubReads(context, mask),
    usage: () => runUsage(journal, budgetOf(context), options.desk.startedAt + waitedForCalls(journal), context.now()),
    extension: extensionPorts(context, { gate, mask, database, extensions, commit: workspace.commit, showWords }),
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
