import { openFenceAtEnd, scanMarkdown } from "./blocks.ts";
import { SILENT } from "./inline.ts";

const encoder = new TextEncoder();
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text itself when it is at most `limit` bytes of UTF-8, else as much of its beginning as fits with a last line `[cut: <n> characters, <note>]`.
 * Bytes are the largest of the units in which servers count. The cut is between characters that people see; no fence, comment or `<details>`
 * stays open over the last line. `note` says what the rest was and where it can be read. Throws a RangeError when not even the last line fits.
 */
export function boundText(text: string, limit: number, note: string): string {
  const size = encoder.encode(text).length;
  if (size <= limit) return text;
  // The count is at most as long as that of all the text, so one measure serves every cut.
  let room = limit - bytes(lastLine(text.length, note));
  if (room < 0) throw new RangeError(`A text cannot be bounded to ${limit} bytes: its note alone is longer.`);
  for (;;) {
    const head = beginning(text, room);
    const closed = closeOpen(head);
    const whole = closed.text + lastLine(text.length - closed.kept, note);
    const excess = bytes(whole) - limit;
    if (excess <= 0) return whole;
    // What closes the open parts needs room too; an opening that no longer fits falls to the next cut.
    room = Math.max(0, Math.min(room, bytes(head)) - excess);
  }
}

const bytes = (text: string): number => encoder.encode(text).length;
const lastLine = (cut: number, note: string): string => `\n\n[cut: ${cut} characters, ${note}]`;

/** As many whole characters as fit into `room` bytes. */
function beginning(text: string, room: number): string {
  // Bytes are never fewer than UTF-16 units, so this slice holds every candidate; it must not end in half a pair, which would count as three.
  const window = /[\ud800-\udbff]$/.test(text.slice(0, room)) ? text.slice(0, room - 1) : text.slice(0, room);
  const { read } = encoder.encodeInto(window, new Uint8Array(room));
  // What people see as one character may be many code points: step back to where one starts, unless it fills all that is looked at.
  const from = Math.max(0, read - 64);
  let cut = read;
  for (const { index } of characters.segment(text.slice(from, read + 64))) {
    if (from + index > read) break;
    if (from === 0 || index > 1) cut = from + index;
  }
  return text.slice(0, cut);
}

interface Closed {
  readonly text: string;
  /** How many characters of the original are in it. */
  readonly kept: number;
}

function closeOpen(whole: string): Closed {
  const head = whole.slice(0, unfinishedTag(whole));
  // What would a paragraph be that follows?
  const segments = scanMarkdown(`${head}\n\nx`);
  const next = segments.at(-1);
  if (next?.kind === "comment") {
    // A comment that the cut went through would swallow it.
    const before = segments.findLast(({ kind }) => kind !== "comment");
    return closeOpen(head.slice(0, before?.end ?? 0));
  }
  const fence = next?.kind === "code-block" ? openFenceAtEnd(head) : undefined;
  const text = fence === undefined ? head.trimEnd() : `${head}${head.endsWith("\n") ? "" : "\n"}${fence.markup}`;
  return { text: text + closingTags(head), kept: head.length };
}

function unfinishedTag(head: string): number {
  const at = head.search(/<[!/a-z][^<>]{0,300}$/i);
  return at < 0 ? head.length : at;
}

/** The end tags of what folds text away or shows it as somebody else's, for each such element that is open outside code. */
function closingTags(head: string): string {
  const open: string[] = [];
  for (const { kind, start, end } of scanMarkdown(head)) {
    if (kind !== "html") continue;
    for (const [, slash, name = ""] of head.slice(start, end).matchAll(/<(\/?)([a-z][a-z0-9-]*)[^<>]*>/gi)) {
      const tag = name.toLowerCase();
      if (tag !== "details" && tag !== "summary" && !SILENT.has(tag)) continue;
      if (slash === "") open.push(tag);
      else if (open.includes(tag)) open.splice(open.lastIndexOf(tag), 1);
    }
  }
  const tags = open.reverse().map((tag) => `</${tag}>`);
  return tags.length === 0 ? "" : `\n\n${tags.join("")}`;
}
