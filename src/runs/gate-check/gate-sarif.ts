import type { Decision } from "../../core/result.ts";
import type { PullPin } from "../../core/run.ts";
import { withoutQuestion } from "../../gate/approvals.ts";
import { type GateReport, verdictOf } from "../../gate/report/gate-report.ts";
import { renderSarif } from "../../gate/report/sarif.ts";
import { oneLine } from "../../text/code-span.ts";
import { cleanPlain } from "../../text/outgoing/plain.ts";
import type { OutgoingPolicy } from "../../text/outgoing/policy.ts";
import type { LocalChange } from "../../workspace/local/local-change.ts";
import packageFile from "../../../package.json" with { type: "json" };

/** GitHub shows 5,000 of one upload, and people fewer; the check counts them all. */
const MOST_RESULTS = 1_000;

/** What was judged, as all forms of a report are made of it. */
export function gateReport({ number }: Pick<PullPin, "number">, decision: Decision, { base, changes }: LocalChange): GateReport {
  return {
    verdict: verdictOf(decision),
    subject: `#${number}`,
    base: { commit: base.commit, tree: base.tree },
    tree: changes.tree,
    files: changes.changes.length,
    findings: decision.findings,
  };
}

/** What a pull request brings in that code scanning is to show: what is only told, or stands at the base already, is no alert. */
export function alertsOf({ findings }: Pick<GateReport, "findings">): GateReport["findings"] {
  return findings.filter(({ severity }) => severity !== "info");
}

/** The report as SARIF that anybody may be shown, its texts being cleaned as those of the check run are. */
export function gateSarif(report: GateReport, outgoing: OutgoingPolicy): string {
  const clean = (text: string): string => cleanPlain(oneLine(text).toWellFormed(), outgoing).text.trim();
  const findings = alertsOf(report).map(({ why, fix, ...finding }) => ({ ...finding, why: clean(withoutQuestion(why)), fix: clean(fix) }));
  return renderSarif({ ...report, findings }, { version: packageFile.version, most: MOST_RESULTS });
}
