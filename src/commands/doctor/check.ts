/** What a check found. A warning is no reason to stop; `skipped` says what it would have needed. */
export interface Outcome {
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** One line that names the variable where one is at fault, and no part of a secret. */
  readonly says: string;
  /** Lines about what was looked at. */
  readonly details?: readonly string[];
  /** What to install or set, in lines that can be copied. */
  readonly advice?: readonly string[];
}

/** One thing that the doctor looks at. What it throws is reported as failed. */
export interface Check {
  readonly name: string;
  run(): Promise<Outcome>;
}

/** A check with what it found. */
export interface Checked extends Outcome {
  readonly name: string;
}
