import { readHtml, type Html } from "./html.ts";
import { linkEnd } from "./link.ts";
import type { Paint } from "./paint.ts";

/** What one pass over a document carries from block to block. */
export interface ScanState {
  readonly text: string;
  readonly paint: Paint;
  /** Labels of the document's link definitions, normalised. */
  readonly references: ReadonlySet<string>;
  /** Elements whose content is not the author speaking, still open, with their depth. */
  readonly open: Map<string, number>;
  /** Where the outermost of them began. */
  openSince: number;
  /** Where a comment began that its block did not close: it hides the rest of the page. */
  hiddenFrom: number;
}

/** Elements whose text is code, quoted, another page's, or not shown. `a` counts when it is a link. */
export const SILENT: ReadonlySet<string> = new Set([
  "pre",
  "code",
  "tt",
  "samp",
  "kbd",
  "xmp",
  "plaintext",
  "a",
  "blockquote",
  "q",
  "script",
  "style",
  "template",
  "textarea",
  "title",
]);
/** These end with their paragraph when nobody closes them (HTML's formatting elements live on, and so do blocks). */
const ENDS_WITH_BLOCK = ["samp", "kbd", "q"];
/** Brackets deeper than this are plain text, so that nesting costs no more than length. */
const DEEPEST_BRACKETS = 64;
/** URLs as GitHub links them, and any other scheme; e-mail addresses. Anchored by what may not stand before, so no run is read twice. */
const ADDRESSES = [
  /(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.|mailto:|xmpp:)[^\s<>]+/gi,
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
];

/** Reads one run of inline content: code spans, HTML, links and addresses, in the order of precedence that GFM gives them. */
export function scanProse(state: ScanState, start: number, end: number): void {
  const { text, paint } = state;
  paint.fill("prose", start, end);
  let runs: BacktickRuns | undefined;
  const missing = new Set<string>();
  const brackets: { at: number; image: boolean; active: boolean }[] = [];
  let tooDeep = 0;
  const special = /[\\`<[\]]/g;
  special.lastIndex = start;
  for (let hit = special.exec(text); hit !== null && hit.index < end; hit = special.exec(text)) {
    const at = hit.index;
    switch (hit[0]) {
      case "\\":
        special.lastIndex = at + (/[!-/:-@[-`{-~]/.test(text.charAt(at + 1)) ? 2 : 1);
        break;
      case "`": {
        const opening = runLength(text, at, end);
        runs ??= backtickRuns(text, start, end);
        const closing = runs.closing(opening, at + opening);
        special.lastIndex = closing === undefined ? at + opening : closing + opening;
        if (closing !== undefined) paint.fill("code-span", at, closing + opening);
        break;
      }
      case "<": {
        const html = readHtml(text, at, end, missing);
        if (html === undefined) break;
        special.lastIndex = html.end;
        take(state, html, at);
        break;
      }
      case "[":
        if (brackets.length < DEEPEST_BRACKETS) brackets.push({ at, image: text[at - 1] === "!" && at > start, active: true });
        else tooDeep += 1;
        break;
      default: {
        if (tooDeep > 0) {
          tooDeep -= 1;
          break;
        }
        const opener = brackets.pop();
        if (opener === undefined || !opener.active) break;
        const linked = linkEnd(text, opener.at, at, end, state.references);
        if (linked === undefined) break;
        // Only what was running text: a comment or code inside a link's words stays what it is.
        paint.repaint("prose", "link", opener.image ? opener.at - 1 : opener.at, linked);
        special.lastIndex = linked;
        if (!opener.image) for (const outer of brackets) outer.active &&= outer.image;
      }
    }
  }
  markAddresses(state, start, end);
  for (const name of ENDS_WITH_BLOCK) close(state, name, end, true);
}

/** Reads a block of raw HTML: what stands between its tags is shown, so it counts as prose; a comment nobody closed hides the rest of the page. */
export function scanHtmlBlock(state: ScanState, start: number, end: number): void {
  const { text, paint } = state;
  paint.fill("prose", start, end);
  const missing = new Set<string>();
  for (let at = text.indexOf("<", start); at >= 0 && at < end;) {
    const html = readHtml(text, at, end, missing);
    if (html === undefined && text.startsWith("<!--", at)) {
      state.hiddenFrom = Math.min(state.hiddenFrom, at);
      break;
    }
    if (html !== undefined) take(state, html, at);
    at = text.indexOf("<", html?.end ?? at + 1);
  }
  markAddresses(state, start, end);
}

function markAddresses({ text, paint }: ScanState, start: number, end: number): void {
  const block = text.slice(start, end);
  if (!/[:@]|www\./i.test(block)) return;
  for (const pattern of ADDRESSES) {
    for (const { index, 0: address } of block.matchAll(pattern))
      paint.repaint("prose", "link", start + index, start + index + address.length);
  }
}

function take(state: ScanState, html: Html, at: number): void {
  state.paint.fill(html.kind, at, html.end);
  if (html.tag === undefined || !SILENT.has(html.tag.name)) return;
  const { name, closing, link } = html.tag;
  if (closing) close(state, name, at, false);
  else if (name !== "a" || link) {
    if (state.open.size === 0) state.openSince = at;
    state.open.set(name, (state.open.get(name) ?? 0) + 1);
  }
}

function close(state: ScanState, name: string, at: number, all: boolean): void {
  const depth = state.open.get(name);
  if (depth === undefined) return;
  if (depth > 1 && !all) {
    state.open.set(name, depth - 1);
    return;
  }
  state.open.delete(name);
  if (state.open.size === 0) state.paint.repaint("prose", "html", state.openSince, at);
}

function runLength(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && text[next] === "`") next += 1;
  return next - at;
}

interface BacktickRuns {
  /** Where the next run of this length starts. */
  closing(length: number, from: number): number | undefined;
}

/** All runs of backticks by their length, asked in ascending order: each is looked at once however many openers there are. */
function backtickRuns(text: string, start: number, end: number): BacktickRuns {
  const runs = new Map<number, { places: number[]; next: number }>();
  const pattern = /`+/g;
  pattern.lastIndex = start;
  for (let hit = pattern.exec(text); hit !== null && hit.index < end; hit = pattern.exec(text)) {
    const entry = runs.get(hit[0].length) ?? { places: [], next: 0 };
    entry.places.push(hit.index);
    runs.set(hit[0].length, entry);
  }
  return {
    closing(length, from) {
      const entry = runs.get(length);
      if (entry === undefined) return undefined;
      while ((entry.places[entry.next] ?? Infinity) < from) entry.next += 1;
      return entry.places[entry.next];
    },
  };
}
