import { type Decision, type Finding, type ToolResult, blocked, failed, ok, renderFindings } from "../core/result.ts";
import type { Submitted } from "./tool.ts";

/** What a judged write came to: `done`, with what the gate warns of, or what holds it. */
export function decisionResult(decision: Decision, done: string): ToolResult {
  return decision.verdict === "allow" ? ok(done + warningsOf(decision.findings)) : blocked(whyHeld(decision));
}

/** What a submitted operation came to. `done` says what was made, given its number and address. */
export function submittedResult(submitted: Submitted, done: (made: { readonly id?: number; readonly url?: string }) => string): ToolResult {
  if (submitted.status === "failed") return failed(submitted.why);
  if (submitted.status === "refused") return blocked(whyHeld(submitted.decision));
  const note = submitted.note === undefined ? "" : ` ${submitted.note}`;
  return ok(done(submitted) + note + inertOf(submitted.removed ?? []) + warningsOf(submitted.decision.findings));
}

function inertOf(removed: readonly string[]): string {
  return removed.length === 0 ? "" : `\nMade inert or taken out before it was published: ${removed.join(", ")}.`;
}

function warningsOf(findings: readonly Finding[]): string {
  const warnings = findings.filter(({ severity }) => severity === "warn");
  return warnings.length === 0 ? "" : `\nWarnings, shown to people: ${renderFindings(warnings)}`;
}

/** The findings that hold it; warnings beside them would only hide the reason. */
function whyHeld({ findings }: Decision): string {
  const holding = findings.filter(({ severity }) => severity === "block" || severity === "ask");
  return renderFindings(holding.length === 0 ? findings : holding) || "gate: it was refused without a finding.";
}
