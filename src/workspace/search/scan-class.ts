/** Thrown by the pattern's translators and caught by `translatePattern` alone: why a pattern is none. */
export class PatternError extends Error {}

/** Where a translator stands in a pattern. */
export interface Cursor {
  /** Code points. */
  readonly characters: readonly string[];
  at: number;
  /** Of the groups so far. */
  readonly names: Set<string>;
}

/** Rust's `\w`: Unicode's own definition (UTS 18, annex C). */
export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const SHORT: Readonly<Record<string, string>> = { w: WORD, d: "\\p{Nd}", s: "\\p{White_Space}" };
const CONTROL: Readonly<Record<string, string>> = { a: "\u0007", f: "\f", t: "\t", n: "\n", r: "\r", v: "\v" };
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t\\x20",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "\\x21-\\x7E",
  lower: "a-z",
  print: "\\x20-\\x7E",
  punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  space: "\\t\\n\\v\\f\\r\\x20",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** One code point as a regular expression spells it, whatever it means elsewhere. */
export const spelled = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A class within one line: no line break, and no byte that is no UTF-8 (those are decoded to halves of surrogate pairs). */
export const withinLine = (inside: string): string => `[[${inside}]--[\\r\\n\\p{Cs}]]`;

/** What follows a backslash: a literal character, or the inside of a class. The cursor stands behind the backslash and is moved on. */
export type Escape = { readonly literal: string } | { readonly inside: string };

export function readEscape(cursor: Cursor): Escape {
  const letter = cursor.characters[cursor.at] ?? "";
  cursor.at++;
  const lower = letter.toLowerCase();
  const short = SHORT[lower];
  if (short !== undefined) return { inside: letter === lower ? short : `[^${short}]` };
  if (lower === "p") return { inside: property(cursor, letter === "P") };
  const control = CONTROL[letter];
  if (control !== undefined) return { literal: control };
  if (letter === "x" || letter === "u" || letter === "U") return { literal: numbered(cursor, letter) };
  if (/^[0-9]$/.test(letter)) throw new PatternError("backreferences are not supported");
  if (letter === "") throw new PatternError("incomplete escape sequence");
  if (!/^[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e ]$/.test(letter)) throw new PatternError(`unrecognized escape sequence \\${letter}`);
  return { literal: letter };
}

function numbered(cursor: Cursor, letter: "x" | "u" | "U"): string {
  const digits = { x: 2, u: 4, U: 8 }[letter];
  const rest = cursor.characters.slice(cursor.at, cursor.at + 12).join("");
  const found = /^\{([0-9a-fA-F]{1,8})\}/.exec(rest)?.[1] ?? new RegExp(`^[0-9a-fA-F]{${digits}}`).exec(rest)?.[0];
  const point = Number.parseInt(found ?? "", 16);
  if (found === undefined || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
    throw new PatternError("invalid hexadecimal escape sequence");
  cursor.at += found.length + (rest.startsWith("{") ? 2 : 0);
  return String.fromCodePoint(point);
}

function property(cursor: Cursor, isUpper: boolean): string {
  const { characters, at } = cursor;
  const end = characters[at] === "{" ? characters.indexOf("}", at) : at;
  if (end < 0 || end >= characters.length) throw new PatternError("incomplete Unicode property");
  const written = end === at ? (characters[at] ?? "") : characters.slice(at + 1, end).join("");
  cursor.at = end + 1;
  const negated = isUpper !== written.startsWith("^");
  const [first = "", second] = written
    .replace(/^\^/, "")
    .split(/[:=]/)
    .map((part) => part.trim());
  const name =
    second === undefined
      ? nameOfProperty(spellings(first))
      : spellings(second)
          .flatMap((value) => spellings(first).map((key) => `${key}=${value}`))
          .find(isProperty);
  if (name === undefined) throw new PatternError(`Unicode property not found: ${written}`);
  return `\\${negated ? "P" : "p"}{${name}}`;
}

/** Names may be written in any case, with blanks or hyphens: as given, titled, in capitals, in small letters. */
function spellings(written: string): readonly string[] {
  const titled = written
    .split(/[ _-]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join("_");
  return [written, titled, written.toUpperCase(), written.toLowerCase()];
}

/** A script's name stands for itself too. */
function nameOfProperty(names: readonly string[]): string | undefined {
  return names.flatMap((name) => [name, `Script=${name}`]).find(isProperty);
}

function isProperty(name: string): boolean {
  if (!/^[A-Za-z_0-9=]+$/.test(name)) return false;
  try {
    return new RegExp(`\\p{${name}}`, "v") instanceof RegExp;
  } catch {
    return false;
  }
}

/** The inside of a bracketed class, as sets are written with the `v` flag. The cursor stands behind the bracket and is moved behind the last one. */
export function readClass(cursor: Cursor): string {
  const { characters } = cursor;
  const negated = characters[cursor.at] === "^";
  if (negated) cursor.at++;
  let set = readItems(cursor, leadingItems(cursor));
  while (characters[cursor.at] !== "]") {
    const operator = operatorAt(cursor) ?? "";
    cursor.at += 2;
    set = combine(set, operator, readItems(cursor, ""));
  }
  cursor.at++;
  return negated ? `[^${set}]` : set;
}

/** A bracket or hyphens at the very start stand for themselves. */
function leadingItems(cursor: Cursor): string {
  let items = "";
  for (; cursor.characters[cursor.at] === "-"; cursor.at++) items = "\\-";
  if (items !== "" || cursor.characters[cursor.at] !== "]") return items;
  cursor.at++;
  return "\\]";
}

function combine(left: string, operator: string, right: string): string {
  return operator === "~~" ? `[[${left}][${right}]]--[[${left}]&&[${right}]]` : `[${left}]${operator}[${right}]`;
}

function operatorAt({ characters, at }: Cursor): string | undefined {
  const pair = `${characters[at]}${characters[at + 1] ?? ""}`;
  return pair === "&&" || pair === "--" || pair === "~~" ? pair : undefined;
}

/** Items up to an operator or the closing bracket, which is not taken. */
function readItems(cursor: Cursor, leading: string): string {
  let items = leading;
  for (;;) {
    const character = cursor.characters[cursor.at];
    if (character === undefined) throw new PatternError("unclosed character class");
    if (character === "]" || operatorAt(cursor) !== undefined) return `[${items}]`;
    items += readItem(cursor);
  }
}

function readItem(cursor: Cursor): string {
  const { characters } = cursor;
  if (characters[cursor.at] === "[") {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(characters.slice(cursor.at, cursor.at + 14).join(""));
    const posix = POSIX[named?.[2] ?? ""];
    if (named !== null && posix !== undefined) {
      cursor.at += named[0].length;
      return named[1] === "^" ? `[^${posix}]` : `[${posix}]`;
    }
    cursor.at++;
    return `[${readClass(cursor)}]`;
  }
  const from = readOne(cursor);
  if ("inside" in from) return `[${from.inside}]`;
  const next = characters[cursor.at + 1];
  if (characters[cursor.at] !== "-" || next === undefined || next === "]" || next === "-") return spelled(from.literal);
  cursor.at++;
  const to = readOne(cursor);
  if ("inside" in to) throw new PatternError("invalid range boundary, must be a literal");
  if ((to.literal.codePointAt(0) ?? 0) < (from.literal.codePointAt(0) ?? 0))
    throw new PatternError("invalid character class range, the start must be <= the end");
  return `${spelled(from.literal)}-${spelled(to.literal)}`;
}

function readOne(cursor: Cursor): Escape {
  const character = cursor.characters[cursor.at] ?? "";
  cursor.at++;
  return character === "\\" ? readEscape(cursor) : { literal: character };
}
