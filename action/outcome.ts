import type { CheckAnnotation } from "../src/core/operation.ts";
import type { Finding } from "../src/core/result.ts";
import type { RunEnd } from "../src/core/run.ts";

/** How the step ended, all that is said about it, and where. */
export interface Outcome {
  readonly conclusion: RunEnd | "ignored";
  /** Why, in one or two sentences of our own. */
  readonly why: string;
  readonly runId?: string;
  readonly pullRequest?: number;
  readonly branch?: string;
  readonly reviewId?: number;
  /** What the output `summary` holds: the model's last words where there are some. Hostile text. */
  readonly said?: string;
  /** United States dollars. */
  readonly usd?: number;
  readonly findings?: readonly Finding[];
  /** The findings as remarks on the step; each finding as it is where they are left out. */
  readonly remarks?: readonly Remark[];
  /** Markdown for the step summary, cleaned. */
  readonly story?: string;
  /** Files that outlive the step, absolute. */
  readonly sarifFile?: string;
  readonly receiptFile?: string;
  /** No key was given that would sign receipts. */
  readonly unsigned?: true;
}

/** What is said of one finding; one without a place stands on the step alone. */
export type Remark = Pick<CheckAnnotation, "level" | "title" | "message"> & Partial<Pick<CheckAnnotation, "path" | "startLine">>;

/** The outputs of `action.yml`, all of them at every end; those that name a file only where there is one. */
export function outputsOf(outcome: Outcome): Readonly<Record<string, string>> {
  const { conclusion, why, runId, pullRequest, branch, reviewId, said, usd, findings = [], sarifFile, receiptFile } = outcome;
  return {
    conclusion,
    run_id: runId ?? "",
    pull_request: pullRequest === undefined ? "" : String(pullRequest),
    branch: branch ?? "",
    review_id: reviewId === undefined ? "" : String(reviewId),
    summary: said ?? why,
    cost_usd: usd === undefined ? "" : usd.toFixed(6).replace(/\.?0+$/, ""),
    gate_findings: String(countOf(findings)),
    ...(sarifFile === undefined ? {} : { sarif_file: sarifFile }),
    ...(receiptFile === undefined ? {} : { receipt_file: receiptFile }),
  };
}

/** What is only told is no finding that anybody has to look at. */
function countOf(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity !== "info").length;
}

/** Whether the step fails. What waits for people, and what was called off, is no failure. */
export function isFailure({ conclusion }: Pick<Outcome, "conclusion">): boolean {
  return conclusion === "failed" || conclusion === "blocked" || conclusion === "out-of-budget";
}
