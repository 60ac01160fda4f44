import { findInvisible } from "../../text/hidden.ts";
import { html, type Html, type Part } from "../html.ts";

/** Marks in one text; what stands behind them is only counted. */
const MOST_MARKS = 20;

/**
 * One line of code as it is, with a visible mark where a character stands that shows nothing or turns the direction of what follows: in code
 * such a character is a thing to be seen, not to be taken out. `ends`: mark a carriage return at the line's end as well.
 */
export function marked(line: string, ends: boolean): Part {
  const returns = [...line.matchAll(/\r/g)].flatMap(({ index }) =>
    index === line.length - 1 && !ends ? [] : [{ character: "\r", index }],
  );
  const found = [...findInvisible(line), ...returns].sort((a, b) => a.index - b.index);
  const parts: Part[] = [];
  let at = 0;
  for (const { character, index } of found.slice(0, MOST_MARKS)) {
    parts.push(line.slice(at, index), mark(character));
    at = index + character.length;
  }
  if (found.length <= MOST_MARKS) return [...parts, line.slice(at)];
  return [...parts, html`<span class="hidden-character">and ${found.length - MOST_MARKS} more hidden characters</span>`];
}

function mark(character: string): Html {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return html`<span class="hidden-character">U+${code}</span>`;
}
