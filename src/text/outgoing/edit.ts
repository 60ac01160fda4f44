import type { Removed } from "./policy.ts";

/** One replacement in a text; offsets are UTF-16 units, `end` exclusive. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
  readonly kind: Removed;
  /** `insert` begins and ends as a code span: no backtick or backslash may touch it. */
  readonly span?: boolean;
}

/** Code in running Markdown. The content is one line without backticks; bars would split a table's cell. */
export function span(content: string): string {
  return `\`${content.replace(/\s+/g, " ").replaceAll("`", "'").replaceAll("|", "%7C")}\``;
}

/** Code in raw HTML, where backticks mean nothing. */
export function element(content: string): string {
  return `<code>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</code>`;
}

/** Carries out edits from left to right; one that overlaps an earlier or longer one is left for the next reading. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  let last = "";
  for (const { start, end, insert, span: isSpan } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    const kept = text.slice(at, start);
    last = kept.at(-1) ?? last;
    const before = isSpan === true && (last === "`" || last === "\\") ? " " : "";
    const after = isSpan === true && text[end] === "`" ? " " : "";
    parts.push(kept, before, insert, after);
    last = after || insert.at(-1) || last;
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}
