import type { FoundFile, FoundLine } from "./file-search.ts";

/** What ripgrep writes for a text: `bytes` (base64) where it is no UTF-8. Source: ripgrep's JSON printer (grep-printer, `json` module). */
type EventText = { readonly text: string } | { readonly bytes: string };
interface LineData {
  readonly path: EventText;
  readonly lines: EventText;
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}
interface EndData {
  readonly path: EventText;
  readonly binary_offset: number | null;
}
export type SearchEvent =
  | { readonly type: "match"; readonly data: LineData }
  | { readonly type: "context"; readonly data: LineData }
  | { readonly type: "end"; readonly data: EndData }
  | { readonly type: "begin" }
  | { readonly type: "summary" };

/** How much of a line is shown, in bytes; a third of it stands before the match. */
const SHOWN_LINE = 600;

export interface Collected {
  readonly files: readonly FoundFile[];
  readonly matches: number;
  readonly filesWithMatches: number;
  readonly binary: readonly string[];
}

/** One line of ripgrep's JSON output. */
export const readEvent = (record: string): SearchEvent => JSON.parse(record) as SearchEvent;

/**
 * Folds ripgrep's events. It counts every matching line and keeps the first `limit` by path and line, in memory that does not grow with
 * what is found: files arrive in any order, so those that lie too far behind are dropped now and then.
 */
export function collectEvents(
  limit: number,
  context: number,
): { readonly add: (event: SearchEvent) => void; readonly end: () => Collected } {
  const files = new Map<string, { matches: number; readonly lines: FoundLine[] }>();
  const binary: string[] = [];
  let matches = 0;
  let filesWithMatches = 0;
  let kept = 0;
  const add = (event: SearchEvent) => {
    if (event.type === "begin" || event.type === "summary") return;
    const path = textOf(event.data.path).replace(/^\.\//, "");
    const file = files.get(path) ?? { matches: 0, lines: [] };
    if (event.type === "end") {
      if (file.matches === 0) return;
      if (event.data.binary_offset === null) {
        filesWithMatches++;
        matches += file.matches;
      } else {
        files.delete(path);
        binary.push(path);
      }
      if (kept > 4 * limit + 1000) kept = dropBehind(files, limit);
      return;
    }
    files.set(path, file);
    const isMatch = event.type === "match";
    if (isMatch) file.matches++;
    if (file.matches > limit) return;
    kept++;
    file.lines.push({ line: event.data.line_number, matches: isMatch, text: showLine(event.data.lines, event.data.submatches[0]) });
  };
  const end = () => ({ files: firstMatches(files, limit, context), matches, filesWithMatches, binary: binary.toSorted() });
  return { add, end };
}

type FilesByPath = Map<string, { readonly matches: number; readonly lines: readonly FoundLine[] }>;

/** Keeps the files, by path, that hold the first `limit` matches; answers how many lines are kept. */
function dropBehind(files: FilesByPath, limit: number): number {
  let seen = 0;
  let kept = 0;
  for (const path of [...files.keys()].toSorted()) {
    const file = files.get(path);
    if (seen >= limit) files.delete(path);
    else kept += file?.lines.length ?? 0;
    seen += file?.matches ?? 0;
  }
  return kept;
}

function firstMatches(files: FilesByPath, limit: number, context: number): readonly FoundFile[] {
  const found: FoundFile[] = [];
  let left = limit;
  for (const path of [...files.keys()].toSorted()) {
    if (left === 0) break;
    const lines = files.get(path)?.lines ?? [];
    const matching = lines.filter(({ matches }) => matches).slice(0, left);
    const last = matching.at(-1);
    if (last === undefined) continue;
    left -= matching.length;
    found.push({ path, lines: lines.filter(({ line, matches }) => line <= last.line || (!matches && line <= last.line + context)) });
  }
  return found;
}

function textOf(text: EventText): string {
  return "text" in text ? text.text : Buffer.from(text.bytes, "base64").toString("utf8");
}

function showLine(text: EventText, match: { readonly start: number } | undefined): string {
  const bytes = "text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64");
  let end = bytes.length;
  if (bytes[end - 1] === 0x0a) end--;
  if (bytes[end - 1] === 0x0d) end--;
  if (end <= SHOWN_LINE) return bytes.toString("utf8", 0, end);
  const from = onCharacter(bytes, Math.max(0, Math.min((match?.start ?? 0) - SHOWN_LINE / 3, end - SHOWN_LINE)));
  const to = onCharacter(bytes, Math.min(end, from + SHOWN_LINE));
  return `${from > 0 ? "…" : ""}${bytes.toString("utf8", from, to)}${to < end ? "…" : ""} (${end} bytes)`;
}

/** The next offset at which a UTF-8 character begins. */
function onCharacter(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (at < offset + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
