import type { ChangeSet } from "../core/change-set.ts";
import type { Journal } from "../core/journal.ts";
import { replayChanges, type Overlap, type ReplayBase } from "../workspace/replay.ts";
import type { Remote, Store } from "../workspace/store.ts";
import type { Pending } from "./published.ts";
import type { RunContext } from "./run-context.ts";
import { stepKey } from "./submit.ts";

/** The run's work as it is sent: as it stands in the workspace, or done once more on another commit. */
export type Placed =
  | {
      readonly status: "placed";
      readonly changes: ChangeSet;
      /** Set where it was replayed, as `published` notes it. */
      readonly replayed?: { readonly onto: string; readonly tree: string };
      /** The files that it stands on then. */
      readonly base?: ReplayBase;
    }
  | { readonly status: "overlaps"; readonly overlaps: readonly Overlap[] };

export interface Place {
  readonly source: { readonly store: Store; readonly remote: Remote };
  readonly pending: Pending;
  /** The branch that the work is for, and the commit at which it stands. */
  readonly upon: string;
  readonly onto: string;
}

/**
 * The work on the commit that it is to be published on. Where that is not the one that it was done on, it is replayed there, which the journal
 * notes before anything leaves: after a crash the same commit is meant, whatever was pushed since. @throws {FetchError}
 */
export async function placeWork({ journal, signal }: RunContext, { source, pending, upon, onto }: Place): Promise<Placed> {
  const { changes, earlier, key } = pending;
  // What was published in another form than the workspace's is built upon in that form.
  if (changes.changes.length === 0 || (onto === changes.base.commit && earlier?.replayed === undefined))
    return { status: "placed", changes };
  const replay = await replayChanges({ ...source, changes, onto, signal });
  if (replay.status === "overlaps") return replay;
  const { changes: replayed, base } = replay;
  const last = lastReplay(journal, key, upon);
  if (replayed.changes.length > 0 && last?.onto !== onto) await journal.append({ kind: "replayed", key, upon, onto });
  return { status: "placed", changes: replayed, replayed: { onto, tree: replayed.tree }, base };
}

/** The commit on which this very work was begun to be published; undefined where nothing of it has left yet. */
export function begunOn(journal: Journal, { key, changes }: Pending, upon: string): string | undefined {
  const begun = journal.entries.some((entry) => entry.kind === "intent" && entry.key === stepKey(key, "commit"));
  return begun ? (lastReplay(journal, key, upon)?.onto ?? changes.base.commit) : undefined;
}

/** The last replay of a submission, of any branch where none is named. */
export function lastReplay(journal: Journal, key: string, upon?: string): { readonly upon: string; readonly onto: string } | undefined {
  const last = journal.entries.findLast(
    (entry) => entry.kind === "replayed" && entry.key === key && (upon === undefined || entry.upon === upon),
  );
  return last?.kind === "replayed" ? last : undefined;
}

/** Work that can be submitted, or why none can. */
export type Ready = Extract<Placed, { status: "placed" }> | { readonly status: "failed"; readonly why: string };

/** What is placed for a branch as an answer that the model can act on, where it comes to nothing. */
export function ready(placed: Placed, branch: string): Ready {
  if (placed.status === "overlaps") {
    const why = `${branch} has other commits than this run began with, and they overlap with its change: ${overlapsOf(placed.overlaps)}. ${BESIDE}`;
    return { status: "failed", why };
  }
  if (placed.replayed === undefined || placed.changes.changes.length > 0) return placed;
  return { status: "failed", why: `What this run has changed stands on ${branch} already, so there is nothing to publish.` };
}

export const BESIDE = "Nothing is ever forced. Publish the change with gh_create_pr instead.";

/** Said with a commit that was made on commits which the run has not seen. */
export function replayedOn(branch: string, onto: string): string {
  return `${branch} had moved meanwhile: the change was replayed on its commit ${onto.slice(0, 10)}, with which it does not overlap. It was tested without that commit.`;
}

const MOST_NAMED = 5;

/** What is in the way of a replay, as one sentence without a full stop. */
function overlapsOf(overlaps: readonly Overlap[]): string {
  const named = overlaps.slice(0, MOST_NAMED).map(({ path, why }) => `${path} ${why}`);
  const more = overlaps.length - named.length;
  return `${named.join("; ")}${more === 0 ? "" : `; and ${more} more`}`;
}
