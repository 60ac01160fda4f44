import MarkdownIt, { type Env } from "markdown-it";
import { createPaint, type Paint, type Segment } from "./paint.ts";
import { scanHtmlBlock, scanProse, type ScanState } from "./inline.ts";

export type { Segment, SegmentKind } from "./paint.ts";

/** Longest text that is scanned, in UTF-16 units: four times what GitHub takes in one comment. */
export const LONGEST_SCANNED = 262_144;

/** Blocks only: the inline rules of the library give no source places, so `inline.ts` reads them from the source itself. */
const parser = new MarkdownIt({ html: true }).disable(["inline", "linkify", "replacements", "smartquotes", "text_join"], true);

/**
 * Says for every character of a GitHub-flavoured Markdown text what it is: the segments are in order, touch each other and cover the text.
 * Only what was positively read as running text is `prose`. A text that is too long or nested too deep to be read has none.
 * Time grows linearly with the text. Source: https://github.github.com/gfm/
 */
export function scanMarkdown(text: string): Segment[] {
  const paint = createPaint(text.length);
  if (text.length <= LONGEST_SCANNED) {
    try {
      paintBlocks(text, paint);
    } catch (error) {
      // A stack that overflows on hostile nesting is the one thing that the library throws on text.
      if (!(error instanceof RangeError)) throw error;
      return createPaint(text.length).segments();
    }
  }
  return paint.segments();
}

function paintBlocks(text: string, paint: Paint): void {
  const lines = lineStarts(text);
  const environment: Env = {};
  const tokens = parser.parse(text, environment);
  const references = new Set(Object.keys(environment.references ?? {}));
  const state: ScanState = { text, paint, references, open: new Map(), openSince: 0, hiddenFrom: Infinity };
  let row: readonly [number, number] | undefined;
  let columns = 0;
  for (const token of tokens) {
    const place = token.map === null || token.map === undefined ? undefined : range(token.map, lines, text.length);
    if (token.type === "tr_open") [row, columns] = [place, 0];
    else if (token.type === "th_open" || token.type === "td_open") columns += 1;
    else if (token.type === "tr_close" && row !== undefined)
      for (const [start, end] of cellsOf(text, row).slice(0, columns)) scanProse(state, start, end);
    if (place === undefined) continue;
    const [start, end] = place;
    if (token.type === "fence" || token.type === "code_block") paint.fill("code-block", start, end);
    else if (token.type === "html_block") scanHtmlBlock(state, start, end);
    else if (token.type === "inline") scanProse(state, start, end);
    else if (token.type === "blockquote_open") paint.quote(start, end);
  }
  // An element or a comment that nobody closed goes on to the end of the page.
  if (state.open.size > 0) paint.repaint("prose", "html", state.openSince, text.length);
  paint.fill("comment", state.hiddenFrom, text.length);
}

/**
 * Where a text holds blocks of raw HTML, as offsets in order: in them Markdown means nothing and only HTML does. None for a text that
 * cannot be read.
 */
export function rawHtmlBlocks(text: string): (readonly [number, number])[] {
  if (text.length > LONGEST_SCANNED) return [];
  const lines = lineStarts(text);
  try {
    return parser.parse(text, {}).flatMap(({ type, map }) => (type === "html_block" && map ? [range(map, lines, text.length)] : []));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

/** Where each line starts, by the line ends that the parser knows; one more entry than lines, the text's length. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  starts.push(text.length);
  return starts;
}

function range([first, last]: readonly [number, number], lines: readonly number[], length: number): readonly [number, number] {
  return [lines[first] ?? length, lines[last] ?? length];
}

/** The cells of a table row: split at each bar that is not escaped, code spans or not. Those beyond the header's are not shown. Source: GFM 4.10. */
function cellsOf(text: string, [start, end]: readonly [number, number]): (readonly [number, number])[] {
  const cells: (readonly [number, number])[] = [];
  let cell = start;
  for (let at = start; at < end; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "|") {
      cells.push([cell, at]);
      cell = at + 1;
    }
  }
  cells.push([cell, end]);
  // Before a row's first bar stands at most the marker of the list or quote that it begins.
  const [first] = cells;
  if (first !== undefined && /^[\s>*+-]*(?:\d{1,9}[.)]\s*)?$/.test(text.slice(...first))) cells.shift();
  return cells;
}

/** A fenced code block at the top level of a text. */
export interface OpenFence {
  /** The fence's own characters, which close it. */
  readonly markup: string;
}

/** The top-level fence that is still open where the text ends. One inside a list or a quote closes with its container. */
export function openFenceAtEnd(text: string): OpenFence | undefined {
  if (text.length > LONGEST_SCANNED) return undefined;
  const last = parser.parse(text, {}).at(-1);
  if (last?.type !== "fence" || last.level !== 0 || last.map === null || last.map === undefined) return undefined;
  const lines = lineStarts(text);
  const [first, end] = last.map;
  const closing = text.slice(lines[end - 1] ?? text.length, lines[end] ?? text.length).trim();
  const character = last.markup.charAt(0);
  const closed = end - first > 1 && closing.length >= last.markup.length && closing.replaceAll(character, "") === "";
  return closed ? undefined : { markup: last.markup };
}
