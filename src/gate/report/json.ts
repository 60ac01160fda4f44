import { countFindings, type GateReport } from "./gate-report.ts";

/** Grows when a field changes its meaning or goes away; new fields leave it as it is. */
const VERSION = 1;

/** A report for programs; its fields are described in docs/gate.md. Ends with a line feed. */
export function renderJson({ verdict, subject, base, tree, files, findings }: GateReport): string {
  const report = {
    version: VERSION,
    verdict,
    subject,
    base: { commit: base.commit, tree: base.tree },
    tree,
    files,
    counts: countFindings(findings),
    findings: findings.map(({ rule, severity, where, why, fix }) => ({
      rule,
      severity,
      path: where?.path ?? null,
      line: where?.line ?? null,
      why,
      fix,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
