import type { Conversation } from "../agent/converse.ts";
import type { Journal } from "../core/journal.ts";
import type { Pin, RunEnd } from "../core/run.ts";

/** What each ended phase leaves in the journal for the later ones and for later attempts. Plain JSON. */
export interface PhaseResults {
  readonly authorize: Authorized;
  readonly "check-out": CheckedOut;
  readonly converse: Conversation;
  readonly publish: Leftover;
  readonly report: Reported;
}

/** An asker who may ask, and what the run works on. */
export interface Authorized {
  /** Absent for a repository without a commit. */
  readonly pin?: Pin;
  /** `read`: may look and comment, nothing else (work that a fork's pull request started). */
  readonly profile: "write" | "read";
}

/** The run's last words. */
export interface Reported {
  readonly end: RunEnd;
  /** When they were said, in milliseconds since the epoch by the database's clock. */
  readonly at?: number;
  /** They said that no more is tried. */
  readonly gaveUp?: true;
  /** Of a review: files of the difference that it was to read, and has not read to their end. */
  readonly unread?: readonly string[];
}

export interface CheckedOut {
  /** When the work began, in milliseconds since the epoch by the database's clock: budgets of time count from here, also after a restart. */
  readonly startedAt: number;
}

/** What became of work that the conversation left unpublished. */
export type Leftover =
  | { readonly status: "none" }
  | {
      readonly status: "published";
      /** `commit`: onto what the run had published before. */
      readonly as: "draft" | "pull-request" | "commit";
      readonly pull?: number;
      readonly branch: string;
      /** Why it had not been published as the model asked. */
      readonly why?: string;
    }
  /** `waiting`: for people's approval; `why` names it. */
  | { readonly status: "held" | "waiting" | "failed"; readonly why: string };

/** Phases that a run walks again once people have approved its work, or answered what a call of it asked. */
const AGAIN: readonly string[] = ["publish", "report"];

/** What an ended phase left; undefined while it has not ended, or is to be walked again. */
export function phaseResult<P extends keyof PhaseResults>(journal: Journal, phase: P): PhaseResults[P] | undefined {
  const from = AGAIN.includes(phase) ? journal.entries.findLastIndex(({ kind }) => kind === "approved" || kind === "answered") : -1;
  const entry = journal.entries.findLast((entry, index) => index > from && entry.kind === "phase" && entry.phase === phase);
  return entry?.kind === "phase" ? (entry.result as PhaseResults[P]) : undefined;
}

/** Records that a phase has ended. */
export function endPhase<P extends keyof PhaseResults>(journal: Journal, phase: P, result: PhaseResults[P]): Promise<void> {
  return journal.append({ kind: "phase", phase, result });
}
