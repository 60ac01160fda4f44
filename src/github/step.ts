import type { OperationKind } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";

/** One effect on GitHub that must happen once: a reference, a commit, a pull request, a comment. */
export interface WriteStep {
  /** Names the effect within its run for ever: `open-pull-request/branch`. */
  readonly key: string;
  readonly operation: OperationKind;
  /** Looks on GitHub whether the effect is there already (marker, head, reference). Reads only. */
  find(): Promise<WriteOutcome | undefined>;
  /** Asks for a pass and sends. After an uncertain answer (5xx, reset, no answer) it looks with `find` before it sends again. */
  send(): Promise<WriteOutcome>;
}

/**
 * Performs a step at most once: answers a recorded outcome; looks before it sends where an earlier attempt left an intent without an
 * outcome; records the intent before anything is sent. The run's journal implements it.
 */
export type Once = (step: WriteStep) => Promise<WriteOutcome>;
