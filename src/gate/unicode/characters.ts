import { findInvisible } from "../../text/hidden.ts";
import type { FileKind, FileText } from "./file-text.ts";

/** A character that deceives whoever reads the file, or may. */
export interface Oddity {
  readonly severity: "block" | "warn";
  /** What it is, for people: `direction controls`. */
  readonly what: string;
  readonly character: string;
  /** UTF-16 units. */
  readonly index: number;
}
type Verdict = Pick<Oddity, "severity" | "what"> | undefined;

const PLAIN = /^[\t\n\u0020-\u007e]*$/;
/** What shows nothing, or another thing on another machine, besides what `findInvisible` knows; and a return that no line feed follows. */
const OTHER = /[\p{Zl}\p{Zp}\p{Co}]|(?!\p{Default_Ignorable_Code_Point})\p{Cn}|\r(?!\n)/gu;
const DIRECTION = /^[\u202a-\u202e\u2066-\u2069]$/;
const OVERRIDE = /^[\u202d\u202e]$/;
const MARK = /^[\u200e\u200f\u061c]$/;
const SELECTOR = /^\p{Variation_Selector}$/u;
const RIGHT_TO_LEFT = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Scripts without blanks between words, in which a zero-width space says where a line may break. */
const UNSPACED =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}]/u;
/** C1 controls by which a terminal is steered, as by ESC. Source: ECMA-48. */
const STEERING = /^[\u0090\u0098\u009b\u009d-\u009f]$/;
/** Hidden characters in a row from this length on carry data: no text has them. */
const ROW = 3;

/** All odd characters of a text, in their order. A mark at the very start is none. Linear in the text's length. */
export function findOddities({ text, kind }: FileText): readonly Oddity[] {
  if (PLAIN.test(text)) return [];
  const hidden = findInvisible(text).filter(({ character, index }) => !(index === 0 && character === "\ufeff"));
  const rows = rowsOf(hidden);
  const found = hidden.flatMap(({ character, index }) => {
    const verdict: Verdict = rows.has(index)
      ? { severity: "block", what: "a row of invisible characters, which can carry hidden text" }
      : judgeHidden(character, index, text, kind);
    return verdict === undefined ? [] : [{ ...verdict, character, index }];
  });
  const others = [...text.matchAll(OTHER)].map(({ 0: character, index }) => ({
    ...judgeOther(character, index, text, kind),
    character,
    index,
  }));
  return [...found, ...others].sort((a, b) => a.index - b.index);
}

/** Where hidden characters stand three or more in a row. Line ends and blanks end a row. */
function rowsOf(hidden: ReturnType<typeof findInvisible>): ReadonlySet<number> {
  const rows = new Set<number>();
  let row: number[] = [];
  let next = -1;
  for (const { character, index } of hidden) {
    if (index !== next) row = [];
    row.push(index);
    next = index + character.length;
    if (row.length >= ROW) for (const at of row.length === ROW ? row : [index]) rows.add(at);
  }
  return rows;
}

function judgeHidden(character: string, index: number, text: string, kind: FileKind): Verdict {
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + character.length, index + character.length + 2);
  const isInWord = /[A-Za-z0-9_$]$/.test(before) && /^[A-Za-z0-9_$]/.test(after);
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return judgeControl(character);
  if (code >= 0x80 && code < 0xa0) {
    return { severity: STEERING.test(character) ? "block" : "warn", what: "control characters" };
  }
  if (DIRECTION.test(character)) {
    if (kind === "translation" && !OVERRIDE.test(character) && isBalanced(lineAround(text, index))) return undefined;
    return { severity: "block", what: "direction controls, by which text shows in another order than it has (CVE-2021-42574)" };
  }
  if (MARK.test(character)) {
    if (kind === "translation" || RIGHT_TO_LEFT.test(lineAround(text, index))) return undefined;
    return { severity: "warn", what: "direction marks" };
  }
  if (code >= 0xe0000 && code <= 0xe007f) return { severity: "block", what: "tag characters, which people do not see and models read" };
  if (SELECTOR.test(character)) {
    if (!/^[\ufe0e\ufe0f]$/.test(character))
      return { severity: "block", what: "variation selectors that select nothing and can carry data" };
    return kind === "code" ? { severity: "warn", what: "variation selectors that select nothing" } : undefined;
  }
  return judgeZeroWidth(character, { before, after, isInWord, kind });
}

function judgeControl(character: string): Verdict {
  // A form feed on its own is an old way to part sections.
  if (character === "\f") return undefined;
  const why =
    character === "\0"
      ? "zero bytes, by which it is shown as binary and not reviewed"
      : "control characters, which hide text in a terminal";
  return { severity: "block", what: why };
}

interface Place {
  readonly before: string;
  readonly after: string;
  /** Between two characters of one ASCII word. */
  readonly isInWord: boolean;
  readonly kind: FileKind;
}

function judgeZeroWidth(character: string, { before, after, isInWord, kind }: Place): Verdict {
  const block: Verdict = { severity: "block", what: "invisible characters" };
  const warn: Verdict = { severity: "warn", what: "invisible characters" };
  const isWritten = kind !== "code";
  switch (character) {
    case "\ufeff":
      return isInWord ? block : { severity: "warn", what: "a byte order mark that is not at the start" };
    case "\u00ad":
      return isWritten ? undefined : warn;
    case "\u200b":
      if (UNSPACED.test(before) && UNSPACED.test(after)) return undefined;
      return isInWord || !isWritten ? block : warn;
    case "\u200c":
    case "\u200d":
      // Before a blank, or after another sign, it is a slip of the pen in these scripts.
      if (JOINING.test(before)) return isWritten ? undefined : warn;
      return isInWord || !isWritten ? block : warn;
    case "\u2060":
    case "\u034f":
    case "\u180e":
      return isInWord || !isWritten ? block : undefined;
    case "\u115f":
    case "\u1160":
      return /\p{Script=Hangul}/u.test(before + after) ? undefined : block;
    case "\u3164":
    case "\uffa0":
      return block;
    default:
      return isWritten && !isInWord ? warn : block;
  }
}

function judgeOther(character: string, index: number, text: string, kind: FileKind): NonNullable<Verdict> {
  if (character === "\r") {
    // Twice in a row before a line feed is what a conversion leaves that ran twice; it hides nothing.
    if (text[index + 1] === "\r" && text[index + 2] === "\n") return { severity: "warn", what: "line ends with two carriage returns" };
    return { severity: "block", what: "carriage returns without a line feed, which hide a line where changes are shown" };
  }
  if (/^[\p{Zl}\p{Zp}]$/u.test(character)) {
    return {
      severity: kind === "code" ? "block" : "warn",
      what: "line separators, which end a line for the program and not for the reader",
    };
  }
  if (/^\p{Co}$/u.test(character)) return { severity: "warn", what: "characters for private use, which show differently everywhere" };
  return { severity: "warn", what: "code points that stand for no character" };
}

/** Longest part of a line that is looked at on each side. */
const LINE_SIDE = 200;

function lineAround(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - LINE_SIDE), index);
  const after = text.slice(index, index + LINE_SIDE);
  const end = after.search(/[\r\n]/);
  return before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1) + (end < 0 ? after : after.slice(0, end));
}

/** Whether each embedding and isolate of a line is closed on it, in the right order. */
function isBalanced(line: string): boolean {
  const open: string[] = [];
  for (const character of line) {
    if (/[\u202a\u202b]/.test(character)) open.push("\u202c");
    else if (/[\u2066-\u2068]/.test(character)) open.push("\u2069");
    else if (/[\u202c\u2069]/.test(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}
