import type { Confidence, EdgeKind, GraphEdge, GraphSymbol } from "../graph.ts";
import type { AskableGraph, OpenEnd } from "./askable.ts";
import { isHeritage, isUse } from "./relations.ts";

/** Where one symbol uses another one, and how sure that is. */
export interface Place {
  readonly path: string;
  /** Of the first use; the others are `further`. */
  readonly line: number;
  readonly further: readonly number[];
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
}

/** What an answer could not look through. */
export interface Doubt {
  /** Places that say the symbol's name and lead nowhere in the repository. */
  readonly openEnds: readonly OpenEnd[];
  /** How many there are of them. */
  readonly openCount: number;
  /** Files of the repository that were not read. */
  readonly notIndexed: number;
  /** Of all calls of the repository: those that lead nobody knows where. */
  readonly unknownCalls: number;
  readonly calls: number;
}

const MOST_OPEN = 10;
const SURE: Readonly<Record<Confidence, number>> = { exact: 0, inferred: 1, "by-name": 2 };

/** The surest edge from one symbol to another, with all lines of that kind. */
export function placeOf({ graph }: AskableGraph, from: number, to: number): Place | undefined {
  const edges = graph.edgesFrom(from).filter((edge) => edge.to === to && (isUse(edge) || isHeritage(edge)));
  return joined(edges);
}

/** Several edges as one place: the surest kind, and its lines. */
export function joined(edges: readonly GraphEdge[]): Place | undefined {
  const [best] = edges.toSorted((a, b) => SURE[a.confidence] - SURE[b.confidence] || rankOf(a.kind) - rankOf(b.kind) || a.line - b.line);
  if (best === undefined) return undefined;
  const lines = [...new Set(edges.filter(({ kind }) => kind === best.kind).map(({ line }) => line))].sort((a, b) => a - b);
  const [line = best.line, ...further] = lines;
  return { path: best.path, line, further, kind: best.kind, confidence: best.confidence };
}

function rankOf(kind: EdgeKind): number {
  return kind === "call" ? 0 : kind === "reference" ? 1 : 2;
}

export function doubtAbout(asked: AskableGraph, names: Iterable<string>): Doubt {
  const { graph } = asked;
  const ends = [...new Set(names)].flatMap((name) => asked.openEnds(name));
  return {
    openEnds: ends.slice(0, MOST_OPEN),
    openCount: ends.length,
    notIndexed: graph.notIndexed.length,
    unknownCalls: graph.unresolved.unknown,
    calls: graph.unresolved.calls,
  };
}

export function isTestSymbol({ graph }: AskableGraph, symbol: GraphSymbol): boolean {
  return symbol.isTest || graph.file(symbol.path)?.role === "test";
}

/** Every base or interface method by which one may be called, nearest first. */
export function basesOf({ relations }: AskableGraph, ids: readonly number[]): readonly number[] {
  return spread(ids, (id) => relations.bases.of(id));
}

/** Every method that may run where one of these is called. */
export function overridesOf({ relations, graph }: AskableGraph, ids: readonly number[]): readonly number[] {
  const isMethod = (id: number): boolean => ["method", "function", "field"].includes(graph.symbols[id]?.kind ?? "");
  return spread(ids, (id) => (isMethod(id) ? relations.heirs.of(id) : []));
}

function spread(ids: readonly number[], next: (id: number) => Iterable<number>): readonly number[] {
  const seen = new Set(ids);
  const found: number[] = [];
  const pending = [...ids];
  for (let at = 0; at < pending.length; at++) {
    for (const other of next(pending[at] as number)) {
      if (seen.has(other)) continue;
      seen.add(other);
      found.push(other);
      pending.push(other);
    }
  }
  return found;
}
