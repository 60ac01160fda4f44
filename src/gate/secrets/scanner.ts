import { createHeldMatcher } from "./held-values.ts";
import { lookForHeld, type HeldQuestion, type HeldReport } from "./look-for-held.ts";
import { lookForShapes, type ShapeReport } from "./look-for-shapes.ts";
import { createPieceFinder } from "./pieces.ts";
import type { ScanInput } from "./scan-input.ts";
import { loadSecretlint } from "./secretlint.ts";
import type { ScanText } from "./secretlint.ts";

/** Looks for secrets. It rejects when it could not look at everything. */
export interface SecretScanner {
  /** Milliseconds by the clock after which every question is answered or rejected; absent where nothing sees to that. */
  readonly longestMs?: number;
  shapes(input: ScanInput): Promise<ShapeReport>;
  held(input: ScanInput, question: HeldQuestion): Promise<HeldReport>;
}

/** The deadline of a rule that waits for a scanner which ends by itself: a second more than that, so that the scanner's own reason is told. */
export function deadlineBehind({ longestMs }: Pick<SecretScanner, "longestMs">): { readonly deadlineMs?: number } {
  return longestMs === undefined ? {} : { deadlineMs: longestMs + 1000 };
}

/**
 * Looks in the thread that asks. A pattern that does not come to an end holds that thread for ever: it is for tests, for what runs once and
 * is killed from outside, and for the worker itself.
 */
export function sameThreadScanner({ load = loadSecretlint }: { readonly load?: () => Promise<ScanText> } = {}): SecretScanner {
  // Loaded at the first question, not at the start of the process. A failure holds what is judged and is not remembered.
  let loading: Promise<ScanText> | undefined;
  const secretlint: ScanText = async (path, text) => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return (await loading)(path, text);
  };
  const matcher = createHeldMatcher();
  const pieces = createPieceFinder();
  return {
    shapes: (input) => lookForShapes(input, secretlint),
    held: async (input, question) => lookForHeld(input, question, { holds: matcher(question.values), pieces }),
  };
}
