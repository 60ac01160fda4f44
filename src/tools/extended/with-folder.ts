import type { SnapshotEntry } from "../../core/journal.ts";
import type { Decision } from "../../core/result.ts";
import type { WriteContext as ApiContext } from "../../extensions/api.ts";
import { contentOf, putBack, type Content } from "../../workspace/content.ts";
import type { WriteContext } from "../tool.ts";

const REGULAR: readonly unknown[] = ["100644", "100755"];
const NO_FILE: Decision = {
  verdict: "block",
  findings: [
    {
      rule: "containment",
      severity: "block",
      why: "what was made is a link or a repository of its own, and no file",
      fix: "Write a regular file.",
    },
  ],
};

/**
 * Lets work change the files of the workspace by itself. All of that is taken back, and then written again file by file through the inner door,
 * so that what the gate refuses is not there. When the work throws, nothing of it stays.
 */
export function withFolder({ workspace, write }: Pick<WriteContext, "workspace" | "write">): ApiContext["withFolder"] {
  return async (work) => {
    const before = await contentOf(workspace);
    let value: Awaited<ReturnType<typeof work>>;
    let after: Content;
    try {
      value = await work(workspace.directory);
      after = await contentOf(workspace);
    } finally {
      await putBack(workspace, before);
    }
    const decisions = new Map<string, Decision>();
    for (const { path, mode, blob } of changedIn(before, after)) {
      const isFile = mode === undefined || REGULAR.includes(mode);
      decisions.set(path, isFile ? await write(path, await bytesOf(path, blob, after)) : NO_FILE);
    }
    return { value, decisions };
  };

  async function bytesOf(path: string, blob: string | undefined, { entries, blobs }: Content): Promise<Uint8Array | undefined> {
    if (blob !== undefined) return blobs.get(blob) ?? (await workspace.baseBlob(blob));
    // What is no difference any more is as it is pinned, or was never there.
    return entries.some((entry) => entry.path === path) ? undefined : await workspace.baseFile(path);
  }
}

/** What the work has made of paths, deletions first, so that a file can stand where a folder was. */
function changedIn(before: Content, after: Content): Content["entries"] {
  const known = new Map(before.entries.map((entry) => [entry.path, entry]));
  const named = new Set(after.entries.map(({ path }) => path));
  const changed = after.entries.filter(({ path, mode, blob }) => {
    const earlier = known.get(path);
    return earlier === undefined || earlier.blob !== blob || earlier.mode !== mode;
  });
  const undone = before.entries.filter(({ path }) => !named.has(path)).map(({ path }): SnapshotEntry => ({ path }));
  return [...undone, ...changed].toSorted((a, b) => Number(a.blob !== undefined) - Number(b.blob !== undefined));
}
