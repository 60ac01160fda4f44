import type { DiffLine, Hunk } from "./diff-file.ts";

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/;

/**
 * Reads the hunks of one file's patch, as git prints it or as GitHub gives it in `patch`. A hunk ends by the counts of its header, never by
 * the look of a line: a difference of a difference is content. What is no hunk before the first one is passed over; a hunk that is cut
 * short keeps the lines that are there. Source: git-diff(1), "GENERATING PATCH TEXT".
 */
export function parseHunks(patch: string): readonly Hunk[] {
  const rows = patch.split("\n");
  const hunks: Hunk[] = [];
  for (let at = 0; at < rows.length;) {
    const header = HEADER.exec(rows[at] ?? "");
    at += 1;
    if (header === null) continue;
    const [, left = "", leftCount = "1", right = "", rightCount = "1", heading = ""] = header;
    const taken = takeLines(rows, at, {
      left: Number(left),
      right: Number(right),
      leftRest: Number(leftCount),
      rightRest: Number(rightCount),
    });
    hunks.push({ heading, lines: taken.lines });
    at = taken.end;
  }
  return hunks;
}

interface Counts {
  left: number;
  right: number;
  leftRest: number;
  rightRest: number;
}

function takeLines(rows: readonly string[], from: number, counts: Counts): { readonly lines: readonly DiffLine[]; readonly end: number } {
  const lines: DiffLine[] = [];
  let at = from;
  for (; at < rows.length && (counts.leftRest > 0 || counts.rightRest > 0); at += 1) {
    const row = rows[at] ?? "";
    if (row.startsWith("\\")) {
      markUnended(lines);
      continue;
    }
    const line = lineOf(row, counts, at === rows.length - 1);
    if (line === undefined) break;
    lines.push(line);
  }
  if (rows[at]?.startsWith("\\") === true) {
    markUnended(lines);
    at += 1;
  }
  return { lines, end: at };
}

/** The line of a row; undefined where the hunk is cut short. An empty row is an empty context line whose blank somebody took away. */
function lineOf(row: string, counts: Counts, isLast: boolean): DiffLine | undefined {
  const text = row.slice(1);
  if (row.startsWith("+") && counts.rightRest > 0) {
    counts.rightRest -= 1;
    return { kind: "added", right: counts.right++, text };
  }
  if (row.startsWith("-") && counts.leftRest > 0) {
    counts.leftRest -= 1;
    return { kind: "removed", left: counts.left++, text };
  }
  const isContext = row.startsWith(" ") || (row === "" && !isLast);
  if (!isContext || counts.leftRest === 0 || counts.rightRest === 0) return undefined;
  counts.leftRest -= 1;
  counts.rightRest -= 1;
  return { kind: "context", left: counts.left++, right: counts.right++, text };
}

function markUnended(lines: DiffLine[]): void {
  const last = lines.pop();
  if (last !== undefined) lines.push({ ...last, isUnended: true });
}
