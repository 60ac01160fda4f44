import type { CodeGraph, GraphSymbol } from "../graph.ts";

/** The symbols of a graph by their own names; files are not among them. */
export interface NameIndex {
  named(name: string): readonly GraphSymbol[];
  /** Every name, each once. */
  readonly all: readonly string[];
}

export function indexNames(graph: CodeGraph): NameIndex {
  const index = new Map<string, GraphSymbol[]>();
  for (const symbol of graph.symbols) {
    if (symbol.kind === "module") continue;
    const namesakes = index.get(symbol.name);
    if (namesakes === undefined) index.set(symbol.name, [symbol]);
    else namesakes.push(symbol);
  }
  return { named: (name) => index.get(name) ?? [], all: [...index.keys()] };
}
