/** What every error of the product carries: a stable code, and what the reader can do next. */
export interface SallyportErrorOptions {
  /** Stable, kebab-case, for programs: `model-unreachable`. */
  readonly code: string;
  /** One sentence that says what to do next; shown to people. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The base of all errors that the product throws on purpose. Its message says what happened, with which value. */
export class SallyportError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, { code, hint, cause }: SallyportErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}

/** A missing or malformed setting: stops the start, or one run, with one line that names it. */
export class ConfigurationError extends SallyportError {}

/** Ends the attempt at a run, from wherever it is thrown: no tool and no wrapper may turn it into a result. */
export class AttemptError extends SallyportError {}

/** Thrown by a journal append whose attempt is no longer the run's current one: the worker must stop and write nothing more. */
export class StaleAttemptError extends AttemptError {
  constructor(runId: string, attempt: number) {
    super(`Attempt ${attempt} of run ${runId} has been taken over by another worker.`, { code: "stale-attempt" });
  }
}

/** The message of anything thrown, for logs and reports. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
