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
  /** What of which files there is no room for. */
  readonly left: readonly Left[];
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
  /** Most files; the others are left. */
  readonly mostFiles?: number | undefined;
}

/**
 * Orders a difference by risk and portions it: the riskiest files come first, so that a limit cuts the least important. A file stays in one
 * part where it fits; what a single one has beyond its share of the room comes after all others, so that it hides none of them.
 */
export function planReading(files: readonly DiffFile[], options: PlanOptions): ReadingPlan {
  const { whySkipped, partSize, mostParts, mostFiles = Number.POSITIVE_INFINITY } = options;
  const skipped: { readonly path: string; readonly why: string }[] = [];
  const shown: DiffFile[] = [];
  for (const file of files) {
    const why = whySkipped(file);
    if (why === undefined) shown.push(file);
    else skipped.push({ path: file.path, why });
  }
  const order = byRisk(shown);
  const portions = openPortions(partSize, mostParts);
  const left: Left[] = [];
  const later: Piece[][] = [];
  const share = Math.max(1, Math.floor(mostParts / 4)) * partSize;
  for (const [at, file] of order.entries()) {
    if (file.isUnread === true || at >= mostFiles || portions.isFull()) {
      left.push({ file, changed: changedLines(file) });
      continue;
    }
    const [own, beyond] = splitAt(piecesOf(file, Math.floor(partSize / 2)), share);
    if (beyond.length > 0) later.push(beyond);
    left.push(...portions.take(own));
  }
  for (const beyond of later) left.push(...portions.take(beyond));
  return { parts: portions.parts(), skipped, left, files: files.length };
}

type Left = Pick<Piece, "file" | "changed">;

/** Parts that fill up one after the other. */
function openPortions(partSize: number, mostParts: number) {
  const parts: Part[] = [];
  let pieces: Piece[] = [];
  let size = 0;
  const finish = (): void => {
    if (pieces.length > 0) parts.push({ text: textOf(pieces), pieces });
    [pieces, size] = [[], 0];
  };
  return {
    isFull: (): boolean => parts.length >= mostParts,
    /** Takes what there is room for, and answers the rest. */
    take(own: readonly Piece[]): readonly Left[] {
      const whole = own.reduce((sum, { text }) => sum + text.length + 1, 0);
      // A new part is begun for a file that fits into one, rather than tearing it apart.
      if (size > 0 && size + whole > partSize && whole <= partSize) finish();
      const left: Left[] = [];
      for (const piece of own) {
        if (size + piece.text.length > partSize) finish();
        if (parts.length >= mostParts) left.push({ file: piece.file, changed: piece.changed });
        else {
          pieces.push(piece);
          size += piece.text.length + 1;
        }
      }
      return left;
    },
    parts(): readonly Part[] {
      finish();
      return parts;
    },
  };
}

/** Pieces up to a number of characters, and those behind them. */
function splitAt(pieces: readonly Piece[], room: number): readonly [within: Piece[], beyond: Piece[]] {
  let size = 0;
  const end = pieces.findIndex(({ text }) => (size += text.length + 1) > room);
  return end < 0 ? [[...pieces], []] : [pieces.slice(0, Math.max(1, end)), pieces.slice(Math.max(1, end))];
}

/** The files in the order in which they are read. */
export function byRisk(files: readonly DiffFile[]): readonly DiffFile[] {
  const risks = new Map(files.map((file) => [file, riskOf(file)]));
  return files.toSorted((a, b) => (risks.get(b) ?? 0) - (risks.get(a) ?? 0) || (a.path < b.path ? -1 : 1));
}

function changedLines({ hunks }: DiffFile): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== "context").length, 0);
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
