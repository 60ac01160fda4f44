import type { CheckRun } from "../../core/operation.ts";
import type { Journal } from "../../core/journal.ts";
import { isComplete, receiptSentence, type Receipt } from "../../review/read/receipt.ts";
import type { Report } from "../report.ts";

/** What became of the remarks that a review wanted to make. */
export interface Remarks {
  /** Reviews that stand on GitHub. */
  readonly posted: number;
  /** Remarks that stand in a comment, since GitHub took no review. */
  readonly inComment: boolean;
  /** The last try came to nothing: refused by the gate, or by GitHub. */
  readonly lost: string | undefined;
}

/** Reads from the journal what became of a review's remarks. */
export function remarksOf({ entries }: Journal): Remarks {
  const outcomes = entries.flatMap((entry) =>
    entry.kind === "outcome" && entry.key.startsWith("review-") ? [entry.outcome.operation] : [],
  );
  const tries = entries.flatMap((entry) => (entry.kind === "tool-result" && entry.tool === "gh_review_pr" ? [entry.result] : []));
  const last = tries.at(-1);
  return {
    posted: outcomes.filter((kind) => kind === "review").length,
    inComment: outcomes.includes("comment"),
    lost: last === undefined || last.status === "ok" ? undefined : last.text,
  };
}

/** A check run's end, in words. Green only for a review that read all that was to be read and published all that it had to say. */
export function checkEnd(
  report: Pick<Report, "end">,
  remarks: Remarks,
  receipt: Receipt | undefined,
  isRequired: boolean,
): Required<Pick<CheckRun, "conclusion" | "title">> {
  const failed = isRequired ? "failure" : "neutral";
  if (report.end === "cancelled") return { conclusion: "cancelled", title: "Not reviewed: the review was cancelled" };
  if (remarks.inComment) return { conclusion: failed, title: "The review could not be posted; its remarks stand in a comment" };
  if (remarks.lost !== undefined) return { conclusion: failed, title: "The review could not be published" };
  if (report.end === "out-of-budget") return { conclusion: failed, title: "The review is incomplete: its budget was used up" };
  if (report.end !== "done") return { conclusion: failed, title: "The review failed: it could not be made" };
  if (receipt !== undefined && !isComplete(receipt)) {
    return {
      conclusion: failed,
      title: `The review is incomplete: ${receipt.missed.length} of ${receipt.files} files were not read to the end`,
    };
  }
  return { conclusion: "success", title: remarks.posted === 0 ? "Reviewed: nothing to remark" : "Reviewed: see the remarks" };
}

/** The summary's first lines: what was read. */
export function coverage(receipt: Receipt | undefined, since: string | undefined): string {
  if (receipt === undefined) return "Coverage: nothing was read.";
  return `${receiptSentence(receipt)}${since === undefined ? "" : ` Only what is new since ${since.slice(0, 10)} was read.`}`;
}
