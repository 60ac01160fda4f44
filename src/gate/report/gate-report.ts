import type { Decision, Finding, Severity } from "../../core/result.ts";

/** What was judged, and what came of it: the one thing that all forms of a report are made of. */
export interface GateReport {
  readonly verdict: "pass" | "ask" | "block";
  /** What was judged, in the words of who asked: `main..HEAD`. */
  readonly subject: string;
  readonly base: { readonly commit: string; readonly tree: string };
  /** Git's id of the tree that the change leads to. */
  readonly tree: string;
  /** Paths that the change touches. */
  readonly files: number;
  /** Most severe first. */
  readonly findings: readonly Finding[];
}

/** From most to least severe, with the word that people read. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { block: "BLOCK", ask: "ASK", warn: "WARN", info: "INFO" };

/** `allow` is a pass: what it warns of is shown and goes on. */
export function verdictOf({ verdict }: Pick<Decision, "verdict">): GateReport["verdict"] {
  return verdict === "allow" ? "pass" : verdict;
}

/** How many findings there are of each severity. */
export function countFindings(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { block: 0, ask: 0, warn: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}
