/** What one script may use. */
export interface IsolateLimits {
  /** Time in which the script itself computes, in milliseconds. */
  readonly computingMs: number;
  /** From the start to the end, tools included, in milliseconds. */
  readonly wholeMs: number;
  readonly memoryBytes: number;
  /** The engine's own stack. */
  readonly stackBytes: number;
  readonly calls: number;
  /** UTF-16 units of one call's arguments. */
  readonly argumentsLength: number;
  /** UTF-16 units of the answer. */
  readonly answerLength: number;
  /** UTF-16 units of all that `console` is told. */
  readonly logLength: number;
  readonly timers: number;
}

/** What the worker is started with. */
export interface IsolateStart {
  readonly script: string;
  readonly names: readonly string[];
  readonly limits: IsolateLimits;
}

/** From the worker. `busy` and `idle` say whether the script computes, for a watchdog outside of it. */
export type FromIsolate =
  | { readonly kind: "busy" }
  | { readonly kind: "idle" }
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly args: string }
  | { readonly kind: "done"; readonly ok: boolean; readonly text: string; readonly log: string };

/** To the worker: what a call came to. */
export interface CallAnswer {
  readonly id: number;
  readonly ok: boolean;
  readonly text: string;
}
