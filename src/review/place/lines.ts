import type { DiffFile, Hunk } from "../diff/diff-file.ts";
import type { Side } from "../remark.ts";

/** The lines of one hunk on one side, first and last; they follow each other without a gap. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines of a file that a review comment may name on one side, hunk by hunk: those that changed and the unchanged ones around them.
 * Source: REST API, "Create a review for a pull request"; a range must lie within one hunk.
 */
export function commentableSpans(file: Pick<DiffFile, "hunks">, side: Side): readonly Span[] {
  return file.hunks.flatMap((hunk) => spanOf(hunk, side) ?? []);
}

function spanOf({ lines }: Hunk, side: Side): Span | undefined {
  const numbers = lines.flatMap((line) => (side === "LEFT" ? line.left : line.right) ?? []);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** The text of a line as far as the difference shows it, without its line end. */
export function lineText(file: Pick<DiffFile, "hunks">, side: Side, line: number): string | undefined {
  for (const hunk of file.hunks) {
    const found = hunk.lines.find((one) => (side === "LEFT" ? one.left : one.right) === line);
    if (found !== undefined) return found.text.replace(/\r$/, "");
  }
  return undefined;
}
