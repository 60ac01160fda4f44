import type { GateReport } from "../../gate/report/gate-report.ts";
import type { RunScope } from "../../gate/scope.ts";
import type { ChangeGlance } from "../../graph/query/change-glance.ts";

/** `unknown` where the code graph could not say how far a change reaches. */
export type Glance = ChangeGlance | "unknown";

/** What a look of the gate's at a pull request hands to its voice, and to the scope of its run. */
export interface GateState {
  /** What the run's scope holds besides while the pull request is judged, and at no other time. */
  judging?: Pick<RunScope, "heads" | "configured">;
  /** What was judged, and what came of it: there once it was. */
  report?: GateReport;
  /** Tells code scanning what was found, where that is wanted; a sentence where it could not be told. */
  upload?: () => Promise<string | undefined>;
  /** Looks up how far the change reaches, once the verdict is said. Never rejects. */
  look?: () => Promise<Glance>;
  /** Another open pull request with the same head, which is held back there: a check stands on the commit for both. */
  heldOn?: number;
}
