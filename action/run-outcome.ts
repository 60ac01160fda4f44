import type { Journal, JournalEntry } from "../src/core/journal.ts";
import type { Run, RunEnd } from "../src/core/run.ts";
import { outgoingPolicy } from "../src/gate/outgoing.ts";
import type { Report } from "../src/runs/report.ts";
import { keptWishes, lostTries, reviewTries } from "../src/runs/review/tries.ts";
import { codeSpan } from "../src/text/code-span.ts";
import { cleanAndBound } from "../src/text/outgoing/bound-clean.ts";
import type { Outcome } from "./outcome.ts";

export interface RunOutcomeOptions {
  readonly run: Run;
  readonly journal: Journal;
  readonly end: RunEnd;
  /** GitHub as people see it. */
  readonly origin: string;
  /** The run's last words; absent for a command, and for a run that could not say any. */
  readonly report?: Report;
  readonly text?: string;
}

/** Bytes of remarks that were not published. */
const LONGEST_REMARKS = 300_000;

/** What a run that has ended came to, read from its journal. */
export function outcomeOf({ run, journal, end, origin, report, text }: RunOutcomeOptions): Outcome {
  const { request } = run;
  const published = last(journal, "published");
  const review = journal.entries.findLast((entry) => entry.kind === "outcome" && entry.outcome.operation === "review");
  const lost = lostTries(reviewTries(journal));
  const wasLost = end === "done" && lost.length > 0;
  const conclusion = wasLost ? "failed" : end;
  const why = wasLost ? `The review could not be published. ${lost.at(-1)?.result.text ?? ""} ${NEEDS}`.trim() : (report?.summary ?? `The run ended as ${end}.`);
  const pullRequest = published?.pull ?? (published === undefined ? undefined : request.pull?.number);
  const remarks = lostRemarks(lost, (raw) => cleanAndBound(raw, outgoingPolicy(request, { origin, hosts: [] }), LONGEST_REMARKS, "the rest").text);
  const story = [...(wasLost ? [`**failed** — ${why}`] : []), ...(text === undefined ? [] : [text]), ...remarks];
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

/** Reviews that GitHub took in no form. What the gate held back is shown nowhere. */
function lostRemarks(lost: ReturnType<typeof lostTries>, clean: (text: string) => string): readonly string[] {
  const wishes = keptWishes(lost);
  if (wishes.length === 0) return [];
  const texts = wishes.flatMap(({ body, comments }) => [
    body,
    ...comments.map(({ path, line, body: remark }) => `**${codeSpan(`${path}:${line}`, 600)}**\n\n${remark}`),
  ]);
  return [`#### Not published\n\n${clean(texts.filter((one) => one.trim() !== "").join("\n\n"))}`];
}

function last<K extends JournalEntry["kind"]>({ entries }: Journal, kind: K): Extract<JournalEntry, { kind: K }> | undefined {
  return entries.findLast((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind);
}
