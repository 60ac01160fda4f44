import type { CheckRun } from "../../core/operation.ts";
import type { Journal } from "../../core/journal.ts";
import { isComplete, receiptSentence, type Receipt } from "../../review/read/receipt.ts";
import type { Report } from "../report.ts";
import { keptWishes, lostTries, reviewTries, type ReviewTry } from "./tries.ts";

/** What became of the remarks that a review wanted to make. */
export interface Remarks {
  /** Reviews that stand on GitHub. */
  readonly posted: number;
  /** Remarks that stand in a comment, since GitHub took no review. */
  readonly inComment: boolean;
  /** Tries whose remarks stand nowhere: refused by the gate, or by GitHub. */
  readonly lost: readonly ReviewTry[];
}

/** Reads from the journal what became of a review's remarks. */
export function remarksOf(journal: Journal): Remarks {
  const outcomes = journal.entries.flatMap((entry) =>
    entry.kind === "outcome" && entry.key.startsWith("review-") ? [entry.outcome.operation] : [],
  );
  return {
    posted: outcomes.filter((kind) => kind === "review").length,
    inComment: outcomes.includes("comment"),
    lost: lostTries(reviewTries(journal)),
  };
}

/** A check run's end, in words. Green only for a review that read all that was to be read and published all that it had to say. */
export function checkEnd(
  report: Pick<Report, "end">,
  { posted, inComment, lost }: Remarks,
  receipt: Receipt | undefined,
  isRequired: boolean,
): Required<Pick<CheckRun, "conclusion" | "title">> {
  const failed = isRequired ? "failure" : "neutral";
  if (report.end === "cancelled") {
    const title = posted > 0 ? "The review was cancelled after its first remarks" : "Not reviewed: the review was cancelled";
    return { conclusion: "cancelled", title };
  }
  if (lost.length > 0) {
    return {
      conclusion: failed,
      title: keptWishes(lost).length > 0 ? "The review could not be posted; its remarks stand here" : "The review could not be published",
    };
  }
  if (inComment) return { conclusion: failed, title: "The review could not be posted; its remarks stand in a comment" };
  if (report.end === "out-of-budget") return { conclusion: failed, title: "The review is incomplete: its budget was used up" };
  if (report.end !== "done") return { conclusion: failed, title: "The review failed: it could not be made" };
  if (receipt !== undefined && !isComplete(receipt)) {
    return {
      conclusion: failed,
      title: `The review is incomplete: ${receipt.missed.length} of ${receipt.files} files were not read to the end`,
    };
  }
  if (posted > 0) return { conclusion: "success", title: "Reviewed: see the remarks" };
  const wasRead = receipt !== undefined && receipt.read > 0;
  return {
    conclusion: "success",
    title: wasRead ? "Reviewed: nothing to remark" : "Nothing to review: no changed file is one that is read",
  };
}

/** How many conversations of earlier remarks a review has resolved, in a sentence; nothing where it has resolved none. */
export function resolvedSentence({ entries }: Pick<Journal, "entries">): string {
  const resolved = entries.filter((entry) => entry.kind === "outcome" && entry.outcome.operation === "resolve-thread").length;
  return resolved === 0 ? "" : `resolved: ${resolved} (earlier remarks that hold no more, now that their lines have changed).`;
}

/** The summary's first lines: what was read. Of a review that was ended by others, how far it had come is not known. */
export function coverage(receipt: Receipt | undefined, since: string | undefined, { entries }: Pick<Journal, "entries">): string {
  if (receipt === undefined) {
    const wasBegun = entries.some(({ kind }) => kind === "opening");
    return wasBegun ? "Coverage: the review was ended before it had read all." : "Coverage: nothing was read.";
  }
  return `${receiptSentence(receipt)}${since === undefined ? "" : ` Only what is new since ${since.slice(0, 10)}, or was not read then, was to be read.`}`;
}
