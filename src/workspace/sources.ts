import type { ChangeSet } from "../core/change-set.ts";
import { UnpublishableError } from "./change-set.ts";
import { readWorkspaceFile } from "./files.ts";
import { objectId } from "./object-id.ts";
import { textOf, type PinnedTree } from "./tree.ts";
import type { Workspace, WorkspaceSource } from "./workspace.ts";

export interface SourcesRequest extends Pick<Workspace, "directory" | "changeSet" | "baseBlob"> {
  readonly tree: PinnedTree;
}

/** The regular files of the pinned tree, by paths that are text. */
export function baseSources({ tree, directory, baseBlob }: Omit<SourcesRequest, "changeSet">): readonly WorkspaceSource[] {
  const sources: WorkspaceSource[] = [];
  for (const [raw, { mode, sha, size }] of tree.files) {
    const path = textOf(raw);
    if (path === undefined || !mode.startsWith("100")) continue;
    sources.push({ path, blob: sha, size, bytes: () => bytesOf(directory, path, sha) ?? baseBlob(sha) });
  }
  return sources;
}

/** The same of the workspace as it stands. What no commit can hold is left out. */
export async function currentSources(request: SourcesRequest): Promise<readonly WorkspaceSource[]> {
  const { changes, blobs } = await comparable(request);
  const changed = new Set(changes.map(({ path }) => path));
  const kept = baseSources(request).filter(({ path }) => !changed.has(path));
  const made = changes.flatMap(({ path, after }): readonly WorkspaceSource[] => {
    if (after === undefined || !after.mode.startsWith("100")) return [];
    const { sha, size } = after;
    return [{ path, blob: sha, size, bytes: () => blobs.get(sha) ?? request.baseBlob(sha) }];
  });
  return [...kept, ...made];
}

async function comparable({ changeSet }: Pick<SourcesRequest, "changeSet">): Promise<ChangeSet> {
  try {
    return await changeSet();
  } catch (error) {
    if (error instanceof UnpublishableError) return error.comparable;
    throw error;
  }
}

/** The bytes on disk, when they are still those of the blob: whatever is kept under its hash must be true of it. */
function bytesOf(directory: string, path: string, sha: string): Uint8Array | undefined {
  const read = readWorkspaceFile(directory, path, () => []);
  return read.status === "file" && read.path === path && objectId("blob", read.bytes) === sha ? read.bytes : undefined;
}
