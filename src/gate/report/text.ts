import type { Finding } from "../../core/result.ts";
import { countFindings, type GateReport, SEVERITY_WORDS } from "./gate-report.ts";
import { visible } from "./visible.ts";

/** More findings than this nobody reads in a terminal; the other formats hold all of them. */
const MOST_SHOWN = 50;

/** A report for people: one paragraph a finding, the verdict last. Ends with a line feed. */
export function renderText(report: GateReport): string {
  const { findings } = report;
  const shown = findings.slice(0, MOST_SHOWN).map(renderFinding);
  const rest = findings.slice(MOST_SHOWN);
  const more = rest.length === 0 ? [] : [`… and ${rest.length} more findings (${totals(rest)}); --format json shows all.\n`];
  return [...shown, ...more, conclusion(report)].join("\n");
}

function renderFinding({ rule, severity, where, why, fix }: Finding): string {
  const place = where === undefined ? "" : `  ${visible(where.path)}${where.line === undefined ? "" : `:${where.line}`}`;
  return `${SEVERITY_WORDS[severity].padEnd(5)}  ${visible(rule)}${place}\n       ${visible(sentence(why))} ${visible(fix)}\n`;
}

/** A reason as a sentence of its own. */
export function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? "" : "."}`;
}

const VERDICTS: Readonly<Record<GateReport["verdict"], string>> = {
  pass: "PASS: nothing holds this change.",
  ask: "ASK: a person must approve this change.",
  block: "BLOCK: this change must not go on as it is.",
};

function conclusion({ verdict, subject, base, files, findings }: GateReport): string {
  const found = findings.length === 0 ? "no findings" : totals(findings);
  const amount = `${files} ${files === 1 ? "file" : "files"}`;
  return `${VERDICTS[verdict]}\nJudged ${visible(subject)}: ${amount} against ${base.commit.slice(0, 12)}, ${found}.\n`;
}

function totals(findings: readonly Finding[]): string {
  const counts = countFindings(findings);
  return (["block", "ask", "warn", "info"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${SEVERITY_WORDS[severity]}`)
    .join(", ");
}
