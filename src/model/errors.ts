import { SallyportError } from "../core/errors.ts";

export type ModelErrorCode =
  | "model-unreachable"
  | "model-key-refused"
  | "model-quota"
  | "model-overloaded"
  | "model-timeout"
  | "model-not-found"
  | "model-refused-request"
  | "context-too-long";

/** There is no answer from the model, and asking the same again would not help. Its message is free of keys and bounded. */
export class ModelError extends SallyportError {
  constructor(code: ModelErrorCode, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { code, ...options });
  }
}

/** A stream or body that did not bring a whole answer; always worth another try. */
export class Interrupted extends Error {
  readonly kind: "cut" | "silent" | "unreadable";

  constructor(kind: Interrupted["kind"], message: string) {
    super(message);
    this.name = "Interrupted";
    this.kind = kind;
  }
}

/** A replayed run asked its model something else than what was recorded. */
export class ReplayError extends SallyportError {
  constructor(message: string) {
    super(`The replay has left the record: ${message}.`, {
      code: "replay-diverged",
      hint: "Replay with the release and the configuration that recorded the run; a tool that answers differently ends a replay too.",
    });
  }
}
