import type { DiffFile, Hunk } from "../diff/diff-file.ts";

/** A part of one file's difference that is shown in one piece. */
export interface Piece {
  readonly file: DiffFile;
  readonly text: string;
  /** Changed lines in it. */
  readonly changed: number;
  /** Lines of which only the beginning is shown. */
  readonly cutLines: number;
  /** The place of its hunk among those of the file, from 0. */
  readonly hunk: number;
}

/** Characters of one line that are shown; minified code has lines of megabytes. */
const LONGEST_LINE = 2000;

/**
 * Cuts a file's hunks into pieces of at most `longest` characters, at line ends. Each line bears its number, of the new side for lines that
 * are there now and of the old side for those that are gone: nobody has to count.
 */
export function piecesOf(file: DiffFile, longest: number): readonly Piece[] {
  return file.hunks.flatMap((hunk, at) => cut(file, hunk, at, longest));
}

function cut(file: DiffFile, hunk: Hunk, at: number, longest: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let rows: string[] = [];
  let size = 0;
  let changed = 0;
  let cutLines = 0;
  const heading = hunk.heading === "" ? "@@" : `@@ ${bounded(hunk.heading)}`;
  const finish = (): void => {
    if (rows.length > 0) pieces.push({ file, text: [heading, ...rows].join("\n"), changed, cutLines, hunk: at });
    [rows, size, changed, cutLines] = [[], 0, 0, 0];
  };
  for (const line of hunk.lines) {
    const mark = { context: " ", added: "+", removed: "-" }[line.kind];
    const row = `${mark}${line.right ?? line.left} ${bounded(line.text)}${line.isUnended ? " (no line end)" : ""}`;
    if (size + row.length > longest) finish();
    rows.push(row);
    size += row.length + 1;
    if (line.kind === "context") continue;
    changed += 1;
    if (line.text.length > LONGEST_LINE) cutLines += 1;
  }
  finish();
  return pieces;
}

function bounded(text: string): string {
  const shown = text.replace(/\r$/, "");
  if (shown.length <= LONGEST_LINE) return shown;
  return `${shown.slice(0, LONGEST_LINE).toWellFormed()} [… ${shown.length - LONGEST_LINE} more characters]`;
}

/** The line above a file's pieces: its names, what happened to it. */
export function fileHeading({ path, previousPath, status, modes }: DiffFile): string {
  const mode = modes[0] !== modes[1] && modes[0] !== "000000" && modes[1] !== "000000" ? `, mode ${modes[0]} → ${modes[1]}` : "";
  const from = previousPath === undefined ? "" : ` from ${JSON.stringify(previousPath)}`;
  return `=== ${JSON.stringify(path)} (${status}${from}${mode})`;
}
