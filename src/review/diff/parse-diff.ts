import type { DiffFile } from "./diff-file.ts";
import { parseHunks } from "./parse-hunks.ts";

/** What git says about two commits. */
export interface GitDiff {
  /** `git diff-tree -r -M --raw -z`: names as they are, nothing quoted. */
  readonly raw: string;
  /** `git diff-tree -r -M -p` of the same commits: one patch for each file, in the same order; names quoted, so that a header is one line. */
  readonly patch: string;
  /** The patches end before their last one does: the last that is there cannot be trusted to be whole. */
  readonly isCut?: boolean;
}

/**
 * The files of a difference. Names and states are taken from the list alone, of the patches only the hunks. A file whose patch is not whole,
 * or is not known to be its own, gets no lines and says so: never those of another.
 */
export function parseDiff({ raw, patch, isCut = false }: GitDiff): readonly DiffFile[] {
  const entries = parseRaw(raw);
  const found = splitPatches(patch);
  const patches = isCut ? found.slice(0, -1) : found;
  const expected = entries.reduce((sum, entry) => sum + patchesOf(entry), 0);
  const isAligned = isCut || patches.length === expected;
  let at = 0;
  return entries.map((entry) => {
    const own = isAligned ? patches.slice(at, (at += patchesOf(entry))) : [];
    return own.length === patchesOf(entry) && own.every((one) => isOf(entry, one)) ? fileOf(entry, own) : unread(entry);
  });
}

/** Only a line feed ends a row: a carriage return or a separator of Unicode in a file's line begins no patch. */
function splitPatches(patch: string): readonly string[] {
  const found: string[] = [];
  for (let from = patch.startsWith(START) ? 0 : nextPatch(patch, 0); from >= 0;) {
    const next = nextPatch(patch, from);
    found.push(next < 0 ? patch.slice(from) : patch.slice(from, next));
    from = next;
  }
  return found;
}

function nextPatch(patch: string, from: number): number {
  const at = patch.indexOf(`\n${START}`, from);
  return at < 0 ? -1 : at + 1;
}

const START = "diff --git ";

/** A file that became a link, or the other way round, has two patches: all of one goes, all of the other comes. */
function patchesOf({ letter }: RawEntry): number {
  return letter === "T" ? 2 : 1;
}

/** Whether a patch can be an entry's, by the blobs that it names; one that changes no byte names none. */
function isOf({ letter, blobs }: RawEntry, patch: string): boolean {
  const [, before = "", after = ""] = /\nindex ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})/.exec(headerOf(patch)) ?? [];
  if (before === "") return true;
  return letter === "T" ? blobs.includes(before) || blobs.includes(after) : before === blobs[0] && after === blobs[1];
}

/** What stands before the first hunk. */
function headerOf(patch: string): string {
  const end = patch.indexOf("\n@@ ");
  return end < 0 ? patch.slice(0, LONGEST_HEADER) : patch.slice(0, end);
}

/** Two names, each quoted in three octal digits for a byte, and a few lines. */
const LONGEST_HEADER = 64 * 1024;

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

function unread(entry: RawEntry): DiffFile {
  return { ...namesOf(entry), isBinary: false, isUnread: true, hunks: [] };
}

function namesOf({ letter, modes, blobs, path, previousPath }: RawEntry): Omit<DiffFile, "isBinary" | "hunks"> {
  return { path, ...(previousPath === undefined ? {} : { previousPath }), status: STATUS[letter] ?? "modified", modes, blobs };
}

function fileOf(entry: RawEntry, patches: readonly string[]): DiffFile {
  const hunks = patches.flatMap((patch) => parseHunks(patch));
  return {
    ...namesOf(entry),
    isBinary: hunks.length === 0 && patches.some((patch) => /^(?:Binary files .* differ|GIT binary patch)$/m.test(patch)),
    hunks,
  };
}
