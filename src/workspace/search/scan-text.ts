import { isUtf8 } from "node:buffer";
import type { SearchEvent } from "./ripgrep-events.ts";

/** A file as text: bytes that are no UTF-8 have become halves of surrogate pairs, one each, which no class of a pattern holds. */
export interface ScannedText {
  readonly text: string;
  /** It holds a NUL byte. */
  readonly isBinary: boolean;
}

const LOWEST = 0xdc00;

/** Decodes as ripgrep does: UTF-16 with a byte order mark, else UTF-8, without the mark. Each NUL ends a line, as in its binary mode. */
export function decodeText(bytes: Buffer): ScannedText {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return withoutNuls(new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(bytes));
  const plain = first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
  return withoutNuls(isUtf8(plain) ? plain.toString("utf8") : decodeLines(plain));
}

function withoutNuls(text: string): ScannedText {
  return text.includes("\0") ? { text: text.replaceAll("\0", "\n"), isBinary: true } : { text, isBinary: false };
}

/** Only lines that hold something else than UTF-8 are decoded byte by byte. */
function decodeLines(bytes: Buffer): string {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end + 1;
    const line = bytes.subarray(from, to);
    lines.push(isUtf8(line) ? line.toString("utf8") : decodeBytes(line));
    from = to;
  }
  return lines.join("");
}

function decodeBytes(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isWhole = character.length === length && isUtf8(character);
    text += isWhole ? character.toString("utf8") : String.fromCharCode(LOWEST + lead);
    at += isWhole ? length : 1;
  }
  return text;
}

/** A decoded text's own bytes again. */
function encodeText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces = Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point >= LOWEST && point < LOWEST + 0x100 ? Buffer.of(point - LOWEST) : Buffer.from(character);
  });
  return Buffer.concat(pieces);
}

/** A line of a text, in UTF-16 units from its start to before its line feed, and where its first match begins. */
interface Line {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly match?: number;
}

/** The matching lines with `context` neighbours on both sides, in the events that ripgrep would write. `regex` is global and ends at line breaks. */
export function* eventsOf(path: string, { text, isBinary }: ScannedText, regex: RegExp, context: number): Generator<SearchEvent> {
  const name = { text: path };
  let shown = 0;
  let waiting: Line[] = [];
  let after = 0;
  for (const line of linesOf(text, regex, context > 0)) {
    if (line.match === undefined) {
      if (after > 0) {
        after--;
        yield lineEvent(line, "context");
      } else {
        waiting = [...waiting, line].slice(-context);
      }
      continue;
    }
    for (const earlier of waiting) yield lineEvent(earlier, "context");
    waiting = [];
    after = context;
    shown++;
    yield lineEvent(line, "match");
  }
  if (shown > 0) yield { type: "end", data: { path: name, binary_offset: isBinary ? 0 : null } };

  function lineEvent({ number, start, end, match }: Line, type: "match" | "context"): SearchEvent {
    const line = text.slice(start, end);
    const before = encodeText(text.slice(start, match ?? start)).length;
    const lines = line.isWellFormed() ? { text: line } : { bytes: encodeText(line).toString("base64") };
    return {
      type,
      data: { path: name, lines, line_number: number, submatches: match === undefined ? [] : [{ start: before, end: before }] },
    };
  }
}

/** The lines that match; with `everyLine`, the others too. A final line feed begins no line. */
function* linesOf(text: string, regex: RegExp, everyLine: boolean): Generator<Line> {
  let next = nextMatch(text, regex, 0);
  if (next < 0) return;
  for (let start = 0, number = 1; start < text.length; number++) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    if (next >= 0 && next <= end) {
      yield { number, start, end, match: next };
      next = nextMatch(text, regex, end + 1);
    } else if (everyLine) {
      yield { number, start, end };
    }
    if (next < 0 && !everyLine) return;
    start = end + 1;
  }
}

function nextMatch(text: string, regex: RegExp, from: number): number {
  if (from >= text.length) return -1;
  regex.lastIndex = from;
  return regex.exec(text)?.index ?? -1;
}
