import type { AdvisorySource } from "../../core/advisory.ts";
import type { Commit, WorkspaceWrite } from "../../core/operation.ts";
import type { Decision, Finding, Severity } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import { freezeOperation, freezeWrite } from "../../gate/freeze.ts";
import { judgeByRules } from "../../gate/judge-rules.ts";
import type { GatePolicy } from "../../gate/policy.ts";
import { builtInRules } from "../../gate/rules.ts";
import type { RunScope } from "../../gate/scope.ts";
import type { SecretScanner } from "../../gate/secrets/scanner.ts";
import type { ChangeSet } from "../../core/change-set.ts";
import type { KeptBase } from "../../workspace/kept-bases.ts";

export interface JudgeAgainOptions {
  readonly policy: GatePolicy;
  readonly scanner: SecretScanner;
  /** Where known vulnerabilities are looked up; without it what was found then counts on. */
  readonly advisories?: AdvisorySource;
}

/** Judges recorded work by this release's rules and another policy. Rules never throw: one that fails is a block, as at the gate. */
export interface JudgeAgain {
  /** Findings of rules that cannot be asked again count as they were found: see {@link carriedRules}. */
  change(changes: ChangeSet, base: KeptBase, was: Decision): Promise<Decision>;
  write(write: WorkspaceWrite, base: KeptBase): Promise<Decision>;
  /** Rules whose findings are taken over. */
  readonly carried: readonly string[];
}

const HERE = { id: 0, owner: "recorded", name: "change" };
const SCOPE: RunScope = {
  repository: HERE,
  threads: [],
  ownComments: [],
  reactions: [],
  isOwnBranch: () => true,
  heads: [],
  bases: [],
  made: { pullRequests: 0, comments: 0 },
};
const RUN: RunView = { id: "recorded", repository: HERE, trigger: "gate" };
const DEADLINE_MS = 10_000;
const SEVERITIES: readonly Severity[] = ["block", "ask", "warn", "info"];

/** What they look at is not recorded with a change: texts that were published, thread and branch, secrets of the server, the code graph. */
const NOT_RECORDED = ["operations", "output", "held-secrets", "impact"];
/** Said of a run that was only observed, of an answer that people gave, or of a log that could not be kept: no rule's word. */
const NO_RULES = new Set(["observe", "approvals", "audit"]);

export function createJudgeAgain({ policy, scanner, advisories }: JudgeAgainOptions): JudgeAgain {
  let base: KeptBase | undefined;
  const all = builtInRules({
    policy,
    scope: () => SCOPE,
    basePaths: () => base?.paths,
    baseFile: (_, path) => base?.file(path),
    storedAdvisories: () => advisories,
    scanner,
  });
  const carried = [...NOT_RECORDED, ...(advisories === undefined ? ["vulnerabilities"] : [])];
  const rules = all.filter(({ name }) => !carried.includes(name));
  const asked = new Set(rules.map(({ name }) => name));
  return {
    carried,
    // One at a time: the rules read the base of the change that is judged.
    async change(changes, from, was) {
      base = from;
      const operation: Commit = { kind: "commit", repository: HERE, branch: "recorded", message: "A recorded change", changes };
      const kept = was.findings.filter(({ rule }) => !asked.has(rule) && !NO_RULES.has(rule));
      if (changes.changes.length === 0) return decided(kept);
      const { findings } = await judgeByRules(rules, freezeOperation(operation).operation, RUN, DEADLINE_MS);
      return decided([...findings, ...kept]);
    },
    async write(write, from) {
      base = from;
      return judgeByRules(rules, freezeWrite(write), RUN, DEADLINE_MS);
    },
  };
}

/** The verdict of findings, without what says only that nothing was written. */
export function decided(findings: readonly Finding[]): Decision {
  const sorted = findings
    .filter(({ rule }) => !NO_RULES.has(rule))
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const worst = sorted[0]?.severity;
  return { verdict: worst === "block" || worst === "ask" ? worst : "allow", findings: sorted };
}
