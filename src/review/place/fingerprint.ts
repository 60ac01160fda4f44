import { oneLine } from "../../text/code-span.ts";
import type { DiffFile } from "../diff/diff-file.ts";
import type { Remark } from "../remark.ts";
import { claimOf } from "../sift/phrase.ts";
import { findFile } from "./find-file.ts";
import { lineText } from "./lines.ts";
import { splitBody } from "./suggestion.ts";

/** What is kept of a remark to know it again: where the code has moved, in other words, after a rename. */
export interface Fingerprint {
  readonly path: string;
  /** The line's own text without the white space around it; absent where the difference does not show it. */
  readonly code?: string;
  /** The remark's words, in lower case, without marks. */
  readonly words: string;
  /** People have waved it away: what is said of that line in similar words is the same once more. */
  readonly isDismissed?: true;
}

/** Characters of a line and of words that are kept. */
const LONGEST = 500;
/** Characters of a remark's words by which it is known in a body: where many stand in one, each may be cut. */
const TELLING = 120;
/** Share of common words from which two remarks about one line are one. */
const SAME_WORDS = 0.5;
/** The same, once people have waved one of them away. */
const SIMILAR_WORDS = 0.25;

export function fingerprintOf(remark: Remark, files: readonly DiffFile[]): Fingerprint {
  const file = findFile(files, remark.path);
  const code = file === undefined ? undefined : lineText(file, remark.side ?? "RIGHT", remark.line)?.trim();
  const words = wordsOf(claimOf(splitBody(remark).words))
    .join(" ")
    .slice(0, LONGEST);
  return { path: file?.path ?? remark.path, ...(code === undefined || code === "" ? {} : { code: code.slice(0, LONGEST) }), words };
}

/** What is known of a remark that stands on GitHub: its file, the line's text, and the body as it was published. */
export function fingerprintOfPublished({
  path,
  code,
  body,
  isDismissed,
}: {
  readonly path: string;
  readonly code?: string;
  readonly body: string;
  readonly isDismissed?: true;
}): Fingerprint {
  const line = code?.trim();
  const words = wordsOf(claimOf(splitBody({ body }).words.replace(/^\(About lines [^)]{1,40}\) /, "")));
  return {
    path,
    ...(line === undefined || line === "" ? {} : { code: line.slice(0, LONGEST) }),
    words: words.join(" ").slice(0, LONGEST),
    ...(isDismissed === undefined ? {} : { isDismissed }),
  };
}

/** Whether a review's body says a remark already: its file and its words stand there. */
export function isSaidIn(body: string, { path, words }: Fingerprint): boolean {
  return words !== "" && body.includes(path) && ` ${wordsOf(body).join(" ")}`.includes(` ${words.slice(0, TELLING)}`);
}

/**
 * Whether a remark was made before: in the same file (under one of its names), about a line with the same text, in the same words or in
 * mostly the same; without a known line only in the same words. Of one that people have waved away, similar words are enough.
 */
export function isSameRemark(one: Fingerprint, other: Fingerprint, namesOf: (path: string) => readonly string[] = () => []): boolean {
  if (one.path !== other.path && !namesOf(one.path).includes(other.path)) return false;
  if (one.code === undefined || other.code === undefined) return one.words === other.words;
  const least = one.isDismissed === true || other.isDismissed === true ? SIMILAR_WORDS : SAME_WORDS;
  return one.code === other.code && (one.words === other.words || overlap(one.words, other.words) >= least);
}

function wordsOf(text: string): readonly string[] {
  return (
    oneLine(text.normalize("NFKC"))
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}

/** Common words of both, as a share of all. */
function overlap(one: string, other: string): number {
  const [a, b] = [new Set(one.split(" ")), new Set(other.split(" "))];
  const all = new Set([...a, ...b]).size;
  return all === 0 ? 1 : [...a].filter((word) => b.has(word)).length / all;
}
