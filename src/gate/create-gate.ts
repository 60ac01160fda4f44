import { ConfigurationError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Operation } from "../core/operation.ts";
import type { Decision } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import { type ApprovalStore, type Settled, settleAsk } from "./approvals.ts";
import { type AuditLog, decisionEntry, outcomeEntry } from "./audit.ts";
import { withinDeadline } from "./deadline.ts";
import { freezeOperation, freezeWrite, type FrozenOperation } from "./freeze.ts";
import type { Annotate, Gate, Judgement } from "./gate.ts";
import { failure, judgeByRules } from "./judge-rules.ts";
import type { Judged } from "./judged.ts";
import { mintFor } from "./mint.ts";
import type { Ledger } from "./mint.ts";
import { operationDigest } from "./operation-digest.ts";
import type { GateRule } from "./rule.ts";
import { builtInRules } from "./rules.ts";
import { createHeldMatcher, type HeldMatcher } from "./secrets/held-values.ts";
import type { RuleSources } from "./rule-sources.ts";

export interface GateOptions extends RuleSources {
  /** The built-in rules, where the caller has made (and tried) them already; tests of the gate itself put others. */
  readonly rules?: readonly GateRule[];
  /** What extensions add. They can only add findings: a rule never sees another's, and the worst decides. */
  readonly extraRules?: readonly GateRule[];
  /** Where passes are spent; the wire guard gets the same one. */
  readonly ledger: Ledger;
  /** What each rule may take, in milliseconds. */
  readonly deadlineMs?: number;
  /** Where questions to people are kept, and how many hours one counts; without it, what asks is refused. */
  readonly approvals?: { readonly store: ApprovalStore; readonly hours: number | ((run: RunView) => number) };
  /** Every decision of the outer door is noted there before it counts: what cannot be noted is not allowed. */
  readonly audit?: AuditLog;
  readonly log: Logger;
}

/** Default for one rule; a change set at the limits needs far less. */
const DEADLINE_MS = 10_000;

/**
 * Builds the two doors. Neither throws: whatever goes wrong while judging is a block that says so.
 * @throws {ConfigurationError} when two rules bear one name.
 */
export function createGate(options: GateOptions): Gate {
  const { ledger, log, deadlineMs = DEADLINE_MS } = options;
  const rules = [...(options.rules ?? builtInRules(options)), ...(options.extraRules ?? [])];
  const twice = rules.find(({ name }, index) => rules.findIndex((rule) => rule.name === name) !== index);
  if (twice !== undefined) {
    throw new ConfigurationError(`Two gate rules are named ${JSON.stringify(twice.name)}.`, {
      code: "duplicate-gate-rule",
      hint: "Give the extension's rule a name of its own.",
    });
  }

  const matcher = createHeldMatcher();
  const heldSecrets = options.heldSecrets ?? (() => []);
  const withhold = withholder(() => matcher(heldSecrets()));
  const decide = async <J extends Judged, F>(judged: J, run: RunView, freeze: (judged: J) => F, shown: (frozen: F) => Judged) => {
    let frozen: F | undefined;
    let decision: Decision;
    try {
      frozen = freeze(judged);
      decision = withhold(await judgeByRules(rules, shown(frozen), run, deadlineMs));
    } catch (error) {
      decision = { verdict: "block", findings: [failure("gate", `met something it cannot read: ${messageOf(error)}`)] };
    }
    const { verdict, findings } = decision;
    const operation = frozen === undefined ? "unreadable" : shown(frozen).kind;
    log.info({ run: run.id, operation, verdict, rules: findings.map(({ rule }) => rule) }, "judged");
    return { decision, frozen };
  };

  const judgeFrozen = (operation: Operation, run: RunView) => decide(operation, run, freezeOperation, (frozen) => frozen.operation);
  /** With its annotations, also where people will be asked: they approve exactly what they read. */
  const judgeFinished = async (operation: Operation, run: RunView, annotate: Annotate | undefined) => {
    const first = await judgeFrozen(operation, run);
    const { verdict, findings } = first.decision;
    return annotate === undefined || verdict === "block" || findings.length === 0 ? first : judgeFrozen(annotate(operation, findings), run);
  };

  /** Looks for the answer of people to a decision that asks; whatever fails on the way is a block. */
  const settle = async (decision: Decision, frozen: FrozenOperation | undefined, run: RunView): Promise<Partial<Settled>> => {
    const { approvals } = options;
    if (decision.verdict !== "ask" || frozen === undefined || approvals === undefined) return { decision };
    const asked = { run, digest: operationDigest(frozen), operation: frozen.operation.kind };
    try {
      const hours = typeof approvals.hours === "number" ? approvals.hours : approvals.hours(run);
      return await withinDeadline(() => settleAsk(decision, asked, { approvals: approvals.store, hours }), deadlineMs);
    } catch (error) {
      log.error({ run: run.id, error: messageOf(error) }, "an approval could not be looked up");
      return { decision: blockedBy("approvals", "could not ask people", decision) };
    }
  };
  const note = async (decision: Decision, frozen: FrozenOperation | undefined, run: RunView, approval: string | undefined) => {
    const { audit } = options;
    if (audit === undefined) return decision;
    try {
      const entry = decisionEntry(run, decision, frozen, approval);
      const isSecret = matcher(heldSecrets())(entry.target);
      await withinDeadline(() => audit.record(isSecret ? { ...entry, target: "withheld" } : entry), deadlineMs);
      return decision;
    } catch (error) {
      log.error({ run: run.id, error: messageOf(error) }, "a decision could not be noted in the audit log");
      return blockedBy("audit", "could not note the decision in the audit log", decision);
    }
  };

  return {
    async judgeWrite(write, run) {
      const { decision } = await decide(write, run, freezeWrite, (frozen) => frozen);
      return options.approvals === undefined ? decision : askLater(decision);
    },
    async judge(operation, run, annotate): Promise<Judgement> {
      const { decision: found, frozen } = await judgeFinished(operation, run, annotate);
      const { decision: settled = found, approval } = await settle(found, frozen, run);
      const { verdict, findings } = await note(settled, frozen, run, approval);
      const hangsOn = approval === undefined ? {} : { approval };
      if (verdict !== "allow") return { decision: { verdict, findings, ...hangsOn } };
      // Nothing is allowed without having been frozen; this tells the compiler so, and holds if that ever changes.
      if (frozen === undefined) return { decision: { verdict: "block", findings: [failure("gate", "lost what it judged")] } };
      const { audit } = options;
      return {
        decision: { verdict, findings, ...hangsOn },
        operation: frozen.operation,
        mint: mintFor(frozen, run, ledger),
        ...(audit !== undefined && { record: async (end) => void (await audit.record(outcomeEntry(run, frozen, end))) }),
      };
    },
  };
}

/** A decision that something besides the rules stands against. */
function blockedBy(rule: string, why: string, { findings }: Decision): Decision {
  return { verdict: "block", findings: [failure(rule, why), ...findings] };
}

/** A tool's write that people must approve may be made: they are asked when it would leave the workspace, about the whole change. */
function askLater({ verdict, findings }: Decision): Decision {
  if (verdict !== "ask") return { verdict, findings };
  const later = findings.map((finding) =>
    finding.severity === "ask"
      ? { ...finding, severity: "warn" as const, why: `${finding.why}; publishing it will wait for approval` }
      : finding,
  );
  return { verdict: "allow", findings: later };
}

/** Findings are shown to people and to the model: one that would repeat a held secret (in a path, say) keeps its rule and its severity only. */
function withholder(matcher: () => HeldMatcher): (decision: Decision) => Decision {
  return ({ verdict, findings }) => {
    if (findings.length === 0) return { verdict, findings };
    const holds = matcher();
    const shown = findings.map((finding) =>
      holds(JSON.stringify(finding))
        ? {
            rule: finding.rule,
            severity: finding.severity,
            why: "what it found holds a part of a secret of this server",
            fix: "Take the value out.",
          }
        : finding,
    );
    return { verdict, findings: shown };
  };
}
