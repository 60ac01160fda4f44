import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";

/** What `seedActions` made. */
export interface SeededActions {
  readonly workflowRunId: number;
  readonly jobId: number;
  readonly expiredJobId: number;
}

/** The world that all exchanges share. */
export interface Stage extends SeededActions {
  readonly from: EmbeddedGitHub;
  readonly head: string;
  readonly base: string;
  readonly tree: string;
  readonly blob: string;
  readonly commentId: number;
  readonly reviewCommentId: number;
  readonly reviewId: number;
  readonly pendingId: number;
  readonly checkRunId: number;
  readonly deliveryId: number;
  /** Of an upload to code scanning. */
  readonly sarifId: string;
  /** Of an App that was just created by manifest. */
  readonly manifestCode: string;
}

/** One request and the status it is answered with. `path` follows the API's address. */
export interface Exchange {
  readonly route: string;
  readonly status: number;
  readonly path: (stage: Stage) => string;
  readonly body?: (stage: Stage) => unknown;
  readonly as?: "app" | "installation" | "nobody";
  /** Why this exchange is here beside the plain one of its route. */
  readonly about?: string;
}
