import type { Script } from "../../unit/agent/doubles.ts";
import type { Bench } from "../../unit/runs/bench.ts";
import type { MacroContext } from "../../../packages/write-path-corpus/src/expand.ts";

/** What became of a row that is played on more than the gate, and what was seen of it, for whoever reads a failure. */
export interface Outcome {
  readonly kind: "outcome";
  readonly held: boolean;
  readonly saw: string;
}

/** What a row is played on as a whole run: one bench for all, and what the model answers from now on. */
export interface Scene {
  readonly bench: Bench;
  readonly macros: MacroContext;
  script(turns: Script): void;
}
