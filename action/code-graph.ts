import { join } from "node:path";
import { buildGraph } from "../src/graph/build-graph.ts";
import { DamagedFactsError } from "../src/graph/cache/lazy-facts.ts";
import { openPackFile } from "../src/graph/cache/pack-file.ts";
import { FACTS_VERSION } from "../src/graph/facts.ts";
import type { BuildGraph } from "../src/graph/live.ts";

/** How code graphs are built in this process: anew, or from what an earlier run kept in `folder`. */
export function openBuildGraph(folder: string | undefined): BuildGraph {
  return folder === undefined ? (files) => buildGraph({ files }) : keptIn(folder);
}

/** Begins with the graph of an earlier run, and keeps the one that this run begins with. */
function keptIn(folder: string): BuildGraph {
  return async (files) => {
    const pack = openPackFile(join(folder, `graph-${FACTS_VERSION}.pack`));
    try {
      const live = await buildGraph({ files, cache: pack.cache, kept: pack.kept });
      await pack.save();
      return live;
    } catch (error) {
      if (!(error instanceof DamagedFactsError)) throw error;
      return await buildGraph({ files });
    }
  };
}
