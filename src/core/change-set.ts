/** Git file modes that can occur in a tree; `040000` (a folder) never does in a change set. */
export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface BlobRef {
  /** Git's blob id, 40 hex digits. */
  readonly sha: string;
  readonly mode: FileMode;
  /** Bytes. */
  readonly size: number;
}

/** One path that differs from the pinned tree. A rename is a deletion and an addition; `movedFrom` joins them for people. */
export interface FileChange {
  readonly path: string;
  readonly before?: BlobRef;
  readonly after?: BlobRef;
  readonly movedFrom?: string;
}

/** What a run would publish: the difference of a workspace against its pinned tree, whatever made it. */
export interface ChangeSet {
  /** The pinned commit and its tree. */
  readonly base: { readonly commit: string; readonly tree: string };
  /** Git's id of the resulting tree, computed here; what GitHub builds must have the same. */
  readonly tree: string;
  /** Sorted by path, compared as UTF-8 bytes. */
  readonly changes: readonly FileChange[];
  /** The new bytes by blob id: every `after` that is not at the base has its own here. Frozen; what is scanned is what is sent. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  /** The old bytes by blob id, for rules that judge only what a change adds. Absent for blobs over the limit. */
  readonly before: ReadonlyMap<string, Uint8Array>;
}
