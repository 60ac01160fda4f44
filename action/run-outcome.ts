import type { Journal, JournalEntry } from "../src/core/journal.ts";
import type { Run, RunEnd } from "../src/core/run.ts";
import { outgoingPolicy } from "../src/gate/outgoing.ts";
import { phaseResult } from "../src/runs/phase-results.ts";
import type { KeptWords } from "../src/runs/run-context.ts";
import { keptWishes, lostTries, reviewTries, type ReviewTry } from "../src/runs/review/tries.ts";
import { codeBlock, codeSpan } from "../src/text/code-span.ts";
import { cleanAndBound } from "../src/text/outgoing/bound-clean.ts";
import type { ReviewWish } from "../src/tools/tool.ts";
import type { Outcome } from "./outcome.ts";

export interface RunOutcomeOptions {
  readonly run: Run;
  readonly journal: Journal;
  readonly end: RunEnd;
  /** GitHub as people see it. */
  readonly origin: string;
  /** The run's last words; absent for a command, and for a run that could not say any. */
  readonly report?: KeptWords;
  readonly text?: string;
  /** Work that GitHub did not take. */
  readonly patch?: string | undefined;
}

/** Bytes of remarks that were not published. */
const LONGEST_REMARKS = 300_000;

/** What a run that has ended came to, read from its journal. */
export function outcomeOf({ run, journal, end, origin, report, text, patch }: RunOutcomeOptions): Outcome {
  const { request } = run;
  const published = last(journal, "published");
  const review = journal.entries.findLast((entry) => entry.kind === "outcome" && entry.outcome.operation === "review");
  const tries = reviewTries(journal);
  const lost = lostTries(tries);
  const wasLost = end === "done" && lost.length > 0;
  const conclusion = wasLost ? "failed" : end;
  const why = wasLost
    ? `The review could not be published. ${lost.at(-1)?.result.text ?? ""} ${NEEDS}`.trim()
    : `${report?.summary ?? `The run ended as ${end}.`}${patch === undefined ? "" : ` ${NEEDS_FOR_WORK}`}${end === "waiting" ? ` ${NOBODY_ANSWERS}` : ""}`;
  // A commit on the head of the run's own pull request belongs to that one.
  const onto = phaseResult(journal, "authorize")?.pin?.pull ?? request.pull;
  const pullRequest = published?.pull ?? (published !== undefined && published.branch === onto?.headRef ? onto.number : undefined);
  const policy = outgoingPolicy(request, { origin, hosts: [] });
  const clean = (raw: string): string => cleanAndBound(raw, policy, LONGEST_REMARKS, "the rest").text;
  const story = [
    ...(wasLost ? [`**failed** — ${why}`] : []),
    ...(text === undefined ? [] : [text]),
    ...remarksOf("Review", postedWishes(tries), clean),
    // What the gate held back is shown nowhere.
    ...remarksOf("Not published", keptWishes(lost), clean),
    ...(patch === undefined ? [] : [`#### Not published\n\n${codeBlock(patch, "diff")}`]),
  ];
  return {
    conclusion,
    why,
    runId: run.id,
    ...(pullRequest === undefined ? {} : { pullRequest }),
    ...(published === undefined ? {} : { branch: published.branch }),
    ...(review?.kind === "outcome" && review.outcome.id !== undefined ? { reviewId: review.outcome.id } : {}),
    ...(report === undefined ? {} : { said: report.answer.trim() === "" ? report.summary : report.answer, findings: report.findings }),
    ...(report?.usd === undefined ? {} : { usd: report.usd }),
    ...(story.length === 0 ? {} : { story: story.join("\n\n") }),
  };
}

const NEEDS = "The token needs the permission `pull-requests: write`; what was to be said stands in the step summary.";

const NEEDS_FOR_WORK =
  "A token that publishes work needs `contents: write`, `pull-requests: write` and `issues: write`; the work stands in the step summary.";

const NOBODY_ANSWERS = "An Action waits for nobody's answer: a person makes this change, or the App asks for it.";

/** The reviews that stand on GitHub. */
function postedWishes(tries: readonly ReviewTry[]): readonly ReviewWish[] {
  return tries.flatMap(({ wish, result }) => (wish === undefined || result.status !== "ok" ? [] : [wish]));
}

/** What reviews say, at their places. */
function remarksOf(title: string, wishes: readonly ReviewWish[], clean: (text: string) => string): readonly string[] {
  const texts = wishes.flatMap(({ body, comments }) => [
    body,
    ...comments.map(({ path, line, body: remark }) => `**${codeSpan(`${path}:${line}`, 600)}**\n\n${remark}`),
  ]);
  const said = texts.filter((one) => one.trim() !== "").join("\n\n");
  return said === "" ? [] : [`#### ${title}\n\n${clean(said)}`];
}

function last<K extends JournalEntry["kind"]>({ entries }: Journal, kind: K): Extract<JournalEntry, { kind: K }> | undefined {
  return entries.findLast((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind);
}
