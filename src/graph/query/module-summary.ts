import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { dependenciesOf, type Dependencies } from "./dependencies.ts";
import { findFile, type FoundFile } from "./find-target.ts";
import { isTestSymbol } from "./places.ts";
import { createReach } from "./reach.ts";

export interface SummarisedSymbol {
  readonly symbol: GraphSymbol;
  /** Places outside of its file that use it. */
  readonly uses: number;
}

export interface ModuleSummary {
  readonly status: "found";
  readonly dependencies: Dependencies;
  readonly exported: readonly SummarisedSymbol[];
  readonly own: readonly SummarisedSymbol[];
  /** Test files that import it or reach what it declares, and by how many steps (0: by an import alone). */
  readonly tests: readonly { readonly path: string; readonly depth: number }[];
  readonly unresolved: readonly { readonly line: number; readonly name: string }[];
}

const TEST_DEPTH = 6;

/** What a file is for: what it gives others, what it needs, who uses it, which tests reach it, and what of it is not known. */
export function moduleSummaryOf(asked: AskableGraph, path: string): ModuleSummary | Exclude<FoundFile, { readonly status: "found" }> {
  const found = findFile(asked, path);
  if (found.status !== "found") return found;
  const { graph, relations } = asked;
  const { file } = found;
  const symbols = graph.symbolsOf(path).filter(({ kind, parent }) => kind !== "module" && isShown(asked, parent, file.module));
  const summarised = symbols.map((symbol): SummarisedSymbol => ({
    symbol,
    uses: [...relations.users.of(symbol.id)].filter((id) => graph.symbols[id]?.path !== path).length,
  }));
  return {
    status: "found",
    dependencies: dependenciesOf(asked, file),
    exported: summarised.filter(({ symbol }) => symbol.isExported),
    own: summarised.filter(({ symbol }) => !symbol.isExported),
    tests: testsOf(asked, path, file.module),
    unresolved: graph.unresolvedOf(path),
  };
}

/** What stands at the top level or in a class of it; what functions keep to themselves is left out. */
function isShown({ graph }: AskableGraph, parent: number | undefined, module: number): boolean {
  for (let at = parent; at !== undefined && at !== module; at = graph.symbols[at]?.parent) {
    const { kind } = graph.symbols[at] ?? {};
    if (kind === "function" || kind === "method") return false;
  }
  return true;
}

function testsOf(asked: AskableGraph, path: string, module: number): ModuleSummary["tests"] {
  const { graph, relations } = asked;
  const tests = new Map<string, number>();
  for (const { from, kind } of graph.edgesTo(module)) {
    const symbol = graph.symbols[from];
    if (symbol !== undefined && (kind === "tests" || (kind === "imports" && isTestSymbol(asked, symbol)))) tests.set(symbol.path, 0);
  }
  const ids = graph.symbolsOf(path).map(({ id }) => id);
  for (const { id, depth } of createReach(relations, graph.symbols.length)(ids, TEST_DEPTH)) {
    const symbol = graph.symbols[id];
    if (symbol !== undefined && isTestSymbol(asked, symbol) && !tests.has(symbol.path)) tests.set(symbol.path, depth);
  }
  tests.delete(path);
  return [...tests].map(([test, depth]) => ({ path: test, depth }));
}
