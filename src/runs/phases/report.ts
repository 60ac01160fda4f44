import { dirname } from "node:path";
import type { Conversation } from "../../agent/converse.ts";
import { NO_USAGE } from "../../core/conversation.ts";
import { SallyportError } from "../../core/errors.ts";
import type { Journal } from "../../core/journal.ts";
import type { Finding } from "../../core/result.ts";
import type { RunEnd } from "../../core/run.ts";
import { codeSpan } from "../../text/code-span.ts";
import type { Report } from "../report.ts";
import { phaseResult, type Leftover } from "../phase-results.ts";
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
}

/** The run's end state and all that is said about it. */
export function reportOf(
  { run, journal, request }: Pick<RunContext, "run" | "journal" | "request">,
  { sandbox, mask, workspaces }: Pick<RunDependencies, "sandbox" | "mask" | "workspaces">,
  ending: Ending,
): Report {
  const { conversation } = ending;
  const end = endOf(journal, ending);
  const tests = testsSentence(journal);
  const clean = (text: string): string => mask(withoutHostPaths(text, dirname(workspaces)));
  const startedAt = phaseResult(journal, "check-out")?.startedAt ?? run.createdAt.getTime();
  return {
    runId: run.id,
    end,
    summary: clean(summaryOf(journal, ending, end, request.thread.number)),
    answer: conversation !== undefined && "text" in conversation ? mask(conversation.text) : "",
    findings: findingsOf(journal),
    ...(tests === undefined ? {} : { tests }),
    turns: conversation?.turns ?? 0,
    usage: conversation?.usage ?? NO_USAGE,
    ...(conversation?.usd === undefined ? {} : { usd: conversation.usd }),
    elapsedMs: Date.now() - startedAt,
    ...(conversation === undefined ? {} : { model: conversation.model }),
    sandbox: sandbox?.level ?? "none",
  };
}

function endOf(journal: Journal, { conversation, leftover, failure }: Ending): RunEnd {
  if (failure !== undefined) return "failed";
  if (conversation?.end === "failed") return "failed";
  if (conversation?.end === "out-of-budget") return "out-of-budget";
  if (conversation?.end === "cancelled") return "cancelled";
  if (leftover?.status === "held") return "blocked";
  if (leftover?.status === "waiting") return "waiting";
  if (leftover?.status === "failed") return "failed";
  if (lastEntry(journal, "published") !== undefined) return "done";
  const verdicts = journal.entries.flatMap((entry) =>
    entry.kind === "decision" && !OWN_WORDS.has(entry.key) ? [entry.decision.verdict] : [],
  );
  if (verdicts.includes("block")) return "blocked";
  return verdicts.includes("ask") ? "waiting" : "done";
}

/** Decisions on the run's own comment: a report that an earlier attempt had to shorten is no change that was held. */
const OWN_WORDS: ReadonlySet<string> = new Set([RUN_COMMENT, "report"]);

function summaryOf(journal: Journal, { conversation, leftover, failure }: Ending, end: RunEnd, thread: number): string {
  const said: string[] = [];
  if (failure !== undefined) said.push(sentence(failure.why, failure.hint));
  if (conversation?.end === "failed") said.push(sentence(conversation.why, conversation.hint));
  if (conversation?.end === "out-of-budget") said.push(`The limit ${conversation.budget} was reached.`);
  said.push(...publishedOf(journal, leftover));
  if (leftover?.status === "held") said.push(`The gate held the change back, nothing of it was published: ${codeSpan(leftover.why, 600)}.`);
  if (leftover?.status === "waiting") said.push(`Nothing was published yet: a person must approve it. ${codeSpan(leftover.why, 600)}.`);
  if (leftover?.status === "failed") said.push(`The change could not be published: ${codeSpan(leftover.why, 600)}.`);
  if (said.length === 0) said.push(NOTHING[end] ?? `Answered on #${thread}; nothing was changed.`);
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
  const committed = `Committed ${published.commit.slice(0, 10)} to ${codeSpan(published.branch)}.`;
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
function findingsOf(journal: Journal): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const entry of journal.entries) {
    if (entry.kind !== "decision") continue;
    for (const finding of entry.decision.findings)
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
