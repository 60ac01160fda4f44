import type { SnapshotEntry } from "../core/journal.ts";
import { UnpublishableError } from "./change-set.ts";
import type { Workspace } from "./workspace.ts";

/** A workspace's difference against its pinned tree, as a snapshot holds it. */
export interface Content {
  readonly entries: readonly SnapshotEntry[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** @throws {UnpublishableError} */
export async function contentOf(workspace: Pick<Workspace, "changeSet">): Promise<Content> {
  const { changes, blobs } = await workspace.changeSet();
  const entries = changes.map(({ path, after }): SnapshotEntry =>
    after === undefined ? { path } : { path, mode: after.mode, blob: after.sha },
  );
  return { entries, blobs };
}

/** Brings a workspace back to a content, whatever was made of it meanwhile; what git ignores stays. */
export async function putBack(workspace: Workspace, { entries, blobs }: Content): Promise<void> {
  const restore = () => workspace.restore(entries, (sha) => Promise.resolve(blobs.get(sha)));
  try {
    await restore();
  } catch (error) {
    if (!(error instanceof UnpublishableError)) throw error;
    // Sockets, pipes and second names: none of them was there before, or the tests would not have been run.
    for (const { where } of error.findings) if (where !== undefined) await workspace.remove(where.path).catch(() => undefined);
    await restore();
  }
}

/** Works on the pinned commit in the run's own folder, so that what git ignores is there, and puts the run's work back afterwards. */
export async function asPinned<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  const now = await contentOf(workspace);
  try {
    await workspace.restore([], () => Promise.resolve(undefined));
    return await work();
  } finally {
    await putBack(workspace, now);
  }
}
