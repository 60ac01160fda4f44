import type { Confidence, EdgeKind, GraphFile } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";

/** Another file of the repository, and by which lines they hang together. */
export interface FileLink {
  readonly path: string;
  /** Where it is imported, or else used first. */
  readonly line: number;
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
  /** What is used of it, each once. */
  readonly names: readonly string[];
}

export interface Dependencies {
  readonly file: GraphFile;
  /** What it imports and uses. */
  readonly uses: readonly FileLink[];
  /** Who imports and uses it. */
  readonly usedBy: readonly FileLink[];
  /** Modules outside of the repository, or that were not found in it, as they are written. */
  readonly outside: readonly { readonly module: string; readonly line: number }[];
}

/** How a file hangs together with others: by imports, and by what its declarations use. */
export function dependenciesOf(asked: AskableGraph, file: GraphFile): Dependencies {
  const { graph } = asked;
  const uses = new Map<string, Draft>();
  const usedBy = new Map<string, Draft>();
  const resolvedLines = new Set<number>();
  for (const { id } of graph.symbolsOf(file.path)) {
    for (const edge of graph.edgesFrom(id)) {
      const other = graph.symbols[edge.to];
      if (other === undefined || other.path === file.path) continue;
      if (edge.kind === "imports") resolvedLines.add(edge.line);
      add(uses, other.path, edge, other.kind === "module" ? undefined : other.qualified);
    }
    for (const edge of graph.edgesTo(id)) {
      const other = graph.symbols[edge.from];
      if (other === undefined || other.path === file.path || edge.kind === "tests") continue;
      const own = graph.symbols[id];
      add(usedBy, other.path, edge, own === undefined || own.kind === "module" ? undefined : own.qualified);
    }
  }
  const outside = new Map<string, number>();
  for (const { module, line } of graph.factsOf(file.path)?.imports ?? []) {
    if (!resolvedLines.has(line) && !outside.has(module)) outside.set(module, line);
  }
  return {
    file,
    uses: linksOf(uses),
    usedBy: linksOf(usedBy),
    outside: [...outside].map(([module, line]) => ({ module, line })),
  };
}

interface Draft {
  line: number;
  kind: EdgeKind;
  confidence: Confidence;
  readonly names: Set<string>;
}

function add(
  links: Map<string, Draft>,
  path: string,
  { line, kind, confidence }: { readonly line: number; readonly kind: EdgeKind; readonly confidence: Confidence },
  name: string | undefined,
): void {
  let link = links.get(path);
  if (link === undefined) links.set(path, (link = { line, kind, confidence, names: new Set() }));
  // The import says it best.
  if (link.kind !== "imports" && kind === "imports") Object.assign(link, { line, kind, confidence });
  if (name !== undefined) link.names.add(name);
}

function linksOf(links: ReadonlyMap<string, Draft>): readonly FileLink[] {
  return [...links].map(([path, { names, ...link }]) => ({ path, ...link, names: [...names] })).sort((a, b) => (a.path < b.path ? -1 : 1));
}
