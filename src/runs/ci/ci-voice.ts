import type { CheckRun } from "../../core/operation.ts";
import type { FailedRun } from "../../core/run.ts";
import { GitHubError } from "../../github/errors.ts";
import { codeSpan, oneLine } from "../../text/code-span.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { phaseResult } from "../phase-results.ts";
import { renderReport, type Report } from "../report.ts";
import { postReport, type RunComment, type RunCommentOptions } from "../run-comment.ts";
import { lastEntry, type RunContext } from "../run-context.ts";
import { isWorthAnotherTry } from "../worth-another-try.ts";
import { openCiIssue } from "./ci-issue.ts";
import type { CiState } from "./failure.ts";
import { errorAnnotations, errorList, firstErrorTitle } from "./first-errors.ts";

const NAME = "sallyport/ci";
/** The key under which the check run is begun. */
const CHECK = "check";
/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;
const LONGEST_TITLE = 200;
const HELD = "What there is to say was held back by the gate; the run's page has it.";

/**
 * How a run about failed CI speaks: by a check run on the commit that failed, with the first error of each job, and on the thread once, when
 * it has something to say there. The check is neutral: that CI failed is said by CI.
 */
export function openCiVoice(
  context: RunContext,
  options: RunCommentOptions,
  { ci, state }: { readonly ci: FailedRun; readonly state: CiState },
): RunComment {
  const { journal, request, settings } = context;
  const begun = begin(context, ci);
  // Heard at the end: a check run that cannot be written is no reason not to look.
  begun.catch(() => undefined);
  return {
    progress() {},
    async finish(report) {
      await complete(context, { checkRunId: await begun, ci, state, report });
      if (!isNews(context, report, state)) return;
      if (request.thread.kind !== "none") await postReport(options, report);
      else if (settings.ci.issue && lastEntry(journal, "published")?.pull === undefined)
        await openCiIssue(context, options, { ci, report });
    },
    [Symbol.dispose]() {},
  };
}

/** What people of the thread should hear: an explanation, a change, a question, or that it stops. */
function isNews({ journal }: RunContext, { answer, end }: Report, { hasNews }: CiState): boolean {
  return hasNews === true || answer.trim() !== "" || end === "waiting" || lastEntry(journal, "published") !== undefined;
}

const base = ({ request, run }: RunContext, { headSha }: FailedRun) =>
  ({ kind: "check-run", repository: request.repository, name: NAME, headSha, externalId: `${run.id}/ci` }) as const;

/** The check run's id; undefined where none can be written. */
async function begin(context: RunContext, ci: FailedRun): Promise<number | undefined> {
  const title = cleanPlain(`Looking at ${oneLine(ci.workflow).slice(0, 100)}`.toWellFormed(), context.outgoing).text;
  const check: CheckRun = { ...base(context, ci), status: "in_progress", title, summary: "The logs of the failed jobs are being read." };
  try {
    const made = await context.submit(check, { key: CHECK });
    return made.status === "done" ? made.outcome.id : undefined;
  } catch (error) {
    if (!(error instanceof GitHubError) || isWorthAnotherTry(error)) throw error;
    context.log.warn({ code: error.code, why: error.message }, "no check run can be written");
    return undefined;
  }
}

interface Completion {
  readonly checkRunId: number | undefined;
  readonly ci: FailedRun;
  readonly state: CiState;
  readonly report: Report;
}

async function complete(context: RunContext, { checkRunId, ci, state: { failure }, report }: Completion): Promise<void> {
  if (checkRunId === undefined) return;
  const { submit, outgoing, journal, log } = context;
  const first = failure === undefined ? undefined : firstErrorTitle(failure);
  const isPublished = lastEntry(journal, "published") !== undefined;
  const title = isPublished ? `A change for ${ci.workflow} was published` : (first ?? `${ci.workflow} failed`);
  const parts = [
    `${codeSpan(ci.workflow, 120)} failed on ${codeSpan(ci.branch, 120)}.`,
    ...(failure === undefined ? [] : [errorList(failure)]),
    renderReport(report),
  ];
  const bare: CheckRun = {
    ...base(context, ci),
    checkRunId,
    status: "completed",
    conclusion: "neutral",
    title: "CI failed",
    summary: HELD,
  };
  const annotations = failure === undefined ? [] : errorAnnotations(failure, outgoing);
  const whole: CheckRun = {
    ...bare,
    title: cleanPlain(oneLine(title).slice(0, LONGEST_TITLE).toWellFormed(), outgoing).text,
    summary: cleanAndBound(parts.join("\n\n"), outgoing, LONGEST_SUMMARY, "the rest of it").text,
    ...(annotations.length === 0 ? {} : { annotations }),
    written: report.answer === "" ? [] : [report.answer],
  };
  const reports = phaseResult(journal, "report") === undefined ? "" : "-again";
  const { status, decision } = await submit(whole, { key: `check-end${reports}` });
  if (status === "done") return;
  log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the check run's summary was held back");
  await submit(bare, { key: `check-bare${reports}` });
}
