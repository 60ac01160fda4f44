import type { FileChange, FileMode } from "./change-set.ts";
import type { AssistantMessage, Message, Usage } from "./conversation.ts";
import type { Comment, Commit, OpenPullRequest, OperationKind } from "./operation.ts";
import type { Decision, ToolResult, WriteOutcome } from "./result.ts";
import type { Phase } from "./run.ts";

/** A path that differs from the pinned tree after a turn; `blob` is absent for a deletion. */
export interface SnapshotEntry {
  readonly path: string;
  readonly mode?: FileMode;
  readonly blob?: string;
}

/** A tool's result that was too large for the conversation. Its text is stored as a blob of UTF-8. */
export interface Spilled {
  /** By which the model reads it; counts within the run. */
  readonly id: string;
  readonly blob: string;
  /** UTF-8. */
  readonly bytes: number;
  readonly lines: number;
}

/** What a model said of turns that leave the conversation, and what that used. */
export interface Summary {
  readonly text: string;
  readonly usage: Usage;
  readonly model: string;
  readonly usd?: number;
}

/** An operation that people were asked about, word for word. Its change set is the workspace's own, named by the key of its submission. */
export type AskedOperation = Omit<OpenPullRequest, "changes"> | Omit<Commit, "changes"> | Comment;

/** A configuration file that cannot be taken as it stands. */
export interface FaultyFile {
  /** As people know it: `.github/sallyport.yml`. */
  readonly file: string;
  /** Names these bytes of this file for ever. */
  readonly version: string;
  readonly faults: readonly { readonly line: number; readonly key: string; readonly why: string }[];
}

/**
 * One row of a run's journal. Rows are only ever appended; folded in order they give the conversation, the workspace and the writes,
 * so the same rows make a resumed run, the transcript, the dashboard and a replay. Plain JSON throughout.
 */
export type JournalEntry =
  /** A phase has ended; `result` is what the later phases need of it. */
  | { readonly kind: "phase"; readonly phase: Phase; readonly result: unknown }
  /** What the configuration said when the run was accepted; it holds for the run to its end. */
  | {
      readonly kind: "settings";
      readonly settings: unknown;
      /** The default branch's commit that it was read at; absent for a repository without one. */
      readonly commit?: string;
      /** Files with faults, which said nothing. */
      readonly faulty?: readonly FaultyFile[];
    }
  /** The messages before the first turn. */
  | { readonly kind: "opening"; readonly messages: readonly Message[] }
  /** `usd` is absent where the model's price is not known. */
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly model: string;
      readonly usd?: number;
    }
  /** `spilled`: the text was too large for the conversation; it is stored whole with the row, and `result` shows its ends. */
  | {
      readonly kind: "tool-result";
      readonly turn: number;
      readonly callId: string;
      readonly tool: string;
      readonly result: ToolResult;
      readonly spilled?: Spilled;
      /** Raw JSON text, for a call that a script made: no turn holds it. */
      readonly arguments?: string;
    }
  /** What the loop itself says to the model (tests, budgets): a user message. */
  | { readonly kind: "note"; readonly turn: number; readonly text: string }
  /** The turns up to this one have left the conversation; `text` stands in their place, so that every later request has the same bytes. */
  | { readonly kind: "compacted"; readonly turn: number; readonly text: string; readonly summary?: Summary }
  /** The workspace after a turn that changed it, against the pinned tree. Its blobs are stored with the row. */
  | {
      readonly kind: "snapshot";
      readonly turn: number;
      readonly entries: readonly SnapshotEntry[];
      /** Bytes of each blob that is stored with this row; others were stored with earlier ones. */
      readonly sizes?: Readonly<Record<string, number>>;
      /** Paths whose bytes are too many to be stored: whoever takes the run over finds them as they are pinned. */
      readonly tooLarge?: readonly string[];
    }
  | { readonly kind: "decision"; readonly operation: OperationKind | "workspace-write"; readonly key: string; readonly decision: Decision }
  /**
   * People were asked about this submission; it is submitted again as it stands here once they have approved it. `paths` are those that it changes,
   * where no snapshot of the run tells them.
   */
  | {
      readonly kind: "asked";
      readonly approval: string;
      readonly key: string;
      readonly operation: AskedOperation;
      readonly paths?: readonly string[];
    }
  /** They have: the run, which had ended its work and waited, goes on from here. `waitedMs` is how long that took. */
  | { readonly kind: "approved"; readonly approval: string; readonly by: string; readonly waitedMs: number }
  /** People were asked about a call of the conversation, which waits there. */
  | { readonly kind: "asked-call"; readonly approval: string; readonly callId: string; readonly tool: string; readonly detail: string }
  /** They have answered: the run, which had waited, makes that call again. `waitedMs` is how long that took. */
  | {
      readonly kind: "answered";
      readonly approval: string;
      readonly isApproved: boolean;
      readonly by: string;
      readonly waitedMs: number;
    }
  /** What a tool makes the run's answer in place of the model's last words. The last one counts. */
  | { readonly kind: "responded"; readonly callId: string; readonly text: string }
  /** A named result that a tool keeps with the run; its bytes are stored with the row. */
  | {
      readonly kind: "artifact";
      readonly name: string;
      readonly mediaType: string;
      readonly blob: string;
      readonly bytes: number;
    }
  /** The name of the run's own branch, chosen once: a resumed run must not take its own earlier branch for somebody else's. */
  | { readonly kind: "branch"; readonly name: string }
  /** The run's work stands on GitHub as this commit; `changes` are all of it against the pinned tree. Later commits build on the last one. */
  | {
      readonly kind: "published";
      readonly branch: string;
      readonly commit: string;
      readonly tree: string;
      readonly changes: readonly FileChange[];
      readonly pull?: number;
      /** Set where the work was replayed: the commit that it was replayed on, and the tree that came of it; `tree` is the workspace's. */
      readonly replayed?: { readonly onto: string; readonly tree: string };
    }
  /** Before a submission of work on another commit than its own base: the branch `upon` stood at `onto` then. */
  | { readonly kind: "replayed"; readonly key: string; readonly upon: string; readonly onto: string }
  /** Written before a request leaves for GitHub. An intent without an outcome is looked up there before anything is sent again. */
  | { readonly kind: "intent"; readonly key: string; readonly operation: OperationKind }
  | { readonly kind: "outcome"; readonly key: string; readonly outcome: WriteOutcome }
  /** A row of what runs inside the call `callId`: a subagent's conversation, or a call that a script made. */
  | { readonly kind: "nested"; readonly callId: string; readonly entry: InnerEntry };

/** What can be nested; one level is all there is. */
export type InnerEntry = Exclude<JournalEntry, { readonly kind: "nested" }>;

/** A run's journal as one attempt holds it. */
export interface Journal {
  /** All rows so far, oldest first; grows with `append`. */
  readonly entries: readonly JournalEntry[];
  /**
   * Durable once resolved. `blobs` (by git blob id) are stored with the row.
   * @throws {StaleAttemptError} when another worker has taken the run.
   */
  append(entry: JournalEntry, blobs?: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /**
   * For writes that leave no row, such as progress: a worker that slept while another took its run must not send them.
   * @throws {StaleAttemptError} when another worker has taken the run.
   */
  assertCurrent(): Promise<void>;
  /** Bytes stored with an earlier row. */
  blob(sha: string): Promise<Uint8Array | undefined>;
}
