import type { CheckRun } from "../../core/operation.ts";
import { renderReceipt } from "../../review/read/receipt.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { phaseResult } from "../phase-results.ts";
import { renderReport, type Report } from "../report.ts";
import type { RunComment } from "../run-comment.ts";
import type { RunContext } from "../run-context.ts";
import { stepKey } from "../submit.ts";
import { checkEnd, coverage, remarksOf } from "./check-words.ts";
import { receiptFor, type Reading } from "./reading.ts";

/** What a review's phases hand to its voice: there once the difference has been read. */
export interface ReviewState {
  reading?: Reading;
}

/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;
/** The key under which a review's check run is begun. */
const CHECK = "check";

/** Whether the review has begun its check run. */
export function hasCheck({ journal }: Pick<RunContext, "journal">): boolean {
  return journal.entries.some((entry) => entry.kind === "outcome" && entry.key === stepKey(CHECK, "check-run"));
}

/**
 * The check run by which a review speaks: begun with it, on the head that it reads, and completed in every case.
 * @throws {GitHubError} `missing-permission` where the App may not write checks.
 */
export async function openCheckVoice(context: RunContext, state: ReviewState): Promise<RunComment> {
  const { journal, run, request, submit, outgoing, settings, log } = context;
  const head = phaseResult(journal, "authorize")?.pin?.commit;
  if (head === undefined) throw new TypeError(`review ${run.id} has no head`);
  const base = { kind: "check-run", repository: request.repository, name: "sallyport", headSha: head, externalId: run.id } as const;
  const begun: CheckRun = { ...base, status: "in_progress", title: "Reviewing", summary: "The difference is being read." };
  const made = await submit(begun, { key: CHECK });
  const id = made.status === "done" ? made.outcome.id : undefined;
  if (id === undefined) throw new TypeError("the review's check run was held back by the gate, or GitHub gave it no id");

  const completed = (report: Report): CheckRun => {
    const receipt = state.reading === undefined ? undefined : receiptFor(state.reading, journal);
    const remarks = remarksOf(journal);
    const end = checkEnd(report, remarks, receipt, settings.review.required);
    const clean = (text: string): string => cleanAndBound(text, outgoing, LONGEST_SUMMARY, "the rest of it").text;
    const parts = [
      coverage(receipt, state.reading?.since),
      ...(remarks.lost === undefined ? [] : [`The last try to publish it: ${remarks.lost}`]),
      renderReport(report),
    ];
    const text = receipt === undefined ? undefined : clean(renderReceipt(receipt));
    return {
      ...base,
      checkRunId: id,
      status: "completed",
      conclusion: end.conclusion,
      title: cleanPlain(end.title, outgoing).text,
      summary: clean(parts.join("\n\n")),
      ...(text === undefined ? {} : { text }),
    };
  };
  return {
    progress() {},
    async finish(report) {
      const whole = completed(report);
      const written = [report.answer, ...lostWords(journal)].filter((text) => text !== "");
      const { status, decision } = await submit({ ...whole, written }, { key: "check-end" });
      if (status === "done") return;
      // The end must be said, whatever the gate holds of what a model wrote.
      log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the check run's summary was held back");
      const { text: _, ...bare } = whole;
      const conclusion = whole.conclusion === "success" ? "neutral" : whole.conclusion;
      await submit({ ...bare, ...(conclusion === undefined ? {} : { conclusion }), summary: HELD }, { key: "check-bare" });
    },
    [Symbol.dispose]() {},
  };
}

const HELD = "What there is to say was held back by the gate; the run's page has it.";

/** What the model wrote for a review that did not come to stand anywhere. */
function lostWords({ entries }: RunContext["journal"]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.kind === "tool-result" && entry.tool === "gh_review_pr" && entry.result.status !== "ok" ? [entry.result.text] : [],
  );
}
