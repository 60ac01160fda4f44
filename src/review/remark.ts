/** The two sides of a difference as GitHub names them: what was, and what is. */
export type Side = "LEFT" | "RIGHT";

/** One remark of a review as the reviewer made it: places and texts are a model's, so any of them can be wrong. */
export interface Remark {
  readonly path: string;
  /** 1-based, the last line that is meant. */
  readonly line: number;
  /** `RIGHT` when left out. */
  readonly side?: Side;
  /** The first line that is meant, on the same side. */
  readonly startLine?: number;
  readonly body: string;
  /** What should stand there instead of the lines that are meant; an empty text deletes them. */
  readonly suggestion?: string;
}
