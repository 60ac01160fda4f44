import { setImmediate as nextTurn } from "node:timers/promises";
import { assembleGraph } from "./assemble.ts";
import { openExtractor } from "./extract/extract.ts";
import type { FactsCache } from "./facts.ts";
import type { CodeGraph, LiveGraph, SourceFile } from "./graph.ts";
import { createWorld } from "./link/create-world.ts";
import { linkUnit, NO_EDGES } from "./link/edges.ts";
import { createModules } from "./link/modules.ts";
import { readModuleConfiguration } from "./link/modules/configuration.ts";
import type { TabledUnit } from "./link/unit-tables.ts";
import type { World } from "./link/world.ts";
import { readInto } from "./read-files.ts";
import { relinkChanged } from "./relink.ts";
import { copyOf, emptyState, forget } from "./state.ts";
import type { State } from "./state.ts";

export interface BuildOptions {
  readonly files: Iterable<SourceFile>;
  readonly cache?: FactsCache;
  readonly signal?: AbortSignal;
  /** Files beyond this number are not indexed, and listed as such. Default 100 000. */
  readonly maxFiles?: number;
}

/** How long the work goes on before others get a turn, in milliseconds. */
const TURN = 25;

/**
 * Reads and links a repository. Files that cannot be read are listed in `notIndexed`; nothing in a file's content makes it
 * throw. Rejects when the signal aborts, or when reading a file's bytes fails. Gives other work a turn every 25 ms.
 */
export async function buildGraph({ files, cache, signal, maxFiles = 100_000 }: BuildOptions): Promise<LiveGraph> {
  const extractor = openExtractor();
  let state = emptyState();
  const pace = pacer(signal);
  await readInto(state, files, { extractor, maxFiles, pace, ...(cache === undefined ? {} : { cache }) });
  let world = worldOf(state);
  for (const unit of state.units) if (unit !== undefined) await relink(state, world, unit, pace);
  let graph = graphOf(state, world);
  return {
    get graph() {
      return graph;
    },
    update: async ({ changed = [], removed = [] }) => {
      const next = copyOf(state);
      const touched = new Set<number>();
      for (const path of removed) {
        forget(next, path, touched);
      }
      const before = next.units.slice();
      await readInto(next, changed, { extractor, maxFiles, pace, ...(cache === undefined ? {} : { cache }) });
      next.units.forEach((unit, number) => unit !== before[number] && touched.add(number));
      const isStructural =
        [...next.numbers.keys()].length !== state.numbers.size ||
        next.configuration.size !== state.configuration.size ||
        [...next.configuration].some(([path, text]) => state.configuration.get(path) !== text);
      const nextWorld = worldOf(next);
      await relinkChanged({
        old: { state, world },
        next,
        nextWorld,
        touched,
        isStructural,
        relink: (unit) => relink(next, nextWorld, unit, pace),
      });
      state = next;
      world = nextWorld;
      graph = graphOf(state, world);
      return graph;
    },
  };
}

type Pace = () => Promise<void>;

function pacer(signal: AbortSignal | undefined): Pace {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN) return;
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  };
}

function worldOf(state: State): World {
  const modules = createModules(state.units, readModuleConfiguration(state.configuration));
  return createWorld(state.units, modules, state.dependencies);
}

function graphOf(state: State, world: World): CodeGraph {
  const notIndexed = [...state.whyNot].map(([path, why]) => ({ path, why })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return assembleGraph({ ...state, world, notIndexed });
}

async function relink(state: State, world: World, unit: TabledUnit, pace: Pace): Promise<void> {
  await pace();
  try {
    state.links[unit.index] = linkUnit(world, unit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    state.whyNot.set(unit.path, "its expressions are nested too deeply to be linked");
    state.links[unit.index] = { edges: NO_EDGES, calls: 0, external: 0, unknown: [] };
  }
}
