import type { ChangeSet } from "../../core/change-set.ts";
import type { Finding, Severity } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import type { Awaitable } from "../judged.ts";
import { forRun, type ImpactPolicy, type PerRun } from "../policy.ts";
import type { GateRule } from "../rule.ts";

const NAME = "impact";

/** How far a change reaches beyond itself. */
export interface Reach {
  /** Places outside the change that call or use what it changes, directly or through others. */
  readonly reached: number;
  /** Changed symbols that no test reaches. */
  readonly untested: readonly string[];
}

/** Asks the code graph; undefined where there is none, or it cannot say. */
export type ReachOf = (changes: ChangeSet, run: RunView) => Awaitable<Reach | undefined>;

/**
 * A change that much code leans on is looked at by a person, by the thresholds that somebody set. Where they are set and nobody can say how
 * far a change reaches, that is said and counts as far: what cannot be measured is not waved through.
 */
export function impactRule({ thresholds, reachOf }: { readonly thresholds: PerRun<ImpactPolicy>; readonly reachOf: ReachOf }): GateRule {
  return {
    name: NAME,
    applies: ["open-pull-request", "commit"],
    async check(judged, run) {
      if (!("changes" in judged) || judged.changes.changes.length === 0) return [];
      const { warn, ask } = forRun(thresholds, run);
      if (warn === undefined && ask === undefined) return [];
      const reach = await reachOf(judged.changes, run);
      const set = { ...(warn !== undefined && { warn }), ...(ask !== undefined && { ask }) };
      return reach === undefined ? [unknown(set)] : judge(reach, set);
    },
  };
}

function judge({ reached, untested }: Reach, { warn, ask }: ImpactPolicy): readonly Finding[] {
  const isFar = (limit: number | undefined): boolean => limit !== undefined && reached > limit;
  if (!isFar(warn) && !isFar(ask)) return [];
  const severity = isFar(ask) ? "ask" : "warn";
  const limit = severity === "ask" ? `impact.ask ${ask}` : `impact.warn ${warn}`;
  const bare = untested.length === 0 ? "" : `, and no test reaches ${untested.slice(0, 5).join(", ")}`;
  return [finding(severity, `it reaches ${reached} places (${limit})${bare}`, "Look at the callers before you merge it.")];
}

function unknown({ ask }: ImpactPolicy): Finding {
  return finding(
    ask === undefined ? "warn" : "ask",
    "how far it reaches is not known, as there is no code graph of this repository",
    "Look at the callers of what it changes before you merge it.",
  );
}

function finding(severity: Severity, why: string, fix: string): Finding {
  return { rule: NAME, severity, why, fix };
}
