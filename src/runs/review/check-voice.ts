import type { CheckRun } from "../../core/operation.ts";
import { GitHubError } from "../../github/errors.ts";
import { receiptBlock, receiptSentence } from "../../receipts/block.ts";
import { renderReceipt } from "../../review/read/receipt.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { orPlainly, UNSAID } from "../plain-end.ts";
import { phaseResult } from "../phase-results.ts";
import { renderReport, type Report } from "../report.ts";
import type { RunComment } from "../run-comment.ts";
import type { RunContext } from "../run-context.ts";
import { stepKey } from "../submit.ts";
import { checkEnd, coverage, remarksOf, resolvedSentence } from "./check-words.ts";
import { keptRemarks } from "./kept-remarks.ts";
import { receiptFor, type Reading } from "./reading.ts";
import { linksTo } from "./review-text.ts";
import { keptWishes, lostTries, reviewTries, triedSoFar } from "./tries.ts";

/** What a review's phases hand to its voice: there once the difference has been read. */
export interface ReviewState {
  reading?: Reading;
}

export interface CheckVoiceOptions {
  readonly state: ReviewState;
  /** Where GitHub shows pages, without a final slash. */
  readonly webUrl: string;
}

/** The check run by which reviews speak. */
const NAME = "sallyport";
/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;
/** The key under which a review's check run is begun. */
const CHECK = "check";
const UNTOLD = "The review has ended; what came of it could not be told";
const HELD = "What there is to say was held back by the gate; the run's page has it.";

/** Whether the review has begun its check run. */
export function hasCheck({ journal }: Pick<RunContext, "journal">): boolean {
  return journal.entries.some((entry) => entry.kind === "outcome" && entry.key === stepKey(CHECK, "check-run"));
}

/**
 * The check run by which a review speaks: begun with it, on the head that it reads, and completed in every case.
 * @throws {GitHubError} `missing-permission` where the App may not write checks.
 */
export async function openCheckVoice(context: RunContext, options: CheckVoiceOptions): Promise<RunComment> {
  const { run, submit } = context;
  const base = baseOf(context);
  if (base === undefined) throw new TypeError(`review ${run.id} has no head`);
  const begun: CheckRun = { ...base, status: "in_progress", title: "Reviewing", summary: "The difference is being read." };
  const made = await submit(begun, { key: CHECK });
  const checkRunId = made.status === "done" ? made.outcome.id : undefined;
  if (checkRunId === undefined) throw new TypeError("the review's check run was held back by the gate, or GitHub gave it no id");
  return {
    progress() {},
    finish: (report) => finish(context, { ...base, checkRunId }, report, options),
    [Symbol.dispose]() {},
  };
}

/**
 * The word of a run that is no review and made remarks all the same: where GitHub took them in no form, they are kept in a check run. Else it
 * says nothing; the run's comment tells the rest.
 */
export function keepingLost(context: RunContext, options: Pick<CheckVoiceOptions, "webUrl">): RunComment {
  return {
    progress() {},
    async finish(report) {
      const base = baseOf(context);
      if (base === undefined || keptWishes(lostTries(reviewTries(context.journal))).length === 0) return;
      await finish(context, base, report, { ...options, state: {} });
    },
    [Symbol.dispose]() {},
  };
}

type Base = Pick<CheckRun, "kind" | "repository" | "name" | "headSha" | "externalId">;

/** Completes the check run, and in any case: of one whose words cannot be put together nobody could tell that it has ended. */
async function finish(
  context: RunContext,
  base: Base & Pick<CheckRun, "checkRunId">,
  report: Report,
  options: CheckVoiceOptions,
): Promise<void> {
  await orPlainly(
    context,
    () => complete(context, completed(context, base, report, options), report),
    async () => {
      const failed = context.settings.review.required ? "failure" : "neutral";
      const conclusion = report.end === "cancelled" ? "cancelled" : failed;
      await context.submit({ ...base, status: "completed", conclusion, title: UNTOLD, summary: UNSAID }, { key: "check-plainly" });
    },
  );
}

/** On the head that was read; undefined where there is none. */
function baseOf({ journal, run, request }: RunContext): Base | undefined {
  const pin = phaseResult(journal, "authorize")?.pin;
  if (pin === undefined) return undefined;
  return {
    kind: "check-run",
    repository: request.repository,
    name: NAME,
    headSha: pin.commit,
    externalId: `${run.id}/${request.thread.number}`,
  };
}

function completed(
  { journal, request, outgoing, settings }: RunContext,
  base: Base & Pick<CheckRun, "checkRunId">,
  report: Report,
  { state: { reading }, webUrl }: CheckVoiceOptions,
): CheckRun {
  const receipt = reading === undefined ? undefined : receiptFor(reading, journal);
  const remarks = remarksOf(journal);
  const end = checkEnd(report, remarks, receipt, settings.review.required);
  const clean = (text: string, longest = LONGEST_SUMMARY): string => cleanAndBound(text, outgoing, longest, "the rest of it").text;
  const pull = phaseResult(journal, "authorize")?.pin?.pull;
  const kept = keptRemarks(keptWishes(remarks.lost), {
    files: reading?.files ?? [],
    linkTo: pull === undefined ? () => undefined : linksTo(webUrl, request.repository, pull),
    outgoing,
  });
  const isReview = request.trigger === "review";
  const lost = remarks.lost.map(({ result }) => `A try to publish came to nothing: ${result.text}`);
  const summary = [
    ...(isReview ? [coverage(receipt, reading?.since, journal), ...triedSoFar(journal), resolvedSentence(journal)] : []),
    ...lost,
    renderReport(report),
    report.receipt === undefined ? "" : receiptSentence(report.receipt),
  ];
  const said = summary.filter((part) => part !== "").join("\n\n");
  const block = report.receipt === undefined ? "" : receiptBlock(report.receipt.envelope);
  const words = [kept.text, receipt === undefined ? "" : renderReceipt(receipt)].filter((part) => part !== "").join("\n\n");
  // Cut or cleaned, it could not be verified; its bytes are the last that must be lost.
  const text = [clean(words, LONGEST_SUMMARY - block.length), block].filter((part) => part !== "").join("\n\n");
  return {
    ...base,
    status: "completed",
    conclusion: end.conclusion,
    title: cleanPlain(end.title, outgoing).text,
    summary: clean(said),
    ...(text === "" ? {} : { text }),
    ...(kept.annotations.length === 0 ? {} : { annotations: kept.annotations }),
  };
}

/** The end must be said, whatever the gate holds of what a model wrote. */
async function complete({ submit, journal, log }: RunContext, whole: CheckRun, report: Report): Promise<void> {
  const { receipt } = report;
  const written = [report.answer, ...lostWords(reviewTries(journal)), receipt?.statement ?? ""].filter((text) => text !== "");
  const { text: _, annotations, ...bare } = whole;
  const made = await submit({ ...whole, written }, { key: "check-end" }).catch((error: unknown) => {
    // A place that GitHub does not take must not cost the words.
    if (annotations === undefined || !(error instanceof GitHubError) || error.code !== "validation") throw error;
    log.warn({ why: error.message }, "the check run is not taken with its annotations");
    return undefined;
  });
  if (made?.status === "done") return;
  if (made !== undefined) log.warn({ rules: made.decision.findings.map(({ rule }) => rule) }, "the check run's texts were held back");
  if (annotations !== undefined) {
    const again = await submit({ ...whole, annotations: [], written }, { key: "check-plain" });
    if (again.status === "done") return;
  }
  const conclusion = whole.conclusion === "success" ? "neutral" : whole.conclusion;
  await submit({ ...bare, ...(conclusion === undefined ? {} : { conclusion }), summary: HELD }, { key: "check-bare" });
}

/** What the model wrote for reviews that came to stand nowhere. */
function lostWords(tries: ReturnType<typeof reviewTries>): readonly string[] {
  return lostTries(tries).flatMap(({ wish, result }) => [
    result.text,
    ...(wish === undefined ? [] : [wish.body, ...wish.comments.flatMap(({ body, suggestion }) => [body, suggestion ?? ""])]),
  ]);
}
