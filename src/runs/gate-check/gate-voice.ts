import type { CheckAnnotation, CheckRun } from "../../core/operation.ts";
import type { Decision } from "../../core/result.ts";
import { GitHubError } from "../../github/errors.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import { phaseResult } from "../phase-results.ts";
import { orPlainly, UNSAID } from "../plain-end.ts";
import type { Report } from "../report.ts";
import type { RunComment } from "../run-comment.ts";
import type { RunContext } from "../run-context.ts";
import { stepKey } from "../submit.ts";
import type { GateState } from "./gate-state.ts";
import { gateAnnotations, gateEnd, gateSummary } from "./gate-words.ts";
import { JUDGED } from "./judge-pull.ts";

/** The check run by which the gate speaks of everybody's pull requests. */
const NAME = "sallyport/gate";
/** The key under which it is made. */
const CHECK = "check";
/** Bytes of what is shown: GitHub takes 65,535 characters. */
const LONGEST_SUMMARY = 60_000;
/** Remarks of one request, and requests of them: the findings are all in the summary. */
const BATCH = 50;
const MOST_BATCHES = 2;
const HELD = "What there is to say was held back by the gate itself; the run's page has it.";

/**
 * The one word of a look at a pull request: its check run, made once there is a verdict, and turned when people have answered. Nothing stands on
 * the thread.
 */
export function openGateVoice(context: RunContext, state: GateState): RunComment {
  return {
    progress() {},
    async finish(report) {
      const check = completed(context, state, report);
      if (check === undefined) return;
      await orPlainly(
        context,
        () => complete(context, check, remarksOf(context)),
        async () => {
          const { key } = standingOf(context);
          const { conclusion = "failure" } = check;
          const plain = conclusion === "success" ? "failure" : conclusion;
          await context.submit({ ...check, conclusion: plain, summary: UNSAID }, { key: `${key}-plainly` });
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

function completed(context: RunContext, state: GateState, report: Report): CheckRun | undefined {
  const { journal, run, request, settings, outgoing } = context;
  const pin = phaseResult(journal, "authorize")?.pin;
  if (pin === undefined) return undefined;
  const { checkRunId } = standingOf(context);
  const decision = decisionOf(context);
  const { conclusion, title } = gateEnd(report, decision.findings, state, settings.enabled === "observe");
  return {
    kind: "check-run",
    repository: request.repository,
    name: NAME,
    headSha: pin.commit,
    externalId: `${run.id}/${request.thread.number}`,
    ...(checkRunId === undefined ? {} : { checkRunId }),
    status: "completed",
    conclusion,
    title: cleanPlain(title, outgoing).text,
    summary: cleanAndBound(gateSummary(report, decision, state), outgoing, LONGEST_SUMMARY, "the rest of it").text,
  };
}

/** What is remarked on lines stands there once: a later state of the check adds nothing. */
function remarksOf(context: RunContext): readonly (readonly CheckAnnotation[])[] {
  if (standingOf(context).checkRunId !== undefined) return [];
  const all = gateAnnotations(decisionOf(context).findings, context.outgoing);
  return Array.from({ length: Math.min(MOST_BATCHES, Math.ceil(all.length / BATCH)) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
}

async function complete(context: RunContext, check: CheckRun, [first, ...rest]: readonly (readonly CheckAnnotation[])[]): Promise<void> {
  const { submit, log } = context;
  const { key } = standingOf(context);
  const made = await withRemarks(context, check, first, key);
  if (made === undefined) {
    log.warn({}, "the gate's check is written without its words");
    const conclusion = check.conclusion === "success" ? "failure" : check.conclusion;
    await submit({ ...check, ...(conclusion === undefined ? {} : { conclusion }), summary: HELD }, { key: `${key}-bare` });
    return;
  }
  for (const [at, annotations] of rest.entries())
    await withRemarks(context, { ...check, checkRunId: made }, annotations, `${key}-more-${at + 1}`);
}

/** Writes it with remarks, and without them where GitHub, or the gate, does not take these. Its id; undefined where its words are held back. */
async function withRemarks(
  { submit, log }: RunContext,
  check: CheckRun,
  annotations: readonly CheckAnnotation[] | undefined,
  key: string,
): Promise<number | undefined> {
  if (annotations !== undefined) {
    const made = await submit({ ...check, annotations }, { key }).catch((error: unknown) => {
      if (!(error instanceof GitHubError) || error.code !== "validation") throw error;
      log.warn({ why: error.message }, "the gate's check is not taken with its remarks");
      return undefined;
    });
    if (made?.status === "done") return made.outcome.id;
  }
  const made = await submit(check, { key: annotations === undefined ? key : `${key}-unremarked` });
  return made.status === "done" ? made.outcome.id : undefined;
}
