import { createHash } from "node:crypto";
import { stripHidden } from "../text/hidden.ts";

/** Where a piece of text comes from, and who could have written it. */
export interface Piece {
  /** `issue #1 body`, `comment`. */
  readonly origin: string;
  readonly author?: string;
  /**
   * `asker`: wrote the request and holds the permission. `thread`: anybody who can comment. `run`: this run, of what it did and read.
   * `kept`: a run, and a person has said that others may know it. `repository`: the maintainers, on the base branch.
   */
  readonly trust: "asker" | "thread" | "run" | "kept" | "repository";
  readonly text: string;
  /** Most characters that are shown; what is cut says so. */
  readonly longest?: number;
}

/**
 * Wraps untrusted pieces so that no piece can end its own envelope: the tags carry a boundary that is a function of the run and of all texts
 * (a resumed run builds the same bytes) and that occurs in none of them. Hidden characters and HTML comments are taken out.
 */
export function wrapPieces(runId: string, pieces: readonly Piece[]): string[] {
  const shown = pieces.map(({ text, longest }) => cut(stripHidden(text).toWellFormed(), longest));
  const boundary = boundaryFor(runId, shown);
  return pieces.map(({ origin, author, trust }, at) => {
    const by = author === undefined ? "" : ` author="${attribute(author)}"`;
    return `<untrusted-${boundary} origin="${attribute(origin)}"${by} trust="${trust}">\n${shown[at] ?? ""}\n</untrusted-${boundary}>`;
  });
}

function boundaryFor(runId: string, texts: readonly string[]): string {
  for (let round = 0; ; round++) {
    const boundary = createHash("sha256")
      .update(JSON.stringify([runId, round, texts]))
      .digest("hex")
      .slice(0, 16);
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}

function cut(text: string, longest = Number.POSITIVE_INFINITY): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}\n[… ${text.length - longest} characters left out …]`;
}

function attribute(value: string): string {
  return stripHidden(value)
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")
    .replace(/["<>&]/g, "'")
    .slice(0, 200)
    .toWellFormed();
}
