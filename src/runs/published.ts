import type { ChangeSet } from "../core/change-set.ts";
import type { Journal, JournalEntry } from "../core/journal.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { changesSince } from "./changes-since.ts";
import { lastEntry } from "./run-context.ts";
import { stepKey } from "./submit.ts";

type Published = Extract<JournalEntry, { kind: "published" }>;

/** What is left to publish: all of it, or what came after the run's last commit. */
export interface Pending {
  readonly changes: ChangeSet;
  readonly whole: ChangeSet;
  readonly earlier: Published | undefined;
  /** See `workKey`. */
  readonly key: string;
}

/** What stands in the workspace beside its published part. @throws {UnpublishableError} */
export async function pendingWork(journal: Journal, workspace: Workspace): Promise<Pending> {
  const whole = await workspace.changeSet();
  const earlier = lastEntry(journal, "published");
  const sources = { pinned: (sha: string) => workspace.baseBlob(sha), published: (sha: string) => journal.blob(sha) };
  const changes = earlier === undefined ? whole : await changesSince(earlier, whole, sources);
  return { whole, changes, earlier, key: workKey(journal, whole) };
}

/** A file as the next commit finds it: as this run published it, or as it is pinned. */
export async function standingFile(
  journal: Journal,
  workspace: Pick<Workspace, "baseFile">,
  path: string,
): Promise<Uint8Array | undefined> {
  const changed = lastEntry(journal, "published")?.changes.find((change) => change.path === path);
  if (changed === undefined) return workspace.baseFile(path);
  return changed.after === undefined ? undefined : journal.blob(changed.after.sha);
}

/** Names a state of the run's work: whoever publishes it, under whatever call or after a crash, publishes the same thing. */
export function workKey(journal: Journal, whole: ChangeSet): string {
  const times = journal.entries.filter(({ kind }) => kind === "published").length;
  return `publish-${times}-${whole.tree.slice(0, 12)}`;
}

/** The commit that a submission made, however the rest of it went. */
export function commitOf(journal: Journal, submission: string): string | undefined {
  const key = stepKey(submission, "commit");
  const made = journal.entries.find((entry) => entry.kind === "outcome" && entry.key === key);
  return made?.kind === "outcome" ? made.outcome.sha : undefined;
}

/** Whether this run has made the branch and stands on it with nothing but `tip`. */
export function hasMade(journal: Journal, branch: string, tip: string): boolean {
  const published = lastEntry(journal, "published");
  if (published?.branch === branch) return true;
  return journal.entries.some(
    (entry) =>
      entry.kind === "outcome" && entry.key.endsWith(stepKey("", "branch")) && entry.outcome.branch === branch && entry.outcome.sha === tip,
  );
}
