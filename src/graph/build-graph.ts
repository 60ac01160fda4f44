import { setImmediate as nextTurn } from "node:timers/promises";
import { assembleGraph } from "./assemble.ts";
import { packState, unpackState } from "./cache/kept-state.ts";
import type { KeptState } from "./cache/kept-state.ts";
import type { KeptGraph } from "./cache/pack-file.ts";
import { openExtractor } from "./extract/extract.ts";
import type { FactsCache } from "./facts.ts";
import type { CodeGraph, LiveGraph, SourceFile } from "./graph.ts";
import { createWorld } from "./link/create-world.ts";
import { linkUnit, NO_EDGES } from "./link/edges.ts";
import { createModules } from "./link/modules.ts";
import { isModuleConfiguration, readModuleConfiguration } from "./link/modules/configuration.ts";
import type { TabledUnit } from "./link/unit-tables.ts";
import type { World } from "./link/world.ts";
import { languageOf } from "./parse/languages.ts";
import { readInto } from "./read-files.ts";
import type { Reading } from "./read-files.ts";
import { relinkChanged } from "./relink.ts";
import { copyOf, emptyState, forget } from "./state.ts";
import type { State } from "./state.ts";

export interface BuildOptions {
  readonly files: Iterable<SourceFile>;
  readonly cache?: FactsCache;
  /** Where the graph is kept as it was linked last; with `cache`, from which its facts come. What is the same is not linked again. */
  readonly kept?: KeptGraph;
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
export async function buildGraph({ files, cache, kept, signal, maxFiles = 100_000 }: BuildOptions): Promise<LiveGraph> {
  const pace = pacer(signal);
  const reading: Reading = { extractor: openExtractor(), maxFiles, pace, ...(cache === undefined ? {} : { cache }) };
  const listed =
    kept === undefined ? files : [...files].filter(({ path }) => languageOf(path) !== undefined || isModuleConfiguration(path));
  const last = kept === undefined || cache === undefined ? undefined : await keptState(kept, cache);
  let state = last?.state ?? emptyState();
  if (last === undefined) await readInto(state, listed, reading);
  let world = worldOf(state);
  if (last === undefined) for (const unit of state.units) if (unit !== undefined) await relink(state, world, unit, pace);
  let graph = graphOf(state, world);

  async function update({ changed = [], removed = [] }: Parameters<LiveGraph["update"]>[0]): Promise<CodeGraph> {
    const next = copyOf(state);
    const touched = new Set<number>();
    for (const path of removed) forget(next, path, touched);
    const before = next.units.slice();
    await readInto(next, changed, reading);
    next.units.forEach((unit, number) => unit !== before[number] && touched.add(number));
    const isStructural =
      next.numbers.size !== state.numbers.size ||
      [...next.numbers.keys()].some((path) => !state.numbers.has(path)) ||
      next.configuration.size !== state.configuration.size ||
      [...next.configuration].some(([path, text]) => state.configuration.get(path) !== text);
    const nextWorld = worldOf(next);
    const relinkOne = (unit: TabledUnit) => relink(next, nextWorld, unit, pace);
    await relinkChanged({ old: { state, world }, next, nextWorld, touched, isStructural, relink: relinkOne });
    state = next;
    world = nextWorld;
    graph = graphOf(state, world);
    return graph;
  }

  if (kept !== undefined) {
    const blobs = new Map(Array.from(listed, ({ path, blob }) => [path, blob]));
    const changed = last === undefined ? [] : Array.from(listed).filter(({ path, blob }) => last.blobs.get(path) !== blob);
    const removed = last === undefined ? [] : [...last.blobs.keys()].filter((path) => !blobs.has(path));
    if (changed.length > 0 || removed.length > 0) await update({ changed, removed });
    if (last === undefined || changed.length > 0 || removed.length > 0) {
      const begun = copyOf(state);
      // What is kept is this beginning: of what an agent changes afterwards nothing is kept.
      kept.write(() => packState(begun, (path) => blobs.get(path) ?? ""));
    }
  }
  return {
    get graph() {
      return graph;
    },
    update,
  };
}

async function keptState(kept: KeptGraph, cache: FactsCache): Promise<KeptState | undefined> {
  const bytes = await kept.read();
  return bytes === undefined ? undefined : await unpackState(bytes, cache);
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
