import type { DiffFile, Hunk } from "../diff/diff-file.ts";
import { enclosing, type Enclosing } from "./enclosing.ts";

/** Says which declarations stand around a line of a file, the outermost first; undefined where it does not know. */
export type FindEnclosing = (path: string, lines: readonly string[], line: number) => readonly Enclosing[] | undefined;

const LONGEST_NAME = 120;

/**
 * Names over each hunk the declarations in which its first change stands, as far as the hunk itself does not show them. Git names the last line
 * before the hunk that begins with a letter: of a method its class, and of a change below a declaration the one above.
 * @param text the file as it is now
 */
export function headHunks(file: DiffFile, text: string, find: FindEnclosing = enclosing): DiffFile {
  const lines = text.split("\n");
  return { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, heading: headingOf(file.path, lines, hunk, find) })) };
}

function headingOf(path: string, lines: readonly string[], hunk: Hunk, find: FindEnclosing): string {
  const first = hunk.lines.find(({ right }) => right !== undefined)?.right;
  const place = firstChange(hunk);
  if (first === undefined || place === undefined) return hunk.heading;
  const around = find(path, lines, place);
  if (around === undefined || around.length === 0) return hunk.heading;
  return around
    .filter(({ line }) => line < first)
    .map(({ text }) => (text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 1).toWellFormed()}…`).replace(/\s*\{$/, ""))
    .join(" › ");
}

/** The line on the new side where a hunk's first change stands: of lines that are gone, the line that followed them, else the one before. */
function firstChange({ lines }: Hunk): number | undefined {
  const at = lines.findIndex(({ kind }) => kind !== "context");
  return lines.slice(at).find(({ right }) => right !== undefined)?.right ?? lines.slice(0, at).at(-1)?.right;
}
