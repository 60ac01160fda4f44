import type { Finding, Severity } from "../../core/result.ts";
import { sha256 } from "../git-blob.ts";
import { type GateReport, SEVERITY_WORDS } from "./gate-report.ts";
import { ruleText } from "./rule-texts.ts";
import { sentence } from "./text.ts";
import { visible } from "./visible.ts";

/** GitHub refuses an upload with more. Source: https://docs.github.com/code-security/reference/code-scanning/sarif-support-for-code-scanning */
const MOST_RESULTS = 25_000;
const LEVELS: Readonly<Record<Severity, string>> = { block: "error", ask: "warning", warn: "warning", info: "note" };

/** A report as SARIF 2.1.0, in the part of it that GitHub's code scanning reads. Ends with a line feed. */
export function renderSarif(
  { verdict, subject, base, findings }: GateReport,
  { version, most = MOST_RESULTS }: { readonly version: string; readonly most?: number },
): string {
  const shown = findings.slice(0, most);
  const rules = [...new Set(shown.map(({ rule }) => rule))];
  const ordinal = counter();
  const run = {
    tool: {
      driver: {
        name: "Sallyport gate",
        semanticVersion: version,
        rules: rules.map((id) => ({
          id,
          shortDescription: { text: visible(ruleText(id)) },
          fullDescription: { text: visible(ruleText(id)) },
          help: { text: fixOf(id, shown) },
          defaultConfiguration: { level: worstLevel(id, shown) },
          properties: { tags: ["security"] },
        })),
      },
    },
    automationDetails: { id: "sallyport/gate/" },
    columnKind: "utf16CodeUnits",
    invocations: [{ executionSuccessful: true }],
    results: shown.map((finding) => result(finding, rules.indexOf(finding.rule), ordinal)),
    properties: { verdict, subject, baseCommit: base.commit, leftOut: findings.length - shown.length },
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

function result(finding: Finding, ruleIndex: number, ordinal: (key: string) => number) {
  const { rule, severity, where, why, fix } = finding;
  // The line is left out: a finding stays the same one when lines are added above it.
  const print = sha256(JSON.stringify([rule, where?.path ?? "", why])).slice(0, 32);
  const line = where?.line;
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: plain(`${visible(sentence(why))} ${visible(fix)}`) },
    locations: [
      {
        physicalLocation: {
          // What concerns the change as a whole stands at the root: a result without a place is not shown.
          artifactLocation: { uri: uriOf(where?.path ?? "."), uriBaseId: "%SRCROOT%" },
          ...(line !== undefined && Number.isSafeInteger(line) && line >= 1 ? { region: { startLine: line } } : {}),
        },
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${print}:${ordinal(print)}` },
    properties: { severity: SEVERITY_WORDS[severity] },
  };
}

/** Even a plain message of SARIF may hold links: none of these texts is to. Source: SARIF 2.1.0, 3.11.6 */
function plain(text: string): string {
  return text.replaceAll("](", "] (");
}

/** A path as a relative reference: every character percent-encoded that is not plain, so that nothing in it is read as a query or a scheme. */
function uriOf(path: string): string {
  const segments = path.toWellFormed().split("/").map(encodeURIComponent);
  // A slash in front would lead out of the repository.
  return segments[0] === "" ? segments.join("%2F") : segments.join("/");
}

function fixOf(rule: string, findings: readonly Finding[]): string {
  return visible(findings.find((finding) => finding.rule === rule)?.fix ?? "");
}

function worstLevel(rule: string, findings: readonly Finding[]): string {
  // Findings come most severe first.
  return LEVELS[findings.find((finding) => finding.rule === rule)?.severity ?? "info"];
}

/** Counts each key from 1. */
function counter(): (key: string) => number {
  const seen = new Map<string, number>();
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count;
  };
}
