import { stripInvisible } from "../text/hidden.ts";

const MARK = /⟦U\+([0-9A-F]{4,6})⟧/g;

/**
 * A text as the model reads it: each invisible, direction or control character that `stripInvisible` would take out is named instead,
 * `⟦U+200B⟧`. So nothing hides from the model, and what it read can still be named in an edit (`restoreHidden`).
 */
export function showHidden(text: string): string {
  const plain = stripInvisible(text);
  if (plain === text) return text;
  let shown = "";
  let at = 0;
  // What was taken out is what is missing from `plain`: it is a subsequence of the text.
  for (const character of text) {
    if (plain.startsWith(character, at)) {
      shown += character;
      at += character.length;
    } else {
      shown += markOf(character);
    }
  }
  return shown;
}

/**
 * Turns the marks of `showHidden` back into their characters, where the file that was shown holds such a character. Other marks stay text:
 * a file may well speak of `⟦U+200B⟧` itself.
 */
export function restoreHidden(text: string, file: string): string {
  return text.replace(MARK, (mark, hex: string) => {
    const point = Number.parseInt(hex, 16);
    if (point > 0x10ffff) return mark;
    const character = String.fromCodePoint(point);
    return markOf(character) === mark && stripInvisible(character) === "" && file.includes(character) ? character : mark;
  });
}

function markOf(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}
