import type { CheckAnnotation, CheckRun } from "../../core/operation.ts";
import type { Decision } from "../../core/result.ts";
import { GitHubError } from "../../github/errors.ts";
import { receiptBlock } from "../../receipts/block.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { phaseResult } from "../phase-results.ts";
import { orPlainly, UNSAID } from "../plain-end.ts";
import type { Report } from "../report.ts";
import type { RunComment } from "../run-comment.ts";
import type { RunContext } from "../run-context.ts";
import { stepKey } from "../submit.ts";
import type { GateState, Glance } from "./gate-state.ts";
import { gateAnnotations, gateEnd, gateSummary } from "./gate-words.ts";
import { JUDGED } from "./judge-pull.ts";

/** The check run by which the gate speaks of everybody's pull requests. */
const NAME = "sallyport/gate";
/** The key under which it is made. */
const CHECK = "check";
/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;
/** Remarks of one request; there are two at most, as all findings are in the summary. */
const BATCH = 50;
const HELD = "What there is to say was held back by the gate itself; the run's page has it.";

/**
 * The one word of a look at a pull request: its check run, made once there is a verdict, and turned when people have answered. Nothing stands on
 * the thread.
 */
export function openGateVoice(context: RunContext, state: GateState): RunComment {
  return {
    progress() {},
    async finish(report) {
      const words = wordsFor(context, state, report);
      if (words === undefined) return;
      await orPlainly(
        context,
        () => say(context, words, state),
        async () => {
          const { check } = words({ glance: "unknown" });
          const conclusion = notGreen(check.conclusion);
          const { text: _, written: __, ...bare } = check;
          await context.submit({ ...bare, conclusion, summary: UNSAID }, { key: `${standingOf(context).key}-plainly` });
        },
      );
    },
    [Symbol.dispose]() {},
  };
}

/** The gate's last verdict in this run; nothing was found where it has none. */
function decisionOf({ journal }: Pick<RunContext, "journal">): Pick<Decision, "findings"> {
  const row = journal.entries.findLast((entry) => entry.kind === "decision" && entry.key === JUDGED);
  return row?.kind === "decision" ? row.decision : { findings: [] };
}

/** The check run that stands already, and the key of its next state. */
function standingOf({ journal }: Pick<RunContext, "journal">): { readonly checkRunId?: number; readonly key: string } {
  const reports = journal.entries.filter((entry) => entry.kind === "phase" && entry.phase === "report").length;
  if (reports === 0) return { key: CHECK };
  const made = journal.entries.find(
    ({ kind, ...entry }) => kind === "outcome" && "key" in entry && entry.key.endsWith(stepKey("", "check-run")),
  );
  const checkRunId = made?.kind === "outcome" ? made.outcome.id : undefined;
  return { ...(checkRunId === undefined ? {} : { checkRunId }), key: `${CHECK}-${reports}` };
}

/** What is known beside the verdict: the reach, and why code scanning was not told. */
interface Beside {
  readonly glance: Glance | "late" | undefined;
  readonly untold?: string | undefined;
}

/** The check run as it is to stand, with what is to be remarked on lines. */
type Words = (beside: Beside) => { readonly check: CheckRun; readonly remarks: readonly CheckAnnotation[] };

/** Undefined for a run that has no head. */
function wordsFor(context: RunContext, { heldOn }: GateState, report: Report): Words | undefined {
  const { journal, run, request, settings, outgoing } = context;
  const pin = phaseResult(journal, "authorize")?.pin;
  if (pin === undefined) return undefined;
  const { checkRunId } = standingOf(context);
  const decision = decisionOf(context);
  const { conclusion, title } = gateEnd(report, decision.findings, heldOn, settings.enabled === "observe");
  // What is remarked on lines stands there once: a later state of the check adds nothing.
  const remarks = checkRunId === undefined ? gateAnnotations(decision.findings, outgoing).slice(0, 2 * BATCH) : [];
  const { receipt } = report;
  const block = receipt === undefined ? "" : receiptBlock(receipt.envelope);
  return ({ glance, untold = "" }) => {
    const summary = gateSummary(report, decision, { glance, untold, ...(heldOn === undefined ? {} : { heldOn }) });
    const check: CheckRun = {
      kind: "check-run",
      repository: request.repository,
      name: NAME,
      headSha: pin.commit,
      externalId: `${run.id}/${request.thread.number}`,
      ...(checkRunId === undefined ? {} : { checkRunId }),
      status: "completed",
      conclusion,
      title: cleanPlain(title, outgoing).text,
      summary: cleanAndBound(summary, outgoing, LONGEST_SUMMARY, "the rest of it").text,
      ...(block === "" ? {} : { text: block }),
      ...(receipt === undefined ? {} : { written: [receipt.statement] }),
    };
    return { check, remarks };
  };
}

/** The verdict as soon as there is one, and then how far the change reaches: to look that up takes the machine longer than to judge. */
async function say(context: RunContext, words: Words, { look, upload }: GateState): Promise<void> {
  const { submit, log } = context;
  const { key } = standingOf(context);
  const { check, remarks } = words({ glance: look === undefined ? undefined : "late" });
  const checkRunId = await submitWith(context, check, remarks.slice(0, BATCH), key);
  if (checkRunId === undefined) {
    log.warn({}, "the gate's check is written without its words");
    const { text: _, written: __, ...bare } = check;
    await submit({ ...bare, conclusion: notGreen(check.conclusion), summary: HELD }, { key: `${key}-bare` });
    return;
  }
  const more = remarks.slice(BATCH);
  const untold = await upload?.();
  if (look === undefined && untold === undefined && more.length === 0) return;
  await submitWith(context, { ...words({ glance: await look?.(), untold }).check, checkRunId }, more, `${key}-more`);
}

/** What cannot be said must not be taken for a pass. */
function notGreen(conclusion: CheckRun["conclusion"]): NonNullable<CheckRun["conclusion"]> {
  return conclusion === undefined || conclusion === "success" ? "failure" : conclusion;
}

/** Writes it with remarks, and without them where GitHub, or the gate, does not take these. Its id; undefined where its words are held back. */
async function submitWith(
  { submit, log }: RunContext,
  check: CheckRun,
  annotations: readonly CheckAnnotation[],
  key: string,
): Promise<number | undefined> {
  if (annotations.length > 0) {
    const made = await submit({ ...check, annotations }, { key }).catch((error: unknown) => {
      if (!(error instanceof GitHubError) || error.code !== "validation") throw error;
      log.warn({ why: error.message }, "the gate's check is not taken with its remarks");
      return undefined;
    });
    if (made?.status === "done") return made.outcome.id;
  }
  const made = await submit(check, { key: annotations.length === 0 ? key : `${key}-unremarked` });
  return made.status === "done" ? made.outcome.id : undefined;
}
