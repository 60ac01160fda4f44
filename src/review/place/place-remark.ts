import type { DiffFile } from "../diff/diff-file.ts";
import type { Remark, Side } from "../remark.ts";
import { findFile } from "./find-file.ts";
import { commentableSpans, type Span } from "./lines.ts";

/** A place that GitHub takes for a review comment. Without `startLine` it is one line. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  readonly side: Side;
  /** Always less than `line`, on the same side and in the same hunk. */
  readonly startLine?: number;
}

export type Placed =
  | {
      readonly on: "line";
      readonly place: LinePlace;
      /** The lines that were meant, when they are more than the place holds. */
      readonly meant?: Span;
    }
  /** Nothing that GitHub would take: the remark is said in the review's body. `path` is the file's own name where the file is known. */
  | { readonly on: "body"; readonly path: string; readonly lines: Span | undefined; readonly side: Side; readonly why: string };

/**
 * Where a remark can stand. Lines that are not in the difference are never moved to ones that are: only a range is cut, to its part in the
 * last hunk that it reaches.
 */
export function placeRemark(remark: Pick<Remark, "path" | "line" | "startLine" | "side">, files: readonly DiffFile[]): Placed {
  const { side = "RIGHT" } = remark;
  const lines = linesOf(remark);
  const file = findFile(files, remark.path);
  const toBody = (why: string): Placed => ({ on: "body", path: file?.path ?? remark.path, lines, side, why });
  if (file === undefined) return toBody("the file is not part of the difference");
  if (lines === undefined) return toBody("it names no line");
  if (file.hunks.length === 0) return toBody(file.isBinary ? "the file is binary" : "no line of the file has changed");
  const span = commentableSpans(file, side).findLast(({ first, last }) => first <= lines.last && last >= lines.first);
  if (span === undefined) return toBody(lines.first === lines.last ? "the line is not part of the difference" : OUTSIDE);
  const first = Math.max(span.first, lines.first);
  const last = Math.min(span.last, lines.last);
  const place: LinePlace = { path: file.path, line: last, side, ...(first < last ? { startLine: first } : {}) };
  return { on: "line", place, ...(first > lines.first || last < lines.last ? { meant: lines } : {}) };
}

const OUTSIDE = "the lines are not part of the difference";

/** The lines that are meant, in order; undefined when they are no lines. */
function linesOf({ line, startLine }: Pick<Remark, "line" | "startLine">): Span | undefined {
  const isLine = (number: number): boolean => Number.isSafeInteger(number) && number >= 1;
  if (!isLine(line)) return undefined;
  if (startLine === undefined || !isLine(startLine)) return { first: line, last: line };
  return { first: Math.min(line, startLine), last: Math.max(line, startLine) };
}
