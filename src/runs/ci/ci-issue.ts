import type { FailedRun } from "../../core/run.ts";
import { oneLine } from "../../text/code-span.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { renderReport, type Report } from "../report.ts";
import type { RunCommentOptions } from "../run-comment.ts";
import type { RunContext } from "../run-context.ts";

const LONGEST_BODY = 60_000;
const LONGEST_TITLE = 200;

/** Opens the one issue about a workflow that fails on a branch; what comes later of the same is said there. */
export async function openCiIssue(
  { submit, request, outgoing, run, log }: RunContext,
  { markers }: Pick<RunCommentOptions, "markers">,
  { ci, report }: { readonly ci: FailedRun; readonly report: Report },
): Promise<void> {
  const title = cleanPlain(oneLine(`${ci.workflow} fails on ${ci.branch}`).slice(0, LONGEST_TITLE).toWellFormed(), outgoing).text;
  const body = `${cleanAndBound(renderReport(report), outgoing, LONGEST_BODY, "the rest of it").text}\n\n${markers.stamp({ run: run.id, state: report.end })}`;
  const written = report.answer === "" ? [] : [report.answer];
  const { status, decision } = await submit(
    { kind: "open-issue", repository: request.repository, title, body, written },
    { key: "ci-issue" },
  );
  if (status === "refused") log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the issue about failed CI was held back");
}
