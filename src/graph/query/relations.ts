import type { CodeGraph, GraphEdge } from "../graph.ts";

/** Compressed sparse rows: for each symbol the others that it is related to, each once. */
export interface Rows {
  /** The ids of one row; a view that must not be written to. */
  of(id: number): Int32Array;
}

/** Who depends on whom, by symbol ids, for questions that go far. */
export interface Relations {
  /** Who calls or names a symbol. */
  readonly users: Rows;
  /** Who inherits from, implements or overrides it. */
  readonly heirs: Rows;
  /** The methods that it overrides or implements: calls of these may run it. */
  readonly bases: Rows;
  /** What is declared in it. */
  readonly members: Rows;
}

/** Whether the edge says that calls of its target may run its source. */
function isDispatch(graph: CodeGraph, { kind, from }: GraphEdge): boolean {
  if (kind === "overrides") return true;
  // A class implements an interface; where a function does, it is the body of what was only declared.
  const source = graph.symbols[from]?.kind;
  return kind === "implements" && (source === "method" || source === "function" || source === "field");
}

export const isUse = ({ kind }: GraphEdge): boolean => kind === "call" || kind === "reference";
export const isHeritage = ({ kind }: GraphEdge): boolean => kind === "inherits" || kind === "implements" || kind === "overrides";

export function relate(graph: CodeGraph): Relations {
  const count = graph.symbols.length;
  const from = ({ from }: GraphEdge): number => from;
  return {
    users: rows(count, (id) => select(graph.edgesTo(id), isUse, from)),
    heirs: rows(count, (id) => select(graph.edgesTo(id), isHeritage, from)),
    bases: rows(count, (id) =>
      select(
        graph.edgesFrom(id),
        (edge) => isDispatch(graph, edge),
        ({ to }) => to,
      ),
    ),
    members: memberRows(graph),
  };
}

function* select(edges: readonly GraphEdge[], isWanted: (edge: GraphEdge) => boolean, end: (edge: GraphEdge) => number): Generator<number> {
  for (const edge of edges) if (isWanted(edge)) yield end(edge);
}

function rows(count: number, rowOf: (id: number) => Iterable<number>): Rows {
  const offsets = new Int32Array(count + 1);
  const seen = new Int32Array(count).fill(-1);
  let targets = new Int32Array(Math.max(64, count * 2));
  let end = 0;
  for (let id = 0; id < count; id++) {
    for (const other of rowOf(id)) {
      if (seen[other] === id) continue;
      seen[other] = id;
      if (end === targets.length) {
        const larger = new Int32Array(end * 2);
        larger.set(targets);
        targets = larger;
      }
      targets[end++] = other;
    }
    offsets[id + 1] = end;
  }
  const all = targets.subarray(0, end);
  return { of: (id) => all.subarray(offsets[id] ?? end, offsets[id + 1] ?? end) };
}

function memberRows(graph: CodeGraph): Rows {
  const count = graph.symbols.length;
  const offsets = new Int32Array(count + 1);
  for (const { parent } of graph.symbols) if (parent !== undefined) offsets[parent + 1] = (offsets[parent + 1] ?? 0) + 1;
  for (let id = 0; id < count; id++) offsets[id + 1] = (offsets[id + 1] ?? 0) + (offsets[id] ?? 0);
  const next = offsets.slice();
  const targets = new Int32Array(offsets[count] ?? 0);
  for (const { id, parent } of graph.symbols) {
    if (parent === undefined) continue;
    const at = next[parent] ?? 0;
    targets[at] = id;
    next[parent] = at + 1;
  }
  return { of: (id) => targets.subarray(offsets[id] ?? 0, offsets[id + 1] ?? 0) };
}
