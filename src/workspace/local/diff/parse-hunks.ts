import { DiffError } from "./diff-error.ts";
import type { DiffLines } from "./diff-lines.ts";
import type { Hunk, HunkLine } from "./file-patch.ts";

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Reads the hunks that stand here: exactly as many lines as their headers say. @throws {DiffError} */
export function parseHunks(lines: DiffLines): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (let line = lines.header(); line !== undefined && line.startsWith("@@"); line = lines.header()) {
    const header = HEADER.exec(line);
    if (header === null) throw new DiffError("has a hunk header that cannot be read", { line: lines.number });
    const [, oldStart = "", oldCount = "1", , newCount = "1"] = header;
    const hunk = { line: lines.number, oldStart: Number(oldStart), oldCount: Number(oldCount), newCount: Number(newCount) };
    lines.step();
    hunks.push({ ...hunk, lines: parseLines(lines, hunk) });
  }
  return hunks;
}

function parseLines(lines: DiffLines, { line, oldCount, newCount }: Omit<Hunk, "lines">): readonly HunkLine[] {
  const found: HunkLine[] = [];
  let before = oldCount;
  let after = newCount;
  for (;;) {
    const raw = lines.raw();
    // `\ No newline at end of file`, in whatever language: it speaks of the line above.
    if (raw?.startsWith("\\ ")) {
      const last = found.pop();
      if (last === undefined || !last.text.endsWith("\n")) throw new DiffError("speaks of a missing line end where no line is", { line });
      found.push({ ...last, text: last.text.slice(0, -1) });
      lines.step();
      continue;
    }
    if (before === 0 && after === 0) return found;
    const operation = raw === "" || raw === "\r" ? " " : raw?.charAt(0);
    if (raw === undefined || (operation !== " " && operation !== "-" && operation !== "+")) {
      throw new DiffError(`breaks off: the hunk that begins here lacks ${Math.max(before, after)} lines`, { line });
    }
    if (operation !== "+") before -= 1;
    if (operation !== "-") after -= 1;
    if (before < 0 || after < 0) throw new DiffError("has more lines in the hunk that begins here than its header says", { line });
    // Some programs drop the blank of an empty line that did not change.
    found.push({ operation, text: `${raw === "" || raw === "\r" ? raw : raw.slice(1)}\n` });
    lines.step();
  }
}
