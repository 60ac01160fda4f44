/** One thing that an audit of a file found. */
export interface Audit {
  readonly severity: "block" | "warn";
  /** 1-based. */
  readonly line: number;
  readonly why: string;
  readonly fix: string;
}
