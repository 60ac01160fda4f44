import type { DiffFile } from "../diff/diff-file.ts";
import { riskOf } from "./risk.ts";
import { fileHeading, piecesOf, type Piece } from "./show-lines.ts";

/** What is read at once: some files, or some of one file. */
export interface Part {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** In which portions a difference is read, and what is not read at all. */
export interface ReadingPlan {
  readonly parts: readonly Part[];
  /** Files that are not for reading, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** Pieces for which there is no room. */
  readonly left: readonly Piece[];
  /** All files of the difference. */
  readonly files: number;
}

export interface PlanOptions {
  /** Why a file is not shown; undefined for one that is. */
  readonly whySkipped: (file: DiffFile) => string | undefined;
  /** Characters of one part. */
  readonly partSize: number;
  /** Most parts; what is beyond is left. */
  readonly mostParts: number;
}

/**
 * Orders a difference by risk and portions it: the riskiest files come first, so that a limit cuts the least important. A file stays in one
 * part where it fits.
 */
export function planReading(files: readonly DiffFile[], { whySkipped, partSize, mostParts }: PlanOptions): ReadingPlan {
  const skipped: { readonly path: string; readonly why: string }[] = [];
  const shown: DiffFile[] = [];
  for (const file of files) {
    const why = whySkipped(file);
    if (why === undefined) shown.push(file);
    else skipped.push({ path: file.path, why });
  }
  const order = shown.toSorted((a, b) => riskOf(b) - riskOf(a) || (a.path < b.path ? -1 : 1));
  const parts: Part[] = [];
  const left: Piece[] = [];
  let pieces: Piece[] = [];
  let size = 0;
  const finish = (): void => {
    if (pieces.length > 0) parts.push({ text: textOf(pieces), pieces });
    [pieces, size] = [[], 0];
  };
  for (const file of order) {
    const own = parts.length < mostParts ? piecesOf(file, Math.floor(partSize / 2)) : [];
    if (parts.length >= mostParts) left.push(...piecesOf(file, partSize));
    const whole = own.reduce((sum, { text }) => sum + text.length + 1, 0);
    // A new part is begun for a file that fits into one, rather than tearing it apart.
    if (size > 0 && size + whole > partSize && whole <= partSize) finish();
    for (const piece of own) {
      if (size + piece.text.length > partSize) finish();
      if (parts.length >= mostParts) left.push(piece);
      else {
        pieces.push(piece);
        size += piece.text.length + 1;
      }
    }
  }
  finish();
  return { parts, skipped, left, files: files.length };
}

function textOf(pieces: readonly Piece[]): string {
  const rows: string[] = [];
  let current: DiffFile | undefined;
  for (const { file, text } of pieces) {
    if (file !== current) rows.push(fileHeading(file));
    current = file;
    rows.push(text);
  }
  return rows.join("\n");
}
