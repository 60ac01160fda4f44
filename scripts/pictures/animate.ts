/** What a program wrote at once, and when. */
export interface Piece {
  readonly atMs: number;
  readonly text: string;
}

export interface Recording {
  /** What was typed, for the first line. */
  readonly command: string;
  readonly pieces: readonly Piece[];
}

interface Line {
  readonly atMs: number;
  readonly spans: readonly Span[];
}
interface Span {
  readonly text: string;
  readonly style: string;
}

const COLUMNS = 104;
const ROWS = 26;
const WIDTH = 8.4;
const HEIGHT = 19;
const PADDING = 16;
/** A line is broken before a word, if the word is no longer. */
const LONGEST_WORD = 30;
/** Nobody wants to watch a picture wait. */
const LONGEST_GAP_MS = 900;
const HOLD_MS = 6000;
const STYLES: Readonly<Record<string, string>> = { "1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "36": "c" };
const ENDS: Readonly<Record<string, readonly string[]>> = {
  "0": ["b", "d", "r", "g", "y", "c"],
  "22": ["b", "d"],
  "39": ["r", "g", "y", "c"],
};

/** A recording of a terminal as an SVG that plays it again and again; for whoever wants no motion it is the last screen, at rest. */
export function animate({ command, pieces }: Recording): string {
  const lines = linesOf([{ atMs: 0, text: `\u001b[1m$ ${command}\u001b[22m\n` }, ...pieces]);
  const total = Math.round((lines.at(-1)?.atMs ?? 0) + HOLD_MS);
  const at = (ms: number): string => `${((100 * ms) / total).toFixed(3)}%`;
  const last = Math.max(0, lines.length - ROWS) * -HEIGHT;
  const shows = lines.map(({ atMs }, n) =>
    atMs === 0 ? "" : `@keyframes l${n}{0%,${at(atMs)}{opacity:0}${at(atMs + 1)},100%{opacity:1}}`,
  );
  const scrolls = lines.flatMap(({ atMs }, n) => (n < ROWS ? [] : [`${at(atMs)}{transform:translateY(${(n + 1 - ROWS) * -HEIGHT}px)}`]));
  const texts = lines.map(({ spans, atMs }, n) => {
    const animation = atMs === 0 ? "" : ` style="animation-name:l${n}"`;
    const inner = spans
      .map(({ text, style }) => (style === "" ? escape(text) : `<tspan class="${style}">${escape(text)}</tspan>`))
      .join("");
    return inner === "" ? "" : `<text y="${(n + 1) * HEIGHT - 5}"${animation}>${inner}</text>`;
  });
  const [width, height] = [Math.ceil(COLUMNS * WIDTH) + 2 * PADDING, ROWS * HEIGHT + 2 * PADDING];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(command)} in a terminal">
<style>
text{font:14px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6dbe2;white-space:pre;animation:${total}ms linear infinite}
.s{transform:translateY(${last}px);animation:s ${total}ms step-end infinite}
.b{font-weight:700;fill:#fff}.d{fill:#8b95a3}.r{fill:#ff8585}.g{fill:#7ee08a}.y{fill:#f3cf6b}.c{fill:#7fd6e8}
@keyframes s{0%{transform:none}${scrolls.join("")}}
${shows.join("")}
@media (prefers-reduced-motion:reduce){text,.s{animation:none!important}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#12161c"/>
<svg x="${PADDING}" y="${PADDING}" width="${width - 2 * PADDING}" height="${ROWS * HEIGHT}"><g class="s">${texts.join("\n")}</g></svg>
</svg>
`;
}

/** Lines with the time at which each was complete, long waits cut, long lines broken. */
function linesOf(pieces: readonly Piece[]): readonly Line[] {
  const lines: Line[] = [];
  let [line, atMs, before] = ["", 0, 0];
  let styles = new Set<string>();
  for (const piece of pieces) {
    atMs += Math.min(Math.max(0, piece.atMs - before), LONGEST_GAP_MS);
    before = Math.max(before, piece.atMs);
    const parts = `${line}${piece.text.replaceAll("\r", "")}`.split("\n");
    line = parts.pop() ?? "";
    for (const part of parts) {
      const { spans, left } = spansOf(part, styles);
      styles = left;
      lines.push(...broken(spans).map((some) => ({ atMs, spans: some })));
    }
  }
  return lines;
}

function spansOf(line: string, before: ReadonlySet<string>): { readonly spans: readonly Span[]; readonly left: Set<string> } {
  const left = new Set(before);
  const spans: Span[] = [];
  for (const [, codes, text = ""] of line.matchAll(/\u001b\[([\d;]*)[A-Za-z]|([^\u001b]+)/g)) {
    if (text !== "") spans.push({ text, style: [...left].join(" ") });
    for (const code of codes === undefined ? [] : codes.split(";")) {
      for (const end of ENDS[code === "" ? "0" : code] ?? []) left.delete(end);
      const style = STYLES[code];
      if (style !== undefined) left.add(style);
    }
  }
  return { spans, left };
}

/** The spans of one line as lines that fit. */
function broken(spans: readonly Span[]): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  let room = COLUMNS;
  for (const { text, style } of spans) {
    let rest = Array.from(text);
    while (rest.length > room) {
      const blank = rest.lastIndexOf(" ", room);
      const end = blank > room - LONGEST_WORD && blank > 0 ? blank : room;
      lines.at(-1)?.push({ text: rest.slice(0, end).join(""), style });
      rest = rest.slice(rest[end] === " " ? end + 1 : end);
      lines.push([]);
      room = COLUMNS;
    }
    lines.at(-1)?.push({ text: rest.join(""), style });
    room -= rest.length;
  }
  return lines;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
