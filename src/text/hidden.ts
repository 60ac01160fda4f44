import { LONGEST_SCANNED, scanMarkdown } from "./blocks.ts";

/** Characters that show nothing, change the direction, or steer a terminal; tab and line ends aside. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
/** Format characters that do show something: number and abbreviation signs of Arabic, Syriac and Kaithi, Egyptian layout. */
const SHOWN = /[\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;
/** The flags of England, Scotland and Wales are the only tag sequences in use. Source: Unicode emoji-sequences.txt. */
const TAG_FLAG =
  /\u{1f3f4}(?:\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073}))\u{e007f}/gu;
const EMOJI_BEFORE_JOINER = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u;
const EMOJI = /^\p{Extended_Pictographic}/u;
/** `[//]: # (words)`: a link definition that leads nowhere is Markdown's other way to write what nobody sees. */
const EMPTY_DEFINITION = /^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*(?:#|<#?>)(?:\s+(?:\([^()]*\)|"[^"]*"|'[^']*'))?[ \t]*$/gm;
/** Scripts in which a joiner between two letters changes how they are written. Source: Unicode 23.2, UAX 31. */
const JOINING =
  "[\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Mongolian}\\p{scx=Nko}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}]";
const JOINS_AFTER = new RegExp(`(?=${JOINING})[\\p{L}\\p{M}]$`, "u");
const JOINS_BEFORE = new RegExp(`^(?=${JOINING})[\\p{L}\\p{M}]`, "u");

/**
 * What a person sees of a Markdown text: without HTML comments (in code they are text and stay) and without invisible, direction and control
 * characters. Emoji sequences and the joiners that Arabic and Indic scripts need stay. Time grows linearly with the text.
 */
export function stripHidden(text: string): string {
  const shown = stripInvisible(text);
  // Too long to be read as Markdown: rather a comment too much taken out of code than one left in.
  if (shown.length > LONGEST_SCANNED) return shown.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  return scanMarkdown(shown)
    .filter(({ kind }) => kind !== "comment")
    .map(({ kind, start, end }) => (kind === "other" ? shown.slice(start, end).replace(EMPTY_DEFINITION, "") : shown.slice(start, end)))
    .join("");
}

/** Takes out invisible, direction and control characters and nothing else: for plain text and code. */
export function stripInvisible(text: string): string {
  const hidden = new Set(findInvisible(text).map(({ index }) => index));
  return text.replace(INVISIBLE, (character, at: number) => (hidden.has(at) ? "" : character));
}

/** A character that `stripInvisible` takes out, and where it stands, in UTF-16 units. */
export interface InvisibleCharacter {
  readonly character: string;
  readonly index: number;
}

/** Every invisible, direction or control character that no script and no emoji needs where it stands. Linear in the text's length. */
export function findInvisible(text: string): readonly InvisibleCharacter[] {
  const flags = new Set<number>();
  for (const { index, 0: flag } of text.matchAll(TAG_FLAG)) for (let at = index + 2; at < index + flag.length; at += 2) flags.add(at);
  const found: InvisibleCharacter[] = [];
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (!SHOWN.test(character) && !flags.has(index) && !isWanted(character, text, index)) found.push({ character, index });
  }
  return found;
}

function isWanted(character: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at + character.length, at + character.length + 2);
  switch (character) {
    case "\u200d":
      return (EMOJI_BEFORE_JOINER.test(before) && EMOJI.test(after)) || (JOINS_AFTER.test(before) && JOINS_BEFORE.test(after));
    case "\u200c":
      return JOINS_AFTER.test(before) && JOINS_BEFORE.test(after);
    case "\ufe0e":
    case "\ufe0f":
      return /[\p{Emoji}]$/u.test(before);
    case "\ufe00":
    case "\ufe01":
    case "\ufe02":
      return /[\p{sc=Han}\p{Sm}]$/u.test(before);
    default:
      // Ideographic variations, and Mongolian's own selectors.
      if (character >= "\u{e0100}" && /^[\u{e0100}-\u{e01ef}]$/u.test(character)) return /\p{sc=Han}$/u.test(before);
      return /^[\u180b-\u180f]$/.test(character) && /\p{sc=Mongolian}$/u.test(before) && !/[\u180b-\u180f]$/.test(before);
  }
}
