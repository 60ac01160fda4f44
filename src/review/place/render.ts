import { codeSpan } from "../../text/code-span.ts";
import type { DiffFile } from "../diff/diff-file.ts";
import type { Remark } from "../remark.ts";
import { findFile } from "./find-file.ts";
import type { Span } from "./lines.ts";
import { placeRemark, type LinePlace } from "./place-remark.ts";
import { renderSuggestion, splitBody, whyNotApplicable } from "./suggestion.ts";

/** A remark as GitHub gets it. */
export interface LineComment extends LinePlace {
  readonly body: string;
}

/** A remark that no line of the difference can hold, as a part of the review's body. */
export interface BodyRemark {
  readonly path: string;
  readonly text: string;
}

export interface PlacedReview {
  readonly comments: readonly LineComment[];
  readonly inBody: readonly BodyRemark[];
}

export interface PlaceOptions {
  readonly files: readonly DiffFile[];
  /** Where a file's lines can be looked at, at the commits that were read: an address, or undefined where there is none. */
  readonly linkTo: (path: string, side: "LEFT" | "RIGHT", lines: Span | undefined) => string | undefined;
}

/** Places every remark, in their order, each once: two that say the same of the same lines are one. None is ever lost. */
export function placeReview(remarks: readonly Remark[], options: PlaceOptions): PlacedReview {
  const comments: LineComment[] = [];
  const inBody: BodyRemark[] = [];
  const seen = new Set<string>();
  const isNew = (...parts: readonly unknown[]): boolean => seen.size < seen.add(JSON.stringify(parts)).size;
  for (const remark of remarks) {
    const placed = placeRemark(remark, options.files);
    const { words, suggestion } = splitBody(remark);
    const file = findFile(options.files, remark.path);
    const proposal = suggestion === undefined ? "" : renderSuggestion(suggestion, whyNotApplicable(suggestion, placed, file));
    const text = [words, proposal].filter((part) => part !== "").join("\n\n");
    if (placed.on === "line") {
      const body = placed.meant === undefined ? text : `(About lines ${rangeOf(placed.meant)}.) ${text}`;
      if (isNew(placed.place, body)) comments.push({ ...placed.place, body });
    } else {
      const where = whereOf(placed.path, placed.lines, placed.side);
      const link = options.linkTo(placed.path, placed.side, placed.lines);
      const heading = `**${where}**${link === undefined ? "" : ` ([look](${link}))`}`;
      if (isNew(where, text)) inBody.push({ path: placed.path, text: `${heading}\n\n${text}` });
    }
  }
  return { comments, inBody };
}

function whereOf(path: string, lines: Span | undefined, side: "LEFT" | "RIGHT"): string {
  const at = lines === undefined ? "" : `:${rangeOf(lines)}`;
  return `${codeSpan(`${path}${at}`)}${side === "LEFT" ? " (before the change)" : ""}`;
}

function rangeOf({ first, last }: Span): string {
  return first === last ? String(first) : `${first}–${last}`;
}
