import type { SymbolSearch } from "../query/search.ts";
import { shown } from "./shown.ts";
import { count, declaredAt } from "./words.ts";

const WORDS = {
  exact: "exact name",
  case: "other case",
  prefix: "begins so",
  word: "a word of it",
  part: "a part of it",
  near: "nearly so",
} as const;

/** Symbols by name, one a line: what it is and where, how the name fits, and by how many it is used. */
export function showSearch({ query, found, count: all, paths }: SymbolSearch): string {
  if (found.length === 0) {
    const files = paths.length === 0 ? "" : ` Files of that name: ${paths.map(shown).join(", ")}.`;
    return `No symbol fits ${shown(query)}.${files}`;
  }
  const rows = found.map(({ symbol, fit, uses }) => {
    const exported = symbol.isExported ? ", exported" : "";
    return `${declaredAt(symbol)} (${WORDS[fit]}${exported}, used by ${uses}${symbol.isTest ? ", a test" : ""})`;
  });
  const head =
    all > found.length
      ? `${found.length} of ${count(all, "symbol")} for ${shown(query)}:`
      : `${count(all, "symbol")} for ${shown(query)} (declarations, exact):`;
  return [head, ...rows].join("\n");
}
