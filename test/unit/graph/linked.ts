import { buildGraph } from "../../../src/graph/build-graph.ts";
import type { CodeGraph, EdgeKind, LiveGraph, SourceFile } from "../../../src/graph/graph.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Files in memory, as the graph takes them; the text itself stands for the blob's hash. */
export function sources(files: Files): SourceFile[] {
  return Object.entries(files).map(([path, text]) => {
    const bytes = Buffer.from(text as string);
    return { path, blob: bytes.toString("base64"), size: bytes.length, bytes: () => bytes };
  });
}

export function live(files: Files): Promise<LiveGraph> {
  return buildGraph({ files: sources(files) });
}

export async function linked(files: Files): Promise<CodeGraph> {
  return (await live(files)).graph;
}

/** The edges of some kinds as lines: `path#from > path#to`, sorted. */
export function edges(graph: CodeGraph, ...kinds: readonly EdgeKind[]): string[] {
  const name = (id: number) => {
    const symbol = graph.symbols[id];
    return symbol?.kind === "module" ? symbol.path : `${symbol?.path}#${symbol?.qualified}`;
  };
  const found = graph.symbols.flatMap(({ id }) => graph.edgesFrom(id).filter(({ kind }) => kinds.includes(kind)));
  return [...new Set(found.map(({ from, to }) => `${name(from)} > ${name(to)}`))].toSorted();
}
