import type { Confidence, GraphEdge, GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import type { Target } from "./find-target.ts";
import { basesOf, doubtAbout, joined, overridesOf, type Doubt, type Place } from "./places.ts";
import { withMembers } from "./reach.ts";

/** One symbol that calls, or is called, at a place. */
export interface Call {
  readonly symbol: GraphSymbol;
  /** 1 for the target's own. */
  readonly depth: number;
  readonly place: Place;
  /** The other end: what it calls, or who calls it. */
  readonly other: GraphSymbol;
  /** Of a caller: the base or interface method that it names. */
  readonly through: GraphSymbol | undefined;
  /** Of a callee: the methods that may run in its place. */
  readonly mayRun: readonly GraphSymbol[];
}

export interface Calls {
  readonly target: Target;
  /** Nearest first, at most `limit` of `count`. */
  readonly calls: readonly Call[];
  readonly count: number;
  /** Places that name it without a call: handed over, stored, written as a type. */
  readonly named: readonly { readonly symbol: GraphSymbol; readonly place: Place }[];
  readonly namedCount: number;
  readonly doubt: Doubt;
}

export interface CallsOptions {
  /** Steps; 1 when not said. */
  readonly depth?: number | undefined;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 100;
const MOST_NAMED = 20;
const MOST_MAY_RUN = 8;
const CONSTRUCTORS = new Set(["constructor", "__init__", "__new__", "initialize", "__construct"]);

/** Who calls a symbol: of a method also by its interfaces and bases, of a class by its constructor. */
export function callersOf(asked: AskableGraph, target: Target, { depth = 1, limit = DEFAULT_LIMIT }: CallsOptions = {}): Calls {
  const { graph } = asked;
  const starts = [...target.ids, ...constructorsOf(asked, target)];
  const found: Call[] = [];
  const seen = new Set<number>();
  let level = starts;
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: number[] = [];
    for (const id of level) {
      for (const at of [id, ...basesOf(asked, [id])]) {
        const through = at === id ? undefined : graph.symbols[at];
        for (const [from, edges] of byEnd(graph.edgesTo(at), "call", ({ from }) => from)) {
          const symbol = graph.symbols[from];
          const place = joined(edges);
          if (symbol === undefined || place === undefined || seen.has(from)) continue;
          seen.add(from);
          found.push({ symbol, depth: step, place, other: graph.symbols[id] as GraphSymbol, through, mayRun: [] });
          next.push(from);
        }
      }
    }
    level = next;
  }
  const named = namedAt(asked, starts, seen);
  return {
    target,
    calls: inOrder(found).slice(0, limit),
    count: found.length,
    named: named.slice(0, MOST_NAMED),
    namedCount: named.length,
    doubt: doubtAbout(asked, [target.main.name]),
  };
}

/** What a symbol calls, with what is declared in it; of an interface's method also what may run in its place. */
export function calleesOf(asked: AskableGraph, target: Target, { depth = 1, limit = DEFAULT_LIMIT }: CallsOptions = {}): Calls {
  const { graph, relations } = asked;
  const own = withMembers(relations, target.ids);
  const found: Call[] = [];
  const seen = new Set<number>();
  const named = new Map<number, { readonly symbol: GraphSymbol; readonly place: Place }>();
  let level = own;
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next: number[] = [];
    for (const id of level) {
      for (const [to, edges] of byEnd(graph.edgesFrom(id), "call", ({ to }) => to)) {
        const symbol = graph.symbols[to];
        const place = joined(edges);
        if (symbol === undefined || place === undefined || seen.has(to)) continue;
        seen.add(to);
        const mayRun = overridesOf(asked, [to]);
        found.push({
          symbol,
          depth: step,
          place,
          other: graph.symbols[id] as GraphSymbol,
          through: undefined,
          mayRun: mayRun.slice(0, MOST_MAY_RUN).flatMap((other) => graph.symbols[other] ?? []),
        });
        next.push(to, ...mayRun);
      }
      if (step > 1) continue;
      for (const [to, edges] of byEnd(graph.edgesFrom(id), "reference", ({ to }) => to)) {
        const symbol = graph.symbols[to];
        const place = joined(edges);
        if (symbol !== undefined && place !== undefined && !own.includes(to)) named.set(to, { symbol, place });
      }
    }
    level = next;
  }
  const others = [...named.values()].filter(({ symbol }) => !seen.has(symbol.id));
  return {
    target,
    calls: inOrder(found).slice(0, limit),
    count: found.length,
    named: others.slice(0, MOST_NAMED),
    namedCount: others.length,
    doubt: openIn(asked, target),
  };
}

function constructorsOf({ graph, relations }: AskableGraph, { ids, main }: Target): readonly number[] {
  if (main.kind !== "class") return [];
  return ids.flatMap((id) => [...relations.members.of(id)]).filter((id) => CONSTRUCTORS.has(graph.symbols[id]?.name ?? ""));
}

function namedAt({ graph }: AskableGraph, ids: readonly number[], callers: ReadonlySet<number>): Calls["named"] {
  const found = new Map<number, { readonly symbol: GraphSymbol; readonly place: Place }>();
  for (const id of ids) {
    for (const [from, edges] of byEnd(graph.edgesTo(id), "reference", ({ from }) => from)) {
      const symbol = graph.symbols[from];
      const place = joined(edges);
      if (symbol !== undefined && place !== undefined && !callers.has(from) && !found.has(from)) found.set(from, { symbol, place });
    }
  }
  return [...found.values()];
}

function byEnd(
  edges: readonly GraphEdge[],
  kind: GraphEdge["kind"],
  end: (edge: GraphEdge) => number,
): ReadonlyMap<number, readonly GraphEdge[]> {
  const ends = new Map<number, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.kind !== kind) continue;
    const several = ends.get(end(edge));
    if (several === undefined) ends.set(end(edge), [edge]);
    else several.push(edge);
  }
  return ends;
}

const SURE: Readonly<Record<Confidence, number>> = { exact: 0, inferred: 1, "by-name": 2 };

function inOrder(calls: readonly Call[]): readonly Call[] {
  return calls.toSorted(
    (a, b) =>
      a.depth - b.depth ||
      SURE[a.place.confidence] - SURE[b.place.confidence] ||
      (a.place.path < b.place.path ? -1 : Number(a.place.path > b.place.path)) ||
      a.place.line - b.place.line,
  );
}

/** Calls within the target that lead nobody knows where. */
function openIn(asked: AskableGraph, { main, ids }: Target): Doubt {
  const { graph } = asked;
  const spans = ids.flatMap((id) => graph.symbols[id] ?? []);
  const ends = graph
    .unresolvedOf(main.path)
    .filter(({ line }) => spans.some((span) => line >= span.line && line <= span.endLine))
    .map(({ line }) => ({ path: main.path, line }));
  return { ...doubtAbout(asked, []), openEnds: ends.slice(0, 10), openCount: ends.length };
}
