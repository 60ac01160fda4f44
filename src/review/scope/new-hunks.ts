import type { DiffFile, Hunk } from "../diff/diff-file.ts";

/**
 * What of a difference was not in an earlier one of the same pull request: the hunks in which some changed line is new. It compares what the
 * lines say and not where they stand, so that a rebase, a forced push or a merge of the base shows nothing again that was read before, and
 * nothing of the base's own. Files of which nothing is new are left out.
 */
export function newHunks(now: readonly DiffFile[], before: readonly DiffFile[]): readonly DiffFile[] {
  const known = new Map(before.flatMap((file) => [file.path, file.previousPath ?? file.path].map((path) => [path, file] as const)));
  return now.flatMap((file) => {
    const earlier = known.get(file.path) ?? (file.previousPath === undefined ? undefined : known.get(file.previousPath));
    if (earlier === undefined) return [file];
    if (earlier.blobs[0] === file.blobs[0] && earlier.blobs[1] === file.blobs[1]) return [];
    const seen = changedLines(earlier.hunks);
    const hunks = file.hunks.filter((hunk) => takesNew(hunk, seen));
    if (hunks.length > 0) return [{ ...file, hunks }];
    // Without lines (a binary file, a mode) there is only the fact that it is another one.
    return file.hunks.length === 0 && earlier.blobs[1] !== file.blobs[1] ? [file] : [];
  });
}

/** How often each changed line occurs: a line that came once more is new. */
function changedLines(hunks: readonly Hunk[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of hunks.flatMap(({ lines }) => lines)) {
    if (line.kind === "context") continue;
    const key = keyOf(line);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Whether a hunk has a changed line that was not there; what it has is taken from `seen`. */
function takesNew({ lines }: Hunk, seen: Map<string, number>): boolean {
  let isNew = false;
  for (const line of lines) {
    if (line.kind === "context") continue;
    const key = keyOf(line);
    const left = seen.get(key) ?? 0;
    if (left === 0) isNew = true;
    else seen.set(key, left - 1);
  }
  return isNew;
}

function keyOf({ kind, text }: Hunk["lines"][number]): string {
  return `${kind === "added" ? "+" : "-"}${text}`;
}
