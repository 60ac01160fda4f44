import { findShapes } from "./shapes.ts";

/** Where a private key ends, and how far that is looked for. */
const KEY_END = /-----END[^\n-]*-----/;
const KEY_WINDOW = 8000;

/** A text with `***` in the place of all that has the shape of a secret: for what is shown, not for judging. Linear in the text's length. */
export function maskShapes(text: string): string {
  let masked = "";
  let from = 0;
  for (const { value, index } of findShapes(text).toSorted((a, b) => a.index - b.index)) {
    const end = text.startsWith(value, index) ? index + value.length : endOfKey(text, index);
    if (end <= from) continue;
    masked += `${text.slice(from, Math.max(from, index))}***`;
    from = end;
  }
  return masked + text.slice(from);
}

/** A key's value is told without its line breaks: all up to its end goes. */
function endOfKey(text: string, index: number): number {
  const window = text.slice(index, index + KEY_WINDOW);
  const end = KEY_END.exec(window);
  return index + (end === null ? window.length : end.index + end[0].length);
}
