import type { Confidence, CodeGraph, EdgeKind, FileRole, GraphEdge, GraphSymbol } from "../../../../src/graph/graph.ts";
import { askable, type AskableGraph } from "../../../../src/graph/query/askable.ts";

/** A symbol as a test writes it: `path` and `Class.name`; the line is its place in the list. */
export interface Drawn {
  readonly at: string;
  readonly name: string;
  readonly kind?: GraphSymbol["kind"];
  readonly exported?: boolean;
  readonly lines?: readonly [number, number];
}

/** `[from, kind, to]` by the place in the list of symbols. */
export type Arrow = readonly [number, EdgeKind, number, Confidence?];

/** A graph that is only what is drawn: no facts, no resolution. Files with `test` in their path are tests. */
export function draw(
  symbols: readonly Drawn[],
  arrows: readonly Arrow[],
  more: Partial<Pick<CodeGraph, "notIndexed" | "unresolved" | "unresolvedOf">> = {},
): AskableGraph {
  const paths = [...new Set(symbols.map(({ at }) => at))];
  const made: GraphSymbol[] = symbols
    .map(({ at, name, kind = "function", exported = false, lines }, id) => ({
      id,
      name: name.slice(name.lastIndexOf(".") + 1),
      qualified: name,
      kind,
      path: at,
      line: lines?.[0] ?? id + 1,
      endLine: lines?.[1] ?? id + 1,
      isExported: exported,
      isTest: false,
      parent: symbols.findIndex((other) => other.at === at && name.includes(".") && other.name === name.slice(0, name.lastIndexOf("."))),
      fact: 0,
    }))
    .map((symbol) => ({ ...symbol, parent: symbol.parent < 0 ? undefined : symbol.parent }));
  const modules = paths.map((path, index): GraphSymbol => ({
    id: made.length + index,
    name: path,
    qualified: path,
    kind: "module",
    path,
    line: 1,
    endLine: 1000,
    isExported: true,
    isTest: false,
    parent: undefined,
    fact: 0,
  }));
  const all = [...made.map((symbol) => ({ ...symbol, parent: symbol.parent ?? made.length + paths.indexOf(symbol.path) })), ...modules];
  const edges = arrows.map(([from, kind, to, confidence = "exact"]): GraphEdge => ({
    from,
    to,
    kind,
    confidence,
    path: all[from]?.path ?? "",
    line: 100 + from,
  }));
  const files = paths.map((path, index) => ({
    path,
    blob: path,
    language: "typescript" as const,
    role: (path.includes("test") ? "test" : "source") as FileRole,
    module: made.length + index,
    lines: 1000,
  }));
  return askable({
    symbols: all,
    files,
    notIndexed: [],
    unresolved: { calls: 0, external: 0, unknown: 0 },
    edgesFrom: (id) => edges.filter(({ from }) => from === id),
    edgesTo: (id) => edges.filter(({ to }) => to === id),
    file: (path) => files.find((file) => file.path === path),
    symbolsOf: (path) =>
      all
        .filter((symbol) => symbol.path === path)
        .toSorted((a, b) => Number(b.kind === "module") - Number(a.kind === "module") || a.line - b.line),
    factsOf: () => undefined,
    symbolOfFact: () => undefined,
    targetsOf: () => [],
    unresolvedOf: () => [],
    ...more,
  });
}
