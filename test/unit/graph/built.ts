import { createHash } from "node:crypto";
import { buildGraph } from "../../../src/graph/build-graph.ts";
import type { SourceFile } from "../../../src/graph/graph.ts";
import { askable, type AskableGraph } from "../../../src/graph/query/askable.ts";

export type Texts = Readonly<Record<string, string>>;

/** Files as the builder takes them, with a key that is the same for the same bytes. */
export function sourcesOf(files: Texts): readonly SourceFile[] {
  return Object.entries(files).map(([path, text]) => ({
    path,
    blob: createHash("sha1").update(text).digest("hex"),
    size: Buffer.byteLength(text),
    bytes: () => Buffer.from(text),
  }));
}

/** The graph of some files, as the product builds it. */
export async function built(files: Texts): Promise<AskableGraph> {
  const { graph } = await buildGraph({ files: sourcesOf(files) });
  return askable(graph);
}
