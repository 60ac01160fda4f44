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
  /** Markdown for the step summary, cleaned. */
  readonly story?: string;
}

/** The outputs of `action.yml`, all of them at every end. */
export function outputsOf({ conclusion, why, runId, pullRequest, branch, reviewId, said, usd, findings = [] }: Outcome) {
  return {
    conclusion,
    run_id: runId ?? "",
    pull_request: pullRequest === undefined ? "" : String(pullRequest),
    branch: branch ?? "",
    review_id: reviewId === undefined ? "" : String(reviewId),
    summary: said ?? why,
    cost_usd: usd === undefined ? "" : usd.toFixed(6).replace(/\.?0+$/, ""),
    gate_findings: String(countOf(findings)),
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
