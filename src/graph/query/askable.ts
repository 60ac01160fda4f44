import type { CodeGraph } from "../graph.ts";
import { indexNames, type NameIndex } from "./names.ts";
import { relate, type Relations } from "./relations.ts";

/** A call or a type name that leads nowhere. */
export interface OpenEnd {
  readonly path: string;
  readonly line: number;
}

/** A linked graph with the indexes that questions need; each is made when a question first asks for it, and holds as long as the graph. */
export interface AskableGraph {
  readonly graph: CodeGraph;
  readonly names: NameIndex;
  readonly relations: Relations;
  /** Places that name this and lead nowhere in the repository: an answer about a symbol of that name may lack them. */
  openEnds(name: string): readonly OpenEnd[];
}

export function askable(graph: CodeGraph): AskableGraph {
  const names = once(() => indexNames(graph));
  const relations = once(() => relate(graph));
  const ends = once(() => indexOpenEnds(graph));
  return {
    graph,
    get names() {
      return names();
    },
    get relations() {
      return relations();
    },
    openEnds: (name) => ends().get(name) ?? [],
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function indexOpenEnds(graph: CodeGraph): ReadonlyMap<string, readonly OpenEnd[]> {
  const index = new Map<string, OpenEnd[]>();
  for (const { path } of graph.files) {
    for (const { name, line } of graph.unresolvedOf(path)) {
      const places = index.get(name);
      if (places === undefined) index.set(name, [{ path, line }]);
      else places.push({ path, line });
    }
  }
  return index;
}
