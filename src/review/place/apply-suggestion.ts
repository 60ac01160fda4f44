import type { Span } from "./lines.ts";

/**
 * A file with a suggestion in place of some lines, as it is after somebody has applied it; undefined where the file has no such lines. Lines
 * keep the ends that they have there.
 * @param text the file as it was read
 * @param lines what the suggestion replaces, 1-based
 */
export function applySuggestion(text: string, { first, last }: Span, suggestion: string): string | undefined {
  const rows = text.split("\n");
  const count = text.endsWith("\n") ? rows.length - 1 : rows.length;
  if (first < 1 || last < first || last > count) return undefined;
  const end = rows[first - 1]?.endsWith("\r") === true ? "\r" : "";
  const wanted = suggestion === "" ? [] : suggestion.replaceAll("\r\n", "\n").split("\n");
  return [...rows.slice(0, first - 1), ...wanted.map((row) => row + end), ...rows.slice(last)].join("\n");
}
