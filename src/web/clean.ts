import { stripInvisible } from "../text/hidden.ts";

/** Makes one text of a run fit to be shown; it is still hostile and must be escaped. */
export type Clean = (text: string) => string;

/**
 * Takes invisible and direction characters out, then masks: the other way round, a secret with a zero-width character in it would pass the
 * mask and be whole on the page.
 */
export function cleanWith(mask: (text: string) => string): Clean {
  return (text) => mask(stripInvisible(text));
}

/** The same value with every text in it cleaned, the names of its members too. For plain JSON of bounded depth. */
export function cleanAll<T>(value: T, clean: Clean): T {
  return cleanValue(value, clean) as T;
}

function cleanValue(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), cleanValue(member, clean)]));
}

/** At most `limit` UTF-16 units of a cleaned text, never half a character, and how many were left out. */
export function cut(text: string, limit: number): { readonly shown: string; readonly left: number } {
  if (text.length <= limit) return { shown: text, left: 0 };
  const shown = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  return { shown, left: text.length - shown.length };
}

/** One line of at most `limit` units, with an ellipsis where something is left out. */
export function oneLine(text: string, limit: number): string {
  const { shown, left } = cut(text.replace(/\s+/g, " ").trim(), limit);
  return left === 0 ? shown : `${shown.trimEnd()}…`;
}
