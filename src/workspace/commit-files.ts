import { blobMap } from "./read-blobs.ts";
import type { Remote, Store } from "./store.ts";
import { rawOf, readTree, textOf } from "./tree.ts";

/** The files of one commit, read from the store: nothing that a workspace became since can change them. */
export interface CommitFiles {
  readonly commit: string;
  /** Every path that is valid UTF-8. */
  paths(): readonly string[];
  /** A regular file's bytes; undefined for anything else, and for what is larger than 1 MiB. */
  file(path: string): Promise<Uint8Array | undefined>;
}

export interface CommitFilesRequest {
  readonly store: Store;
  readonly remote: Remote;
  /** 40 hex digits. */
  readonly commit: string;
  readonly signal?: AbortSignal;
}

const LARGEST = 1024 * 1024;

/** Fetches a commit, without history, and opens its files. @throws {FetchError} when it cannot be had. */
export async function openCommitFiles({ store, remote, commit, signal }: CommitFilesRequest): Promise<CommitFiles> {
  const { git, gitDir } = store;
  const { tree: sha } = await store.fetchCommit({ remote, sha: commit, signal });
  const tree = await readTree(git, gitDir, sha, signal);
  return {
    commit,
    paths: () => [...tree.files.keys()].map(textOf).filter((path) => path !== undefined),
    async file(path) {
      const file = tree.files.get(rawOf(path));
      if (file === undefined || !file.mode.startsWith("100") || file.size > LARGEST) return undefined;
      return (await blobMap({ git, gitDir, shas: [file.sha], maxBytes: LARGEST })).get(file.sha);
    },
  };
}
