import { dirname } from "node:path";
import type { Conversation } from "../../agent/converse.ts";
import { addUsage, NO_USAGE } from "../../core/conversation.ts";
import { SallyportError } from "../../core/errors.ts";
import type { Journal } from "../../core/journal.ts";
import type { Decision, Finding } from "../../core/result.ts";
import type { RunEnd, RunRequest } from "../../core/run.ts";
import { codeSpan } from "../../text/code-span.ts";
import type { Report } from "../report.ts";
import { installSentence } from "../install-note.ts";
import { phaseResult, type Leftover } from "../phase-results.ts";
import type { Question } from "../question.ts";
import { RUN_COMMENT } from "../run-comment.ts";
import { lastEntry, type RunContext, type RunDependencies } from "../run-context.ts";
import { testsSentence } from "../tests-note.ts";
import { withoutHostPaths } from "../../tools/host-paths.ts";

/** What the phases came to. */
export interface Ending {
  readonly conversation?: Conversation;
  readonly leftover?: Leftover;
  /** Set when the run could not be carried out at all. */
  readonly failure?: { readonly why: string; readonly hint?: string };
  /** Set when there was nothing to do, or nobody's thread says what it was about: that, as a sentence. */
  readonly nothing?: string;
  /** Set when the run has said that no more is tried. */
  readonly gaveUp?: true;
  /** Set when people, or time, have ended the run. */
  readonly ended?: { readonly end: RunEnd; readonly why: string };
  /** Set when a call of the conversation waits for people: it goes on from there. */
  readonly waits?: true;
  /** What people were asked last. */
  readonly question?: Question;
  /** Of a review: files that it has not read to their end. */
  readonly unread?: readonly string[];
}

/** The run's end state and all that is said about it. */
export function reportOf(
  { run, journal, request, now }: Pick<RunContext, "run" | "journal" | "request" | "now">,
  { sandbox, mask, workspaces }: Pick<RunDependencies, "sandbox" | "mask" | "workspaces">,
  ending: Ending,
): Report {
  const { conversation, question } = ending;
  const end = endOf(journal, ending);
  const tests = testsSentence(journal);
  const install = installSentence(journal);
  const clean = (text: string): string => mask(withoutHostPaths(text, dirname(workspaces)));
  const startedAt = phaseResult(journal, "check-out")?.startedAt ?? run.createdAt.getTime();
  return {
    runId: run.id,
    end,
    summary: clean(summaryOf(journal, ending, end, request)),
    answer: mask(answerOf(journal, conversation)),
    findings: findingsOf(journal, end === "waiting" ? question?.approval : undefined),
    ...(question !== undefined && end === "waiting" ? { question } : {}),
    ...(install === undefined ? {} : { install: clean(install) }),
    ...(tests === undefined ? {} : { tests }),
    turns: conversation?.turns ?? turnsOf(journal).length,
    usage: conversation?.usage ?? turnsOf(journal).reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    ...(conversation?.usd === undefined ? {} : { usd: conversation.usd }),
    elapsedMs: now() - startedAt - waitedMs(journal),
    ...(conversation === undefined ? {} : { model: conversation.model }),
    sandbox: sandbox?.level ?? "none",
  };
}

/** The run's answer: what a tool made it, or the model's last words. */
function answerOf(journal: Journal, conversation: Conversation | undefined): string {
  if (conversation === undefined || !("text" in conversation)) return "";
  return lastEntry(journal, "responded")?.text ?? conversation.text;
}

/** The turns of a conversation, also of one that was cut off. */
function turnsOf({ entries }: Journal) {
  return entries.filter((entry) => entry.kind === "turn");
}

/** How long people were waited for. */
function waitedMs({ entries }: Journal): number {
  return entries.reduce((sum, entry) => (entry.kind === "approved" || entry.kind === "answered" ? sum + entry.waitedMs : sum), 0);
}

function endOf(journal: Journal, { conversation, leftover, failure, ended, waits }: Ending): RunEnd {
  if (ended !== undefined) return ended.end;
  if (waits === true) return "waiting";
  if (failure !== undefined) return "failed";
  if (conversation?.end === "failed") return "failed";
  if (conversation?.end === "out-of-budget") return "out-of-budget";
  if (conversation?.end === "cancelled") return "cancelled";
  if (leftover?.status === "held") return "blocked";
  if (leftover?.status === "waiting") return "waiting";
  if (leftover?.status === "failed") return "failed";
  if (lastEntry(journal, "published") !== undefined) return "done";
  // Of one submission the last word counts: what people were asked about may have been approved since.
  const verdicts = new Map<string, Decision["verdict"]>();
  for (const entry of journal.entries)
    if (entry.kind === "decision" && !isOwnWord(entry.key) && entry.operation !== "upload-sarif")
      verdicts.set(entry.key, entry.decision.verdict);
  const said = [...verdicts.values()];
  if (said.includes("block")) return "blocked";
  return said.includes("ask") ? "waiting" : "done";
}

/** Decisions on the run's own comment: a report that an earlier attempt had to shorten is no change that was held. */
function isOwnWord(key: string): boolean {
  return key === RUN_COMMENT || /^report(?:-\d+)?$/.test(key);
}

function summaryOf(
  journal: Journal,
  { conversation, leftover, failure, ended, nothing }: Ending,
  end: RunEnd,
  { thread, trigger }: Pick<RunRequest, "thread" | "trigger">,
): string {
  const said: string[] = [];
  // A look of the gate's publishes nothing, however it ends.
  const isUnpublished = trigger !== "gate" && lastEntry(journal, "published") === undefined;
  if (ended !== undefined) said.push(ended.why, ...(isUnpublished ? ["Nothing was published."] : []));
  const approved = lastEntry(journal, "approved");
  if (approved !== undefined && end === "done") said.push(`${approved.by} approved ${codeSpan(approved.approval)}.`);
  if (failure !== undefined) said.push(sentence(failure.why, failure.hint));
  if (conversation?.end === "failed") said.push(sentence(conversation.why, conversation.hint));
  if (conversation?.end === "out-of-budget") said.push(`The limit ${conversation.budget} was reached.`);
  said.push(...publishedOf(journal, leftover));
  if (leftover?.status === "held") said.push(`The gate held the change back, nothing of it was published: ${codeSpan(leftover.why, 600)}.`);
  if (leftover?.status === "waiting") said.push(`Nothing was published yet: a person must approve it. ${codeSpan(leftover.why, 600)}.`);
  if (leftover?.status === "failed") said.push(`The change could not be published: ${codeSpan(leftover.why, 600)}.`);
  if (nothing !== undefined) said.push(nothing);
  if (said.length === 0)
    said.push(
      NOTHING[end] ?? (trigger === "review" ? `Reviewed #${thread.number}.` : `Answered on #${thread.number}; nothing was changed.`),
    );
  return said.join(" ");
}

/** What is said where nothing else can be. */
const NOTHING: { readonly [end in RunEnd]?: string } = {
  blocked: "The gate held back what was tried; nothing was published.",
  waiting: "What was tried waits for a person's approval; nothing was published.",
};

/** What stands on GitHub now, each thing named as what it is. */
function publishedOf(journal: Journal, leftover: Leftover | undefined): readonly string[] {
  const published = lastEntry(journal, "published");
  if (published === undefined) return [];
  const { onto } = published.replayed ?? {};
  const replayed = onto === undefined ? "" : `, replayed on ${onto.slice(0, 10)}, which came there while it worked`;
  const committed = `Committed ${published.commit.slice(0, 10)} to ${codeSpan(published.branch)}${replayed}.`;
  if (leftover?.status !== "published") return [published.pull === undefined ? committed : `Opened #${published.pull}.`];
  const { as, pull, branch, why } = leftover;
  if (as === "commit") return [`Opened #${pull}; what came after it was committed to ${codeSpan(branch)}.`];
  const kind = as === "draft" ? "the draft" : "the pull request (this repository takes no drafts)";
  const reason = why === undefined ? "" : ` It had not been published before: ${codeSpan(why, 600)}.`;
  return [`What was not published yet stands in ${kind} #${pull}.${reason}`];
}

function sentence(why: string, hint: string | undefined): string {
  const ended = /[.!?]$/.test(why) ? why : `${why}.`;
  return hint === undefined ? ended : `${ended} ${hint}`;
}

/** Everything the gate found in this run, each finding once, most severe first. */
function findingsOf(journal: Journal, approval: string | undefined): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const entry of journal.entries) {
    if (entry.kind !== "decision") continue;
    // Earlier questions of the run wait no more.
    const isOver = approval !== undefined && entry.decision.approval !== undefined && entry.decision.approval !== approval;
    for (const finding of entry.decision.findings.filter(({ severity }) => !(isOver && severity === "ask")))
      seen.set(JSON.stringify([finding.rule, finding.severity, finding.where, finding.why]), finding);
  }
  return [...seen.values()].toSorted((a, b) => RANK[b.severity] - RANK[a.severity]);
}

const RANK = { block: 3, ask: 2, warn: 1, info: 0 } as const;

/** What went wrong, in words for people: our own errors speak for themselves, anything else is not shown. */
export function failureOf(error: unknown): { readonly why: string; readonly hint?: string } {
  if (!(error instanceof SallyportError))
    return { why: "Something went wrong inside the bot.", hint: "Its operator finds the reason in the log." };
  return error.hint === undefined ? { why: error.message } : { why: error.message, hint: error.hint };
}
