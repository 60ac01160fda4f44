import type { Awaitable, Judged, JudgedKind } from "./judged.ts";
import type { Finding } from "../core/result.ts";
import type { RunView } from "../core/run.ts";

/**
 * One rule of the gate: pure, linear in its input, one file under `rules/`. It answers what it found; severity decides.
 * A rule that throws, answers something else or takes longer than its deadline counts as a block.
 */
export interface GateRule {
  readonly name: string;
  readonly applies: readonly JudgedKind[];
  /** Milliseconds that it may take where that is more than others may: what it asks has a deadline of its own. */
  readonly deadlineMs?: number;
  check(judged: Judged, run: RunView): Awaitable<readonly Finding[]>;
}
