import type { BlobRef, ChangeSet, FileChange } from "../core/change-set.ts";

/** Work of this run that already stands on GitHub: the commit that carries it and all of it against the pinned tree. */
export interface PublishedWork {
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly FileChange[];
}

/** Where the bytes of blobs are that are not among a change set's own. */
export interface BlobSources {
  /** A blob of the pinned tree, for files that went back to what they were. */
  readonly pinned: (sha: string) => Promise<Uint8Array>;
  /** A blob that was published before; undefined when it is not at hand. */
  readonly published: (sha: string) => Promise<Uint8Array | undefined>;
}

/** What a change set adds to work that was published before: the difference between two states of one workspace, based on the earlier commit. */
export async function changesSince(published: PublishedWork, now: ChangeSet, sources: BlobSources): Promise<ChangeSet> {
  const earlier = new Map(published.changes.map((change) => [change.path, change]));
  const current = new Map(now.changes.map((change) => [change.path, change]));
  const blobs = new Map<string, Uint8Array>();
  const olds = new Map(now.before);
  const changes: FileChange[] = [];
  for (const path of [...new Set([...earlier.keys(), ...current.keys()])].sort(byBytes)) {
    const before = earlier.has(path) ? earlier.get(path)?.after : current.get(path)?.before;
    const after = current.has(path) ? current.get(path)?.after : earlier.get(path)?.before;
    if (sameBlob(before, after)) continue;
    if (after !== undefined) blobs.set(after.sha, now.blobs.get(after.sha) ?? (await sources.pinned(after.sha)));
    // What was judged and published before is no addition of this change.
    const old = before === undefined || olds.has(before.sha) ? undefined : await sources.published(before.sha);
    if (before !== undefined && old !== undefined) olds.set(before.sha, old);
    changes.push({ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
  }
  return { base: { commit: published.commit, tree: published.tree }, tree: now.tree, changes, blobs, before: olds };
}

function sameBlob(a: BlobRef | undefined, b: BlobRef | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.sha === b.sha && a.mode === b.mode;
}

/** The order of a change set: paths compared as UTF-8 bytes, as git sorts them. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
