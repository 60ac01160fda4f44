/** Longest label that names a link definition, in characters. Source: CommonMark 4.7. */
const LONGEST_LABEL = 999;
/** Parentheses nested deeper than this end a destination, as in GitHub's own parser. */
const DEEPEST_PARENTHESES = 32;

/**
 * Where the link or image whose text stands between two brackets ends, or undefined when the brackets are only brackets.
 * Inline (`[a](b "c")`), full, collapsed and shortcut references. Source: CommonMark 6.3.
 */
export function linkEnd(text: string, opening: number, closing: number, end: number, references: ReadonlySet<string>): number | undefined {
  if (text[closing + 1] === "(") {
    const inline = linkTail(text, closing + 2, end);
    if (inline !== undefined) return inline.end;
  }
  if (references.size === 0) return undefined;
  const own = text.slice(opening + 1, closing);
  if (text[closing + 1] === "[") {
    const label = /\[((?:[^[\]\\]|\\.){0,999})\]/sy;
    label.lastIndex = closing + 1;
    const hit = label.exec(text);
    if (hit !== null && label.lastIndex <= end)
      return isDefined(hit[1] === "" ? own : (hit[1] ?? ""), references) ? label.lastIndex : undefined;
  }
  return isDefined(own, references) ? closing + 1 : undefined;
}

/** Labels compare without regard to case and the amount of white space, in the spelling of the block parser. */
function isDefined(label: string, references: ReadonlySet<string>): boolean {
  return label.length <= LONGEST_LABEL && references.has(label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase());
}

/** What stands between the parentheses of an inline link, as offsets: the destination with its angle brackets, and the end behind `)`. */
export interface LinkTail {
  readonly destination: readonly [number, number];
  readonly end: number;
}

/** Reads an inline link from behind its `](`; undefined when that is no link. */
export function linkTail(text: string, from: number, end: number): LinkTail | undefined {
  const start = skipBlanks(text, from, end);
  const destination = text[start] === "<" ? angleEnd(text, start, end) : bareEnd(text, start, end);
  if (destination === undefined) return undefined;
  let at = skipBlanks(text, destination, end);
  if (at > destination && `"'(`.includes(text[at] ?? " ")) {
    const title = titleEnd(text, at, end);
    if (title === undefined) return undefined;
    at = skipBlanks(text, title, end);
  }
  return at < end && text[at] === ")" ? { destination: [start, destination], end: at + 1 } : undefined;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && " \t\r\n".includes(text[at] ?? "")) at += 1;
  return at;
}

function angleEnd(text: string, from: number, end: number): number | undefined {
  for (let at = from + 1; at < end; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === ">") return at + 1;
    else if ("<\r\n".includes(character)) return undefined;
  }
  return undefined;
}

function bareEnd(text: string, from: number, end: number): number | undefined {
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (character <= " " || character === "\u007f") return depth === 0 ? at : undefined;
    else if (character === "(") {
      depth += 1;
      if (depth > DEEPEST_PARENTHESES) return undefined;
    } else if (character === ")") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

function titleEnd(text: string, from: number, end: number): number | undefined {
  const opening = text[from] ?? "";
  const closing = opening === "(" ? ")" : opening;
  for (let at = from + 1; at < end; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === closing) return at + 1;
    else if (opening === "(" && character === "(") return undefined;
  }
  return undefined;
}
