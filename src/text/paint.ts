/** What a stretch of Markdown is. `prose` is text that the author says in running words; `other` is blank or could not be read. */
export type SegmentKind = "prose" | "code-block" | "code-span" | "comment" | "html" | "link" | "other";

/** A stretch of one kind. Offsets are UTF-16 units into the scanned text, `end` exclusive. */
export interface Segment {
  readonly kind: SegmentKind;
  /** Inside a block quote, lazy continuation lines included. */
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

const KINDS: readonly SegmentKind[] = ["other", "prose", "code-block", "code-span", "comment", "html", "link"];
const CODE = new Map(KINDS.map((kind, code) => [kind, code]));
const QUOTED = 0x80;

/** One byte for each character of a text: later strokes cover earlier ones, and the result reads as segments. */
export interface Paint {
  fill(kind: SegmentKind, start: number, end: number): void;
  /** Like `fill`, but only where `from` stands. */
  repaint(from: SegmentKind, to: SegmentKind, start: number, end: number): void;
  quote(start: number, end: number): void;
  segments(): Segment[];
}

export function createPaint(length: number): Paint {
  const cells = new Uint8Array(length);
  const code = (kind: SegmentKind): number => CODE.get(kind) ?? 0;
  return {
    fill(kind, start, end) {
      for (let at = start; at < end; at += 1) cells[at] = ((cells[at] ?? 0) & QUOTED) | code(kind);
    },
    repaint(from, to, start, end) {
      for (let at = start; at < end; at += 1) {
        const cell = cells[at] ?? 0;
        if ((cell & ~QUOTED) === code(from)) cells[at] = (cell & QUOTED) | code(to);
      }
    },
    quote(start, end) {
      for (let at = start; at < end; at += 1) cells[at] = (cells[at] ?? 0) | QUOTED;
    },
    segments() {
      const found: Segment[] = [];
      for (let start = 0; start < length;) {
        const cell = cells[start] ?? 0;
        let end = start + 1;
        while (end < length && cells[end] === cell) end += 1;
        found.push({ kind: KINDS[cell & ~QUOTED] ?? "other", quoted: (cell & QUOTED) !== 0, start, end });
        start = end;
      }
      return found;
    },
  };
}
