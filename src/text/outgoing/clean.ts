import { LONGEST_SCANNED, openFenceAtEnd } from "../blocks.ts";
import { stripHidden, stripInvisible } from "../hidden.ts";
import { isPublishableDestination } from "./address.ts";
import { findCommands, isKnownCommand } from "./commands.ts";
import { applyEdits, element, span, type Edit } from "./edit.ts";
import { findLive } from "./found.ts";
import { readLive, type LiveText } from "./live.ts";
import { editMarkup } from "./markup.ts";
import type { Cleaned, OutgoingPolicy, Removed } from "./policy.ts";

/** Readings after which a text that still changes is shown as it is written. */
const MOST_READINGS = 8;
/** UTF-16 units after which an address that does not end is none to be published. */
const LONGEST_ADDRESS = 2000;
/** Fences that GitHub draws instead of showing them: their links are live. Source: GitHub's "Creating diagrams". */
const DRAWN = /^([ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(?:`{3,}|~{3,})[ \t]*)(?:mermaid|geojson|topojson|stl)\b/i;
/** The product's own marker is made by the product alone, in code too: it is looked for in the source. */
const MARKER = /<!--(?=\s*sallyport)/gi;
/** What ends a line for a reader and is no line end in Markdown. */
const ODD_LINE_END = /[\u2028\u2029]/g;

/**
 * A Markdown text of somebody else's as it may be published: nobody is called, nothing is closed, no other bot is moved, nothing is hidden,
 * no link leads out, no image is fetched. Code keeps its bytes. What stands out is made inert where it stands and still reads; the same
 * text comes back from a second cleaning. Time grows linearly with the text.
 */
export function cleanOutgoing(text: string, policy: OutgoingPolicy): Cleaned {
  const removed = new Set<Removed>();
  let current = text.toWellFormed();
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    const next = readOnce(current, policy, removed);
    if (next === undefined) break;
    if (next === current) return { text: current, removed: [...removed] };
    current = next;
  }
  removed.add("Markdown that cannot be read");
  return { text: asWritten(stripInvisible(text.toWellFormed())), removed: [...removed] };
}

/** One reading; undefined for a text in which nothing can be told apart. */
function readOnce(text: string, policy: OutgoingPolicy, removed: Set<Removed>): string | undefined {
  if (text.length > LONGEST_SCANNED) return undefined;
  const seen = stripHidden(text).replace(MARKER, "<! --").replace(ODD_LINE_END, " ");
  if (seen !== text) removed.add("hidden text");
  const live = readLive(seen);
  const [only, more] = live.segments;
  if (only?.kind === "other" && more === undefined && /[\p{L}\p{N}]/u.test(seen)) return undefined;
  const { edits, unclosed } = editMarkup(live, policy);
  const all = [...edits, ...editBlocks(live, policy)];
  // Where HTML goes, Markdown comes to mean something: what it means is the next reading's question.
  if (!all.some(({ kind }) => kind === "HTML" || kind === "hidden text")) all.push(...editWords(live, policy));
  for (const { kind } of all) removed.add(kind);
  if (all.length > 0) return applyEdits(seen, [...all, ...escapes(live, all)]);
  return closed(seen, unclosed);
}

/** Mentions, closing words, addresses and commands, each as code. */
function editWords(live: LiveText, policy: OutgoingPolicy): readonly Edit[] {
  const edits: Edit[] = [];
  const inert = (start: number, end: number, content: string, kind: Removed): Edit =>
    live.isRaw(start) ? { start, end, insert: element(content), kind } : { start, end, insert: span(content), kind, span: true };
  for (const { start, end, content, kind } of findLive(live.shown, policy, runsOnIn(live))) {
    edits.push(inert(live.starts[start] ?? 0, live.ends[end - 1] ?? 0, content, kind));
  }
  let index = 0;
  for (const { start, end } of findCommands(live.source)) {
    while ((live.segments[index]?.end ?? Infinity) <= start) index += 1;
    const segment = live.segments[index];
    const command = live.source.slice(start, end);
    if (segment?.kind === "code-block") continue;
    if (segment?.kind !== "code-span") edits.push(inert(start, end, command, "commands to bots"));
    // A code span that goes on over the line's end shows it as a blank.
    else edits.push({ start: live.source.lastIndexOf("\n", start), end: start, insert: " ", kind: "commands to bots" });
  }
  return edits;
}

/**
 * GitHub reads an address to the next blank, over quotes, backticks and backslashes: the code or the escape that begins there would be none.
 * Source: cmark-gfm's autolink.c.
 */
function runsOnIn({ source, starts, ends }: LiveText): (start: number, end: number) => boolean {
  return (start, end) => {
    const from = ends[end - 1] ?? source.length;
    const rest = source.slice(from, from + LONGEST_ADDRESS);
    const blank = rest.search(/[\s<]/);
    const taken = source.slice(starts[start] ?? 0, from) + (blank < 0 ? rest : rest.slice(0, blank));
    return taken.length > LONGEST_ADDRESS || /[`\\]/.test(taken);
  };
}

/** Code that bots or GitHub would act on: it keeps its lines, in a quote or without its language. */
function editBlocks({ source, segments }: LiveText, policy: OutgoingPolicy): readonly Edit[] {
  const edits: Edit[] = [];
  for (const { kind, start, end } of segments) {
    if (kind !== "code-block") continue;
    const block = source.slice(start, end);
    if (findCommands(block).some((command) => isKnownCommand(block.slice(command.start, command.end)))) {
      edits.push({ start, end, insert: quoted(block), kind: "commands to bots" });
    }
    const [fence, lead = ""] = DRAWN.exec(block) ?? [];
    if (fence === undefined || !/https?:|www\.|\/\/|\bclick\b|\bhref\b/i.test(block)) continue;
    if (
      [...block.matchAll(/[a-z]*:?\/\/[^\s"'<>)]+|www\.[^\s"'<>)]+|\w+script:/gi)].every(([address]) =>
        isPublishableDestination(address, policy),
      )
    )
      continue;
    edits.push({ start, end: start + fence.length, insert: `${lead}text`, kind: "drawings with links" });
  }
  return edits;
}

/** A block of code inside a quote: what is shown stays the same, and no line begins with what stood there. */
function quoted(block: string): string {
  const [, lead = ""] = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)/.exec(block) ?? [];
  const lines = block.split("\n");
  return lines
    .map((line, row) => {
      if (row === 0) return `${lead}> ${line.slice(lead.length)}`;
      if (line === "" && row === lines.length - 1) return line;
      const indent = Math.min(lead.length, line.length - line.trimStart().length);
      return `${line.slice(0, indent)}> ${line.slice(indent)}`;
    })
    .join("\n");
}

/** Backslashes for lone backticks near new code spans: they would pair with those. A code span never goes over an empty line. */
function escapes({ source, strays }: LiveText, edits: readonly Edit[]): readonly Edit[] {
  const places = edits
    .filter(({ span: isSpan }) => isSpan === true || isSpan === undefined)
    .map(({ start }) => start)
    .toSorted((a, b) => a - b);
  const escaped: Edit[] = [];
  const empty = /\n[ \t>]*(?=\n)/g;
  let from = 0;
  let stray = 0;
  let place = 0;
  while (from <= source.length) {
    empty.lastIndex = from;
    const to = empty.exec(source)?.index ?? source.length;
    while ((places[place] ?? Infinity) < from) place += 1;
    const isTouched = (places[place] ?? Infinity) <= to;
    for (; (strays[stray] ?? Infinity) <= to; stray += 1) {
      const at = strays[stray] ?? 0;
      if (isTouched) escaped.push({ start: at, end: at, insert: "\\", kind: "mentions" });
    }
    from = to + 1;
  }
  return escaped;
}

/** Nothing stays open over what follows: no fence, no element. */
function closed(text: string, unclosed: readonly string[]): string {
  const fence = openFenceAtEnd(text);
  const fenced = fence === undefined ? text : `${text}${text.endsWith("\n") ? "" : "\n"}${fence.markup}`;
  return unclosed.length === 0 ? fenced : `${fenced}\n\n${unclosed.map((name) => `</${name}>`).join("")}`;
}

/** The whole text as code in a quote: no line of it begins anything. */
function asWritten(text: string): string {
  const lines = text
    .replace(MARKER, "<! --")
    .replace(ODD_LINE_END, " ")
    .replace(/\r\n?/g, "\n")
    .trimEnd()
    .slice(0, LONGEST_SCANNED / 4);
  let fence = "```";
  for (const [run] of lines.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return [`${fence}text`, ...lines.split("\n"), fence].map((line) => `> ${line}`).join("\n");
}
