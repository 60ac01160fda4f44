import type { NotIndexed } from "../facts.ts";
import type { GraphFile, GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { nearPaths } from "./near-paths.ts";

export interface MappedFile {
  readonly file: GraphFile;
  /** What stands at its top level, in the order of the source. */
  readonly symbols: readonly GraphSymbol[];
  /** Of each symbol with members, by its id: their names and lines. */
  readonly members: ReadonlyMap<number, readonly GraphSymbol[]>;
}

export type FileMap =
  | {
      readonly status: "found";
      /** `""` for the whole repository. */
      readonly path: string;
      readonly files: readonly MappedFile[];
      readonly notIndexed: readonly NotIndexed[];
    }
  | { readonly status: "unknown-file"; readonly path: string; readonly near: readonly string[] };

/** The files at or below a path, with what they declare. */
export function fileMapOf({ graph }: AskableGraph, path = ""): FileMap {
  const isBelow = (one: { readonly path: string }): boolean => path === "" || one.path === path || one.path.startsWith(`${path}/`);
  const files = graph.files.filter(isBelow);
  const notIndexed = graph.notIndexed.filter(isBelow);
  if (path !== "" && files.length === 0 && notIndexed.length === 0) {
    return {
      status: "unknown-file",
      path,
      near: nearPaths(
        path,
        graph.files.map((file) => file.path),
      ),
    };
  }
  const mapped = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((file) => mapFile(graph, file));
  return { status: "found", path, files: mapped, notIndexed };
}

function mapFile(graph: AskableGraph["graph"], file: GraphFile): MappedFile {
  const members = new Map<number, GraphSymbol[]>();
  const top: GraphSymbol[] = [];
  for (const symbol of graph.symbolsOf(file.path)) {
    if (symbol.kind === "module" || symbol.parent === undefined) continue;
    if (symbol.parent === file.module) {
      top.push(symbol);
      continue;
    }
    const parent = graph.symbols[symbol.parent];
    if (parent === undefined || parent.kind === "function" || parent.kind === "method") continue;
    const beside = members.get(parent.id);
    if (beside === undefined) members.set(parent.id, [symbol]);
    else beside.push(symbol);
  }
  return { file, symbols: top, members };
}
