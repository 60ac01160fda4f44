import type { DiffFile } from "../../review/diff/diff-file.ts";
import type { Span } from "../../review/place/lines.ts";
import { fileHeading, piecesOf } from "../../review/read/show-lines.ts";
import type { Side } from "../../review/remark.ts";
import { blobMap } from "../../workspace/read-blobs.ts";
import type { Store } from "../../workspace/store.ts";

/** Bytes of a file that is read, lines of it around the ones that are meant, and characters of the hunk. */
const LARGEST = 1024 * 1024;
const AROUND = 60;
const LONGEST_HUNK = 10_000;
const LONGEST_LINE = 400;

/** A changed file as it was or is; undefined when it is too large, or not there. */
export async function sideText(file: DiffFile, side: Side, { git, gitDir }: Store, signal: AbortSignal): Promise<string | undefined> {
  const sha = file.blobs[side === "LEFT" ? 0 : 1];
  const mode = file.modes[side === "LEFT" ? 0 : 1];
  if (!mode.startsWith("100")) return undefined;
  const bytes = (await blobMap({ git, gitDir, shas: [sha], maxBytes: LARGEST, signal })).get(sha);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

/** What is shown of the code that a remark is about: its hunk, and the lines of the file around it, numbered. */
export function codeAtHand(file: DiffFile, side: Side, lines: Span, text: string | undefined): string {
  const isOf = (line: { readonly left?: number; readonly right?: number }): boolean => {
    const number = side === "LEFT" ? line.left : line.right;
    return number !== undefined && number >= lines.first && number <= lines.last;
  };
  const hunks = file.hunks.filter((hunk) => hunk.lines.some(isOf));
  const shown = piecesOf({ ...file, hunks }, LONGEST_HUNK)
    .slice(0, 2)
    .map((piece) => piece.text);
  const rows = text?.split("\n") ?? [];
  const from = Math.max(0, lines.first - 1 - AROUND);
  const around = rows.slice(from, lines.last + AROUND).map((row, at) => `${from + at + 1} ${row.slice(0, LONGEST_LINE).toWellFormed()}`);
  const state = side === "LEFT" ? "before" : "after";
  return [
    fileHeading(file),
    ...shown,
    ...(around.length === 0 ? [] : [`--- the file ${state} the change, lines ${from + 1} to ${from + around.length}`, ...around]),
  ].join("\n");
}
