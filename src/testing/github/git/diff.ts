import { gitText, runGit } from "./run-git.ts";

/** A file of a difference as GitHub lists it; `patch` is absent for binaries and pure renames. */
export interface DiffFile {
  readonly sha: string;
  readonly filename: string;
  readonly status: "added" | "removed" | "modified" | "renamed" | "changed";
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  readonly previous_filename?: string;
  readonly patch?: string;
}

/** Type changes (a file that became a link) have two patches; GitHub shows them as `changed`. */
const STATUS: Record<string, DiffFile["status"]> = { A: "added", D: "removed", M: "modified", T: "changed", R: "renamed", C: "renamed" };

/** The files that differ between the merge base of two commits and the second, as GitHub compares them. */
export function diffFiles(gitDirectory: string, base: string, head: string): DiffFile[] {
  const range = `${base}...${head}`;
  const counts = readCounts(gitText(gitDirectory, ["diff", "-M", "--numstat", "-z", range]));
  const patches = gitText(gitDirectory, ["diff", "-M", range])
    .split(/^(?=diff --git )/m)
    .filter((patch) => patch !== "");
  const entries = readRaw(runGit(gitDirectory, ["diff", "-M", "--raw", "-z", "--no-abbrev", range]).toString());
  const aligned = patches.length === entries.length;
  return entries.map((entry, at) => {
    const { additions, deletions } = counts.get(entry.filename) ?? { additions: 0, deletions: 0 };
    const paths = [...(entry.previous === undefined ? [] : [entry.previous]), entry.filename];
    const whole = aligned ? (patches[at] ?? "") : gitText(gitDirectory, ["diff", "-M", range, "--", ...paths]);
    const start = whole.indexOf("\n@@");
    return {
      sha: entry.sha,
      filename: entry.filename,
      status: STATUS[entry.letter] ?? "modified",
      additions,
      deletions,
      changes: additions + deletions,
      ...(entry.previous === undefined ? {} : { previous_filename: entry.previous }),
      ...(start < 0 ? {} : { patch: whole.slice(start + 1).replace(/\n$/, "") }),
    };
  });
}

interface RawEntry {
  readonly sha: string;
  readonly letter: string;
  readonly filename: string;
  readonly previous?: string;
}

function readRaw(raw: string): RawEntry[] {
  const tokens = raw.split("\0");
  const entries: RawEntry[] = [];
  for (let at = 0; at < tokens.length - 1;) {
    const [, , before = "", after = "", score = "M"] = tokens[at]?.split(" ") ?? [];
    const letter = score.slice(0, 1);
    const renamed = letter === "R" || letter === "C";
    const filename = tokens[at + (renamed ? 2 : 1)] ?? "";
    entries.push({ sha: letter === "D" ? before : after, letter, filename, ...(renamed ? { previous: tokens[at + 1] ?? "" } : {}) });
    at += renamed ? 3 : 2;
  }
  return entries;
}

function readCounts(numstat: string): Map<string, { additions: number; deletions: number }> {
  const counts = new Map<string, { additions: number; deletions: number }>();
  const tokens = numstat.split("\0");
  for (let at = 0; at < tokens.length - 1; at += 1) {
    const [added = "0", removed = "0", path = ""] = tokens[at]?.split("\t") ?? [];
    // A rename's line ends before its path: the old and the new name follow as tokens of their own.
    const name = path === "" ? (tokens[at + 2] ?? "") : path;
    if (path === "") at += 2;
    counts.set(name, { additions: Number(added) || 0, deletions: Number(removed) || 0 });
  }
  return counts;
}

/** The lines of a patch that a review comment may name, each with the number of its hunk. */
export interface CommentableLines {
  readonly LEFT: ReadonlyMap<number, number>;
  readonly RIGHT: ReadonlyMap<number, number>;
}

export function commentableLines(patch: string): CommentableLines {
  const lines = { LEFT: new Map<number, number>(), RIGHT: new Map<number, number>() };
  let left = 0;
  let right = 0;
  let hunk = -1;
  for (const line of patch.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header) {
      left = Number(header[1]);
      right = Number(header[2]);
      hunk += 1;
    } else if (line.startsWith("+")) lines.RIGHT.set(right++, hunk);
    else if (line.startsWith("-")) lines.LEFT.set(left++, hunk);
    else if (line.startsWith(" ")) {
      lines.LEFT.set(left++, hunk);
      lines.RIGHT.set(right++, hunk);
    }
  }
  return lines;
}

/** The hunk of a patch as far as one line of it: what GitHub shows above a remark on that line. Empty where the patch has no such line. */
export function hunkUpTo(patch: string, side: "LEFT" | "RIGHT", line: number): string {
  let rows: string[] = [];
  const at = { LEFT: 0, RIGHT: 0 };
  for (const row of patch.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row);
    if (header !== null) {
      rows = [row];
      [at.LEFT, at.RIGHT] = [Number(header[1]), Number(header[2])];
      continue;
    }
    rows.push(row);
    const sides = row.startsWith("+") ? (["RIGHT"] as const) : row.startsWith("-") ? (["LEFT"] as const) : (["LEFT", "RIGHT"] as const);
    if (row.startsWith("\\")) continue;
    if (sides.some((one) => one === side) && at[side] === line) return rows.join("\n");
    for (const one of sides) at[one] += 1;
  }
  return "";
}
