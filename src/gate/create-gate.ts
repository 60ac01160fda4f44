import { ConfigurationError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Decision } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import { freezeOperation, freezeWrite } from "./freeze.ts";
import type { Gate, Judgement } from "./gate.ts";
import { failure, judgeByRules } from "./judge-rules.ts";
import type { Judged } from "./judged.ts";
import { mintFor } from "./mint.ts";
import type { Ledger } from "./mint.ts";
import type { GateRule } from "./rule.ts";
import { builtInRules } from "./rules.ts";
import { createHeldMatcher } from "./secrets/held-values.ts";
import type { RuleSources } from "./rule-sources.ts";

export interface GateOptions extends RuleSources {
  /** Instead of the built-in rules: for tests of the gate itself. */
  readonly rules?: readonly GateRule[];
  /** What extensions add. They can only add findings: a rule never sees another's, and the worst decides. */
  readonly extraRules?: readonly GateRule[];
  /** Where passes are spent; the wire guard gets the same one. */
  readonly ledger: Ledger;
  /** What each rule may take, in milliseconds. */
  readonly deadlineMs?: number;
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

  const withhold = withholder(options.heldSecrets ?? (() => []));
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

  return {
    async judgeWrite(write, run) {
      const { decision } = await decide(write, run, freezeWrite, (frozen) => frozen);
      return decision;
    },
    async judge(operation, run): Promise<Judgement> {
      const { decision, frozen } = await decide(operation, run, freezeOperation, (frozen) => frozen.operation);
      const { verdict, findings } = decision;
      if (verdict !== "allow") return { decision: { verdict, findings } };
      // Nothing is allowed without having been frozen; this tells the compiler so, and holds if that ever changes.
      if (frozen === undefined) return { decision: { verdict: "block", findings: [failure("gate", "lost what it judged")] } };
      return { decision: { verdict, findings }, operation: frozen.operation, mint: mintFor(frozen, run, ledger) };
    },
  };
}

/** Findings are shown to people and to the model: one that would repeat a held secret (in a path, say) keeps its rule and its severity only. */
function withholder(heldSecrets: () => readonly string[]): (decision: Decision) => Decision {
  const matcher = createHeldMatcher();
  return ({ verdict, findings }) => {
    if (findings.length === 0) return { verdict, findings };
    const holds = matcher(heldSecrets());
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
