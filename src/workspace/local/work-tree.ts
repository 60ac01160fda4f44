import { openRoot } from "../folder.ts";
import { openIgnoreRules } from "../ignore.ts";
import { takeFile } from "../take-file.ts";
import { readTree, textOf, type PinnedTree } from "../tree.ts";
import { walk } from "../walk.ts";
import type { WorkspaceSource } from "../workspace.ts";
import type { Checkout } from "./open-checkout.ts";

export interface WorkTreeRequest {
  readonly checkout: Checkout;
  /** Which paths are read at all. */
  readonly isWanted: (path: string) => boolean;
  /** Larger files are listed and not read: their hash is that of no bytes. */
  readonly largest: number;
}

/** The files of a checkout as they stand, uncommitted and untracked ones too, ignored ones not. Nothing follows a link. */
export async function workTreeSources({ checkout, isWanted, largest }: WorkTreeRequest): Promise<readonly WorkspaceSource[]> {
  const { git, gitDir, root: directory } = checkout;
  const sources: WorkspaceSource[] = [];
  using root = openRoot(directory);
  using rules = openIgnoreRules({ git, gitDir, directory });
  const start = { folder: root, path: "" };
  for await (const entry of walk({ start, tree: await headTree(checkout), rules, onProblem: () => undefined })) {
    const path = textOf(entry.path);
    if (entry.kind !== "file" || entry.submodule !== undefined || path === undefined || !isWanted(path)) continue;
    const size = Number(entry.stats.size);
    if (size > largest) {
      sources.push({ path, blob: `unread:${size}`, size, bytes: () => new Uint8Array(0) });
      continue;
    }
    const taken = takeFile(entry);
    if (!taken.ok) continue;
    const { sha, bytes } = taken.file;
    sources.push({ path, blob: sha, size: bytes.length, bytes: () => bytes });
  }
  return sources;
}

/** What is tracked counts though rules ignore it; before the first commit nothing is. */
async function headTree({ git, gitDir, resolve }: Checkout): Promise<PinnedTree> {
  const head = await resolve("HEAD").catch(() => undefined);
  return head === undefined ? { files: new Map(), folders: new Map() } : readTree(git, gitDir, head.tree);
}
