import type { CheckRun } from "../core/operation.ts";
import { STATE_WORDS } from "../core/words.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import { phaseResult } from "./phase-results.ts";
import { renderReport, type Report } from "./report.ts";
import type { RunComment } from "./run-comment.ts";
import type { RunContext } from "./run-context.ts";

/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;

/** What stands in for the comment of a run that is only observed: a neutral check run, at its end, on the commit that it worked on. */
export function openObservation({ journal, run, request, submit, outgoing, log }: RunContext): RunComment {
  return {
    progress() {},
    async finish(report: Report) {
      const commit = phaseResult(journal, "authorize")?.pin?.commit;
      if (commit === undefined) return;
      const check: CheckRun = {
        kind: "check-run",
        repository: request.repository,
        name: "sallyport",
        headSha: commit,
        status: "completed",
        conclusion: "neutral",
        title: `Observed: ${STATE_WORDS[report.end]}`,
        summary: cleanAndBound(renderReport(report), outgoing, LONGEST_SUMMARY, "the rest of it").text,
        externalId: `${run.id}/observation`,
      };
      const { status, decision } = await submit(check, { key: "observation" });
      if (status === "refused") log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "what was observed was held back");
    },
    [Symbol.dispose]() {},
  };
}
