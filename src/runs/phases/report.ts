import type { Conversation } from "../../agent/converse.ts";
import type { TestVerdict } from "../../agent/repair.ts";
import { NO_USAGE } from "../../core/conversation.ts";
import { SallyportError } from "../../core/errors.ts";
import type { Journal } from "../../core/journal.ts";
import type { Finding } from "../../core/result.ts";
import type { RunEnd } from "../../core/run.ts";
import { codeSpan, type Report } from "../report.ts";
import { phaseResult, type Leftover } from "../phase-results.ts";
import { lastEntry, type RunContext, type RunDependencies } from "../run-context.ts";

/** What the phases came to. */
export interface Ending {
  readonly conversation?: Conversation;
  readonly leftover?: Leftover;
  readonly tests?: TestVerdict | undefined;
  /** Set when the run could not be carried out at all. */
  readonly failure?: { readonly why: string; readonly hint?: string };
}

/** The run's end state and all that is said about it. */
export function reportOf({ run, journal, request }: RunContext, { sandbox }: Pick<RunDependencies, "sandbox">, ending: Ending): Report {
  const { conversation, tests } = ending;
  const end = endOf(journal, ending);
  const startedAt = phaseResult(journal, "check-out")?.startedAt ?? run.createdAt.getTime();
  return {
    runId: run.id,
    end,
    summary: summaryOf(journal, ending, end, request.thread.number),
    answer: conversation !== undefined && "text" in conversation ? conversation.text : "",
    findings: findingsOf(journal),
    ...(tests === undefined ? {} : { tests: testsSentence(tests) }),
    turns: conversation?.turns ?? 0,
    usage: conversation?.usage ?? NO_USAGE,
    elapsedMs: Date.now() - startedAt,
    ...(conversation === undefined ? {} : { model: conversation.model }),
    sandbox: sandbox?.level ?? "none",
  };
}

/** How the tests stood last, for the pull request and the report. */
export function testsSentence({ command, said, outdated }: TestVerdict): string {
  return `Tests: ${codeSpan(command)} ${said}${outdated ? " before the last change" : ""}.`;
}

function endOf(journal: Journal, { conversation, leftover, failure }: Ending): RunEnd {
  if (failure !== undefined) return "failed";
  if (conversation?.end === "failed") return "failed";
  if (conversation?.end === "out-of-budget") return "out-of-budget";
  if (conversation?.end === "cancelled") return "cancelled";
  if (leftover?.status === "held") return "blocked";
  if (leftover?.status === "failed") return "failed";
  const somethingWasHeld = journal.entries.some((entry) => entry.kind === "decision" && entry.decision.verdict !== "allow");
  return somethingWasHeld && lastEntry(journal, "published") === undefined ? "blocked" : "done";
}

function summaryOf(journal: Journal, { conversation, leftover, failure }: Ending, end: RunEnd, thread: number): string {
  if (failure !== undefined) return sentence(failure.why, failure.hint);
  const said: string[] = [];
  if (conversation?.end === "failed") said.push(sentence(conversation.why, conversation.hint));
  if (conversation?.end === "out-of-budget") said.push(`The limit ${conversation.budget} was reached.`);
  const published = lastEntry(journal, "published");
  if (leftover?.status === "published") {
    said.push(
      leftover.pull === published?.pull && leftover.pull !== undefined
        ? `What was not published yet stands in the draft #${leftover.pull}.`
        : "What was left has been published.",
    );
  } else if (published?.pull !== undefined) said.push(`Opened #${published.pull}.`);
  else if (published !== undefined) said.push(`Committed ${published.commit.slice(0, 10)} to ${codeSpan(published.branch)}.`);
  if (leftover?.status === "held") said.push(`The gate held the change back, nothing of it was published: ${codeSpan(leftover.why)}.`);
  if (leftover?.status === "failed") said.push(`The change could not be published: ${leftover.why}`);
  if (said.length === 0)
    said.push(
      end === "blocked" ? "The gate held back what was tried; nothing was published." : `Answered on #${thread}; nothing was changed.`,
    );
  return said.join(" ");
}

const sentence = (why: string, hint: string | undefined): string => {
  const ended = /[.!?]$/.test(why) ? why : `${why}.`;
  return hint === undefined ? ended : `${ended} ${hint}`;
};

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
