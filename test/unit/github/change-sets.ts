import type { ChangeSet, FileChange } from "../../../src/core/change-set.ts";

export const BASE = { commit: "b".repeat(40), tree: "c".repeat(40) };
export const TREE = "d".repeat(40);
export const TIP = "e".repeat(40);
export const blob = (digit: string, mode: "100644" | "100755" = "100644") => ({ sha: digit.repeat(40), mode, size: 3 });

/** Git's id of `abc`, the content of every new file here. */
export const ABC = "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f";

/** A change set whose new blobs are all at hand. */
export function changeSet(changes: readonly FileChange[]): ChangeSet {
  const blobs = new Map(
    changes.flatMap(({ after }) => (after === undefined ? [] : [[after.sha, new TextEncoder().encode("abc")] as const])),
  );
  return { base: BASE, tree: TREE, changes, blobs, before: new Map() };
}
/** An edit and a deletion of plain files. */
export const PLAIN = changeSet([
  { path: "a.ts", before: blob("1"), after: { ...blob("2"), sha: ABC } },
  { path: "gone.ts", before: blob("3") },
]);
/** A file that becomes executable, and a deletion. */
export const MODES = changeSet([
  { path: "run.sh", before: blob("1"), after: { ...blob("2", "100755"), sha: ABC } },
  { path: "gone.ts", before: blob("3") },
]);
