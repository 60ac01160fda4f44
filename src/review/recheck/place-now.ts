/** Where the code that a remark was about was, as the difference showed it then. */
export interface Was {
  /** Rows of the hunk, each with its sign, down to the last line that the remark is about. */
  readonly hunk: readonly string[];
  /** How many lines it is about. */
  readonly lines: number;
}

/** Lines of the file that are shown around the place. */
const AROUND = 12;

/**
 * The lines that a remark on the new side was about; undefined where the hunk does not show them all. Lines that are blank for the most part
 * tell nothing: they stand anywhere.
 */
export function linesThen({ hunk, lines }: Was): readonly string[] | undefined {
  const shown = hunk.filter((row) => /^[+ ]/.test(row)).map((row) => textOf(row.slice(1)));
  const own = shown.slice(-lines);
  return own.length === lines && own.some((row) => /[\p{L}\p{N}]/u.test(row)) ? own : undefined;
}

/** Whether those lines still stand in a file, one after the other, wherever they have moved. White space at their ends and depth count for nothing. */
export function standsIn(then: readonly string[], text: string): boolean {
  const rows = text.split("\n").map((row) => textOf(row).trim());
  const wanted = then.map((row) => row.trim());
  return rows.some((_, at) => wanted.every((row, index) => rows[at + index] === row));
}

/**
 * The place where the lines were, as the file is now: around the nearest line above them that is there once and only once, numbered. Undefined
 * where no such line is left.
 */
export function placeNow(was: Was, text: string): string | undefined {
  const rows = text.split("\n").map(textOf);
  const shown = was.hunk.filter((row) => /^[+ ]/.test(row)).map((row) => textOf(row.slice(1)));
  for (const [back, row] of shown.slice(0, -was.lines).reverse().entries()) {
    if (row.trim().length < 4 || rows.indexOf(row) < 0 || rows.indexOf(row) !== rows.lastIndexOf(row)) continue;
    const from = Math.max(0, rows.indexOf(row) + back + 1 - AROUND);
    return numbered(rows, from, from + 2 * AROUND + was.lines);
  }
  return undefined;
}

function numbered(rows: readonly string[], from: number, to: number): string {
  return rows
    .slice(from, to)
    .map((row, at) => `${from + at + 1} ${row}`)
    .join("\n");
}

function textOf(row: string): string {
  return row.replace(/\r$/, "");
}
