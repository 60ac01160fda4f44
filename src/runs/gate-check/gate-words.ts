import type { CheckAnnotation, CheckRun } from "../../core/operation.ts";
import type { Decision, Finding, Severity } from "../../core/result.ts";
import { SEVERITY_WORDS } from "../../core/words.ts";
import { receiptSentence } from "../../receipts/block.ts";
import { boundText } from "../../text/bound.ts";
import { codeSpan, oneLine } from "../../text/code-span.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import type { OutgoingPolicy } from "../../text/outgoing/policy.ts";
import { renderQuestion } from "../question.ts";
import type { Report } from "../report.ts";
import type { Glance } from "./gate-state.ts";
import { showReach } from "./show-reach.ts";

/** Bytes of the findings in the summary, and of a remark. */
const LONGEST_FINDINGS = 36_000;
const LONGEST_REMARK = 1_000;
/** Findings told one by one: with their places, more are a wall that nobody reads. */
const MOST_TOLD = 200;

type End = Required<Pick<CheckRun, "conclusion" | "title">>;

/**
 * The check run's end. Green for nothing but a judgement that came to its end and lets the change through: `neutral` would let a required check
 * pass, so what could not be judged is a failure. Neutral in every case where the repository is only observed.
 */
export function gateEnd(
  { end, question }: Pick<Report, "end" | "question">,
  findings: readonly Finding[],
  heldOn: number | undefined,
  isObserved: boolean,
): End {
  const said = endOf(end, findings, question?.approval, heldOn);
  return isObserved ? { conclusion: "neutral", title: `Observed: ${said.title}` } : said;
}

function endOf(end: Report["end"], findings: readonly Finding[], approval: string | undefined, heldOn: number | undefined): End {
  switch (end) {
    case "done": {
      if (heldOn !== undefined) return { conclusion: "failure", title: `The gate holds this commit back on #${heldOn}` };
      const warned = findings.filter(({ severity }) => severity !== "info").length;
      const beside = warned === 0 ? "" : `, with ${warned} ${warned === 1 ? "warning" : "warnings"}`;
      return { conclusion: "success", title: `The gate lets it through${beside}` };
    }
    case "waiting":
      return {
        conclusion: "action_required",
        title: approval === undefined ? "A person must approve it" : `A person must approve it: ${approval}`,
      };
    case "blocked": {
      const held = findings.filter(({ severity }) => severity === "block").length;
      const count = held === 0 ? "" : `: ${held} ${held === 1 ? "finding" : "findings"}`;
      return { conclusion: "failure", title: `The gate holds it back${count}` };
    }
    case "cancelled":
      return { conclusion: "cancelled", title: "Stopped before the gate had judged" };
    case "failed":
    case "out-of-budget":
      return { conclusion: "failure", title: "The gate could not judge this" };
  }
}

/** What stands in the check run, as Markdown: not cleaned yet, and not bounded. */
export function gateSummary(
  report: Report,
  { findings }: Pick<Decision, "findings">,
  { heldOn, glance, untold = "" }: { readonly heldOn?: number; readonly glance: Glance | "late" | undefined; readonly untold?: string },
): string {
  const beside =
    heldOn === undefined
      ? ""
      : `The same commit is the head of #${heldOn}, where the gate does not let it through. A check stands on the commit for both: close one of them, or push a commit of its own.`;
  const parts = [
    report.summary,
    beside,
    report.question === undefined ? "" : renderQuestion(report.question),
    findings.length === 0 ? "" : boundText(findingList(findings), LONGEST_FINDINGS, "more findings"),
    showReach(glance),
    untold,
    report.receipt === undefined ? "" : receiptSentence(report.receipt),
    `<sub>Only what the change adds is judged, by the policy of the default branch. No model was asked. Run ${report.runId}</sub>`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Each finding with rule, weight in words, place, reason and what to do. */
function findingList(findings: readonly Finding[]): string {
  const rows = findings.slice(0, MOST_TOLD).map(({ rule, severity, where, why, fix }) => {
    const place = where === undefined ? "" : ` in ${codeSpan(placeOf(where), 600)}`;
    return `- **${SEVERITY_WORDS[severity]}** \`${rule}\`${place}: ${oneLine(why)}. ${oneLine(fix)}`;
  });
  const rest = findings.length > rows.length ? [`- and ${findings.length - rows.length} more`] : [];
  const counts = (["block", "ask", "warn", "info"] as const).flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} × ${SEVERITY_WORDS[severity]}`];
  });
  return [`### Findings`, "", `${counts.join(", ")}.`, "", ...rows, ...rest].join("\n");
}

function placeOf({ path, line }: NonNullable<Finding["where"]>): string {
  return line === undefined ? path : `${path}:${line}`;
}

const LEVELS: Readonly<Record<Severity, CheckAnnotation["level"]>> = { block: "failure", ask: "warning", warn: "warning", info: "notice" };

/** What is said of one finding at its place: plain text, cleaned. */
export function remarkOn({ rule, severity, why, fix }: Finding, outgoing: OutgoingPolicy) {
  const words = oneLine(`${why}. ${fix}`).slice(0, LONGEST_REMARK).toWellFormed();
  const message = cleanPlain(words, outgoing).text.trim();
  return { level: LEVELS[severity], title: `${SEVERITY_WORDS[severity]}: ${rule}`, message };
}

/** The findings as remarks on their files. One without a place, or in a path that cannot be shown as it is, stands in the summary alone. */
export function gateAnnotations(findings: readonly Finding[], outgoing: OutgoingPolicy): readonly CheckAnnotation[] {
  return findings.flatMap((finding): readonly CheckAnnotation[] => {
    const { where } = finding;
    if (where === undefined || cleanPlain(where.path, outgoing).text !== where.path) return [];
    const line = where.line !== undefined && Number.isSafeInteger(where.line) && where.line >= 1 ? where.line : 1;
    return [{ path: where.path, startLine: line, endLine: line, ...remarkOn(finding, outgoing) }];
  });
}
