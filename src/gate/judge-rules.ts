import { messageOf } from "../core/errors.ts";
import type { Decision, Finding, Severity } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import { withinDeadline, workClock } from "./deadline.ts";
import type { Judged } from "./judged.ts";
import type { GateRule } from "./rule.ts";

/** From most to least severe. */
const SEVERITIES: readonly Severity[] = ["block", "ask", "warn", "info"];
/** Findings quote names from what they judge; more than this of one says nothing more. Characters. */
const LONGEST_TEXT = 500;
/** The rule by which nothing leaves the workspace: what it refuses is not looked at further. */
export const FIRST_RULE = "containment";

/**
 * Runs every rule that applies, the first one before all others, and decides by the worst finding. A rule that throws, answers anything
 * but findings or takes longer than `deadlineMs` (milliseconds) counts as a block; so does something that no rule applies to.
 */
export async function judgeByRules(rules: readonly GateRule[], judged: Judged, run: RunView, deadlineMs: number): Promise<Decision> {
  const applicable = rules.filter((rule) => rule.applies.includes(judged.kind));
  if (applicable.length === 0) return decide([failure("gate", `no rule knows how to judge a ${judged.kind}`)]);
  const findings: Finding[] = [];
  for (const rule of applicable.toSorted((a, b) => Number(b.name === FIRST_RULE) - Number(a.name === FIRST_RULE))) {
    findings.push(...(await findingsOf(rule, judged, run, Math.max(deadlineMs, rule.deadlineMs ?? 0))));
    if (rule.name === FIRST_RULE && findings.some(({ severity }) => severity === "block")) break;
  }
  return decide(findings);
}

async function findingsOf(rule: GateRule, judged: Judged, run: RunView, deadlineMs: number): Promise<readonly Finding[]> {
  const clock = workClock();
  try {
    const answer = await withinDeadline(async () => rule.check(judged, run), deadlineMs);
    // A rule that never yields cannot be interrupted; that it took too long still counts.
    if (clock.isOver(deadlineMs)) return [failure(rule.name, `took longer than ${deadlineMs} ms`)];
    return readFindings(rule.name, answer) ?? [failure(rule.name, "answered something that is no list of findings")];
  } catch (error) {
    return [failure(rule.name, `could not finish: ${messageOf(error)}`)];
  }
}

/** Copies findings out of what a rule answered; undefined when it is anything else. The rule's own name stands on each. */
function readFindings(rule: string, answer: unknown): readonly Finding[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  const findings: Finding[] = [];
  // Not `map`, which skips the holes of a sparse array.
  for (const item of answer as unknown[]) {
    const finding = readFinding(rule, item);
    if (finding === undefined) return undefined;
    findings.push(finding);
  }
  return findings;
}

function readFinding(rule: string, item: unknown): Finding | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { severity, where, why, fix } = item as { readonly [key in keyof Finding]: unknown };
  if (typeof why !== "string" || typeof fix !== "string" || !SEVERITIES.includes(severity as Severity)) return undefined;
  const plain = { rule, severity: severity as Severity, why: bounded(why), fix: bounded(fix) };
  if (where === undefined) return plain;
  if (typeof where !== "object" || where === null) return undefined;
  const { path, line } = where as { readonly path: unknown; readonly line: unknown };
  if (typeof path !== "string" || (line !== undefined && typeof line !== "number")) return undefined;
  return { ...plain, where: { path: bounded(path), ...(line !== undefined && { line }) } };
}

function bounded(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;
}

function decide(findings: readonly Finding[]): Decision {
  const sorted = findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const worst = sorted[0]?.severity;
  return { verdict: worst === "block" || worst === "ask" ? worst : "allow", findings: sorted };
}

/** A rule that did not come to an end is a block: what was not judged does not leave. */
export function failure(rule: string, why: string): Finding {
  return {
    rule,
    severity: "block",
    why: `the rule ${why}, so nothing was let through`,
    fix: "Try a smaller change; if it stays so, the operator finds the cause in the log.",
  };
}
