import { findInvisible } from "../../text/hidden.ts";

/**
 * A text of somebody else as one line of a report: line ends, control characters and all that shows nothing or changes the direction are
 * named (`\u{202e}`), so it can neither steer a terminal nor begin a line of its own.
 */
export function visible(text: string): string {
  const hidden = new Set(findInvisible(text).map(({ index }) => index));
  let shown = "";
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    shown += hidden.has(at) || /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(character) ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character;
    at += character.length;
  }
  return shown;
}
