import type { DiffFile } from "./diff-file.ts";
import { parseHunks } from "./parse-hunks.ts";

/** What git says about two commits. */
export interface GitDiff {
  /** `git diff-tree -r -M --raw -z`: names as they are, nothing quoted. */
  readonly raw: string;
  /** `git diff-tree -r -M -p` of the same commits: one patch for each file, in the same order; names quoted, so that a header is one line. */
  readonly patch: string;
}

/**
 * The files of a difference. Names and states are taken from the list alone, of the patches only the hunks. Should the patches not fit the
 * list, no file gets lines: never those of another.
 */
export function parseDiff({ raw, patch }: GitDiff): readonly DiffFile[] {
  const entries = parseRaw(raw);
  const patches = patch.split(/^(?=diff --git )/m).filter((one) => one.startsWith("diff --git "));
  // A file that became a link, or the other way round, has two patches: all of one goes, all of the other comes.
  const expected = entries.reduce((sum, { letter }) => sum + (letter === "T" ? 2 : 1), 0);
  const isAligned = patches.length === expected;
  let at = 0;
  return entries.map((entry) => {
    const own = patches.slice(at, (at += entry.letter === "T" ? 2 : 1));
    return fileOf(entry, isAligned ? own : []);
  });
}

interface RawEntry {
  readonly letter: string;
  readonly modes: readonly [string, string];
  readonly blobs: readonly [string, string];
  readonly path: string;
  readonly previousPath?: string;
}

const STATUS: Readonly<Record<string, DiffFile["status"]>> = { A: "added", D: "removed", T: "type-changed", R: "renamed", C: "added" };

function parseRaw(raw: string): readonly RawEntry[] {
  const entries: RawEntry[] = [];
  const tokens = raw.split("\0");
  for (let at = 0; tokens[at]?.startsWith(":") === true;) {
    const [before = "", after = "", from = "", to = "", score = "M"] = (tokens[at] ?? "").slice(1).split(" ");
    const letter = score.charAt(0);
    const hasTwo = letter === "R" || letter === "C";
    const [first = "", second = ""] = [tokens[at + 1], tokens[at + 2]];
    const names = hasTwo ? { path: second, ...(letter === "R" ? { previousPath: first } : {}) } : { path: first };
    entries.push({ letter, modes: [before, after], blobs: [from, to], ...names });
    at += hasTwo ? 3 : 2;
  }
  return entries;
}

function fileOf({ letter, modes, blobs, path, previousPath }: RawEntry, patches: readonly string[]): DiffFile {
  const hunks = patches.flatMap((patch) => parseHunks(patch));
  return {
    path,
    ...(previousPath === undefined ? {} : { previousPath }),
    status: STATUS[letter] ?? "modified",
    modes,
    blobs,
    isBinary: hunks.length === 0 && patches.some((patch) => /^(?:Binary files .* differ|GIT binary patch)$/m.test(patch)),
    hunks,
  };
}
