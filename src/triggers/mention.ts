import { scanMarkdown } from "../text/blocks.ts";

/** Whether a text speaks to the bot, and if so what it says to it. */
export type Mention =
  | { readonly mentioned: false }
  | {
      readonly mentioned: true;
      /** The author's own words, quotes aside, as they were written. */
      readonly request: string;
      /** Whether they begin in running text: what begins in code is shown to people, and no command. */
      readonly beginsInProse: boolean;
    };

/** Letters of scripts that are written without blanks may touch a handle; all others would make it another word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** How far back the beginning of emphasis is looked for, in UTF-16 units: repetition must not make the search long. */
const LONGEST_EMPHASIS = 500;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/**
 * Looks for `@handle` or `@handle[bot]`, whatever its case, as a whole token in the author's running text. A handle in code, a quote, an HTML
 * comment, a link, an address, or as a part of a longer handle is none. Where a handle begins and ends follows GitHub's own rule for mentions.
 */
export function findMention(text: string, handle: string): Mention {
  const wanted = `@${handle.toLowerCase()}`;
  // ASCII alone is folded: other letters that lower-case to these are look-alikes.
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!folded.includes(wanted)) return { mentioned: false };
  const segments = scanMarkdown(text);
  const mentioned = segments.some(({ kind, quoted, start, end }) => {
    if (kind !== "prose" || quoted) return false;
    for (let at = folded.indexOf(wanted, start); at >= 0 && at + wanted.length <= end; at = folded.indexOf(wanted, at + 1)) {
      if (isWhole(folded, at, at + wanted.length)) return true;
    }
    return false;
  });
  if (!mentioned) return { mentioned: false };
  const own = segments.filter(({ quoted }) => !quoted);
  const first = own.find(({ kind, start, end }) => kind !== "comment" && text.slice(start, end).trim() !== "");
  const request = own.map(({ start, end }) => text.slice(start, end));
  return { mentioned: true, request: request.join("").trim(), beginsInProse: first?.kind === "prose" };
}

function isWhole(text: string, start: number, end: number): boolean {
  const bot = text.startsWith("[bot]", end) ? end + "[bot]".length : end;
  return startsToken(text, start) && endsToken(text, bot);
}

function startsToken(text: string, start: number): boolean {
  let at = start;
  let before = characterBefore(text, at);
  while (before !== "" && UNSEEN.test(before)) before = characterBefore(text, (at -= before.length));
  if (before === "_") return startsEmphasis(text, at);
  if (/[-+]/.test(before)) return !isLetter(characterBefore(text, at - 1));
  return !/[/\\@]/.test(before) && !isLetter(before);
}

/** Underscores before a handle are emphasis when nothing but a boundary stands before them. */
function startsEmphasis(text: string, start: number): boolean {
  let at = start;
  while (text[at - 1] === "_") at -= 1;
  return !isLetter(characterBefore(text, at)) && !/[/\\@]/.test(characterBefore(text, at));
}

function endsToken(text: string, end: number): boolean {
  let at = end;
  let after = characterAt(text, at);
  while (after !== "" && UNSEEN.test(after)) after = characterAt(text, (at += after.length));
  if (after === ".") {
    while (text[at] === ".") at += 1;
    return !/[\p{L}\p{N}_-]/u.test(characterAt(text, at));
  }
  if (after === "_") return endsEmphasis(text, at);
  return !/[-/@]/.test(after) && !isLetter(after);
}

/** Underscores behind a handle are emphasis when they end a word and some opened one before, on the same line. */
function endsEmphasis(text: string, from: number): boolean {
  let at = from;
  while (text[at] === "_") at += 1;
  const line = text.slice(Math.max(text.lastIndexOf("\n", from) + 1, from - LONGEST_EMPHASIS), from);
  return !isLetter(characterAt(text, at)) && !/[-/@]/.test(characterAt(text, at)) && /(?:^|[^\p{L}\p{N}_])_+[^\s_]/u.test(line);
}

const isLetter = (character: string): boolean => character === "_" || (LETTER.test(character) && !UNSPACED.test(character));
const characterAt = (text: string, at: number): string => (at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "");

function characterBefore(text: string, at: number): string {
  if (at <= 0) return "";
  const low = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(low) && at > 1 && /[\ud800-\udbff]/.test(text.charAt(at - 2)) ? text.slice(at - 2, at) : low;
}
