import { nearest } from "../../text/nearest.ts";
import type { SymbolKind } from "../facts.ts";
import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { isTestSymbol } from "./places.ts";

/** How a name fits: the whole of it, without regard to case, its beginning, a word of it, a part of it, or nearly. */
export type Fit = "exact" | "case" | "prefix" | "word" | "part" | "near";

export interface SymbolSearch {
  readonly query: string;
  readonly found: readonly { readonly symbol: GraphSymbol; readonly fit: Fit; readonly uses: number }[];
  readonly count: number;
  /** Files whose path holds the query, when no symbol fits. */
  readonly paths: readonly string[];
}

export interface SearchOptions {
  readonly query: string;
  readonly kind?: SymbolKind | undefined;
  /** 20 when not said. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 20;
const MOST_PATHS = 10;
const FITS: readonly Fit[] = ["exact", "case", "prefix", "word", "part", "near"];

/** Symbols by name, the best fit first, then what is used most; `Class.method` narrows to what is declared so. */
export function searchSymbols(asked: AskableGraph, { query, kind, limit = DEFAULT_LIMIT }: SearchOptions): SymbolSearch {
  const { graph, names, relations } = asked;
  const wanted = query
    .trim()
    .replace(/^`+|`+$|\(\)$/g, "")
    .replace(/::|#|->/g, ".");
  const own = wanted.slice(wanted.lastIndexOf(".") + 1);
  const isWanted = (symbol: GraphSymbol): boolean =>
    (kind === undefined || symbol.kind === kind) && (own === wanted || symbol.qualified.toLowerCase().includes(wanted.toLowerCase()));
  const found: { readonly symbol: GraphSymbol; readonly fit: Fit; readonly uses: number }[] = [];
  const take = (name: string, fit: Fit): void => {
    for (const symbol of names.named(name)) {
      if (isWanted(symbol)) found.push({ symbol, fit, uses: relations.users.of(symbol.id).length });
    }
  };
  if (own !== "") {
    for (const name of names.all) {
      const fit = fitOf(name, own);
      if (fit !== undefined) take(name, fit);
    }
  }
  if (found.length === 0 && own !== "") {
    const likely = nearest(own, names.all);
    if (likely !== undefined) take(likely, "near");
  }
  const order = found.toSorted(
    (a, b) =>
      FITS.indexOf(a.fit) - FITS.indexOf(b.fit) ||
      Number(isTestSymbol(asked, a.symbol)) - Number(isTestSymbol(asked, b.symbol)) ||
      b.uses - a.uses ||
      a.symbol.id - b.symbol.id,
  );
  const lower = wanted.toLowerCase();
  const paths = found.length > 0 ? [] : graph.files.map(({ path }) => path).filter((path) => path.toLowerCase().includes(lower));
  return { query, found: order.slice(0, limit), count: found.length, paths: paths.slice(0, MOST_PATHS) };
}

function fitOf(name: string, wanted: string): Fit | undefined {
  if (name === wanted) return "exact";
  const lower = name.toLowerCase();
  const part = wanted.toLowerCase();
  if (lower === part) return "case";
  if (lower.startsWith(part)) return "prefix";
  const at = lower.indexOf(part);
  if (at < 0) return initialsOf(name).startsWith(part) && part.length > 1 ? "part" : undefined;
  return isWordStart(name, at) ? "word" : "part";
}

/** `gUN` begins three words of `getUserName`, `name` the second of `user_name`. */
function isWordStart(name: string, at: number): boolean {
  return /[A-Z]/.test(name[at] ?? "") || /[_$\d-]/.test(name[at - 1] ?? "");
}

function initialsOf(name: string): string {
  return [...name.matchAll(/(?:^|[_$-])([a-zA-Z])|([A-Z])/g)]
    .map(([, first = "", capital = ""]) => first + capital)
    .join("")
    .toLowerCase();
}
