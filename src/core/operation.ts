import type { ChangeSet } from "./change-set.ts";
import type { RepositoryRef, Thread } from "./run.ts";

interface Addressed {
  readonly repository: Pick<RepositoryRef, "id" | "owner" | "name">;
}

/** An operation whose texts a model wrote. */
interface Worded {
  /**
   * The model's texts before anything was taken out of them or made harmless. They are judged for secrets as well, since a model that tries
   * to publish one is not to be helped by the cleaning; they are never sent.
   */
  readonly written?: readonly string[];
}

/** Opens a pull request: a branch of the bot's own, one commit on it, and the request. Judged whole before any of the three exists. */
export interface OpenPullRequest extends Addressed, Worded {
  readonly kind: "open-pull-request";
  /** Named by the gate, without `refs/heads/`. */
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly message: string;
  /** What is not on the branch yet; with `branchExists` it may be empty: then there is no commit to make. */
  readonly changes: ChangeSet;
  /** The branch was made earlier in this run: its tip is `changes.base.commit`. */
  readonly branchExists?: boolean;
}
/** One commit on an existing branch whose tip is still the change set's base commit. */
export interface Commit extends Addressed, Worded {
  readonly kind: "commit";
  readonly branch: string;
  readonly message: string;
  readonly changes: ChangeSet;
  /** The branch is the run's own and does not exist yet: it is made at `changes.base.commit` first. */
  readonly createsBranch?: boolean;
}
export interface Comment extends Addressed, Worded {
  readonly kind: "comment";
  readonly thread: Thread;
  readonly body: string;
}
/** Edits a comment that this App wrote in this run. */
export interface EditOwnComment extends Addressed, Worded {
  readonly kind: "edit-own-comment";
  readonly thread: Thread;
  readonly commentId: number;
  readonly body: string;
}
export interface Reaction extends Addressed {
  readonly kind: "reaction";
  readonly target: { readonly kind: "issue" | "issue-comment" | "review-comment"; readonly id: number };
  readonly content: "eyes";
}

/** A remark of a check run on lines of a file. */
export interface CheckAnnotation {
  readonly path: string;
  /** 1-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title?: string;
  /** Plain text. */
  readonly message: string;
}
/**
 * A check run of this App on a commit: a new one, or with `checkRunId` one of this run's own that is brought to another state. Its
 * annotations are added to those that it has.
 */
export interface CheckRun extends Addressed, Worded {
  readonly kind: "check-run";
  readonly name: string;
  readonly headSha: string;
  readonly checkRunId?: number;
  readonly status: "queued" | "in_progress" | "completed";
  /** With `completed`, and only with it. */
  readonly conclusion?: "success" | "failure" | "neutral" | "cancelled" | "skipped" | "timed_out" | "action_required";
  readonly title: string;
  /** Markdown, as is `text`. */
  readonly summary: string;
  readonly text?: string;
  /** At most 50, as many as one request may carry. */
  readonly annotations?: readonly CheckAnnotation[];
  /** Names this check run for ever: by it a lost one is found again. */
  readonly externalId: string;
  readonly detailsUrl?: string;
}

/** What the gate found on a pull request, for GitHub's code scanning: in place of what it was told of that pull request before. */
export interface UploadSarif extends Addressed {
  readonly kind: "upload-sarif";
  /** The pull request's number. */
  readonly number: number;
  /** Its head, on which the findings stand. */
  readonly headSha: string;
  /** SARIF 2.1.0. */
  readonly sarif: string;
}

/** A remark of a review on lines of the difference. */
export interface ReviewComment {
  /** The file's name on the new side; of a removed file the name it had. */
  readonly path: string;
  /** 1-based, the last line that is meant. */
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  /** The first line, when there are several: on the same side, before `line`. */
  readonly startLine?: number;
  readonly body: string;
}
/** A review of the commit that was read. It is always a comment: the bot neither approves nor requests changes. */
export interface Review extends Addressed, Worded {
  readonly kind: "review";
  /** The pull request's number. */
  readonly number: number;
  readonly commitId: string;
  readonly body: string;
  readonly comments: readonly ReviewComment[];
}
/** Removes a review of this App that was begun and never submitted: GitHub takes no second one beside it. */
export interface DeletePendingReview extends Addressed {
  readonly kind: "delete-pending-review";
  readonly number: number;
  readonly reviewId: number;
}

/** Resolves the conversation below one of this App's own remarks, once a later review has looked at its place again. */
export interface ResolveThread extends Addressed {
  readonly kind: "resolve-thread";
  /** The pull request's number. */
  readonly number: number;
  /** The remark that began the conversation. */
  readonly commentId: number;
  /** The conversation's node id in GraphQL. */
  readonly threadId: string;
}

/** Has the failed jobs of the workflow run that started this run run once more. */
export interface RerunWorkflow extends Addressed {
  readonly kind: "rerun-workflow";
  readonly workflowRunId: number;
  /** The attempt that failed. */
  readonly attempt: number;
}
/** Opens the one issue about a workflow that fails on a branch without a pull request. */
export interface OpenIssue extends Addressed, Worded {
  readonly kind: "open-issue";
  readonly title: string;
  readonly body: string;
}
/** Puts labels that the repository has on the run's own issue. */
export interface AddLabels extends Addressed {
  readonly kind: "label";
  readonly thread: Thread;
  readonly labels: readonly string[];
}

/**
 * Everything that may leave for GitHub: a closed union. There is no member for merging, approving, deleting refs, releases or settings,
 * so no tool, extension or fault can ask for one.
 */
export type Operation =
  | OpenPullRequest
  | Commit
  | Comment
  | EditOwnComment
  | Reaction
  | CheckRun
  | UploadSarif
  | Review
  | DeletePendingReview
  | ResolveThread
  | RerunWorkflow
  | OpenIssue
  | AddLabels;
export type OperationKind = Operation["kind"];

/** A write of a tool into the workspace, as the inner door sees it, before it happens. */
export interface WorkspaceWrite {
  readonly kind: "workspace-write";
  /** As the tool was given it. */
  readonly path: string;
  /** The bytes that would stand there; absent for a deletion. */
  readonly after?: Uint8Array;
  /** The bytes that stand there now; absent for a new file. */
  readonly before?: Uint8Array;
}
