import { setImmediate as nextTurn } from "node:timers/promises";
import { assembleGraph } from "./assemble.ts";
import type { NumberedUnit } from "./assemble.ts";
import { openExtractor, MAX_FILE_BYTES } from "./extract/extract.ts";
import type { Extractor } from "./extract/extract.ts";
import { factsKey } from "./facts.ts";
import type { BlobFacts, FactsCache } from "./facts.ts";
import type { CodeGraph, FileRole, LiveGraph, SourceFile } from "./graph.ts";
import { createWorld } from "./link/create-world.ts";
import { confidenceOf, eachEdge, kindOf, linkUnit, NO_EDGES } from "./link/edges.ts";
import type { UnitLinks } from "./link/edges.ts";
import { createModules } from "./link/modules.ts";
import { isModuleConfiguration, readModuleConfiguration } from "./link/modules/configuration.ts";
import { namesGivenBy, surfaceOf } from "./link/surface.ts";
import { tabledUnit } from "./link/unit-tables.ts";
import type { TabledUnit } from "./link/unit-tables.ts";
import type { World } from "./link/world.ts";
import { languageOf, roleOf } from "./parse/languages.ts";

export interface BuildOptions {
  readonly files: Iterable<SourceFile>;
  readonly cache?: FactsCache;
  readonly signal?: AbortSignal;
  /** Files beyond this number are not indexed, and listed as such. Default 100 000. */
  readonly maxFiles?: number;
}

/** How long the work goes on before others get a turn, in milliseconds. */
const TURN = 25;

/** One state of the repository: all arrays are by the number of the file, which it keeps from state to state. */
interface State {
  readonly units: (TabledUnit | undefined)[];
  readonly blobs: string[];
  readonly roles: FileRole[];
  readonly links: (UnitLinks | undefined)[];
  readonly numbered: (NumberedUnit | undefined)[];
  readonly dependencies: Set<number>[];
  readonly numbers: Map<string, number>;
  readonly whyNot: Map<string, string>;
  readonly configuration: Map<string, string>;
}

/**
 * Reads and links a repository. Files that cannot be read are listed in `notIndexed`; nothing in a file's content makes it
 * throw. Rejects when the signal aborts, or when reading a file's bytes fails. Gives other work a turn every 25 ms.
 */
export async function buildGraph({ files, cache, signal, maxFiles = 100_000 }: BuildOptions): Promise<LiveGraph> {
  const extractor = openExtractor();
  let state: State = {
    units: [],
    blobs: [],
    roles: [],
    links: [],
    numbered: [],
    dependencies: [],
    numbers: new Map(),
    whyNot: new Map(),
    configuration: new Map(),
  };
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
      await relinkChanged({ old: { state, world }, next, nextWorld, touched, isStructural, pace });
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

function copyOf(state: State): State {
  return {
    units: state.units.slice(),
    blobs: state.blobs.slice(),
    roles: state.roles.slice(),
    links: state.links.slice(),
    numbered: state.numbered.slice(),
    dependencies: state.dependencies.slice(),
    numbers: new Map(state.numbers),
    whyNot: new Map(state.whyNot),
    configuration: new Map(state.configuration),
  };
}

function forget(state: State, path: string, touched: Set<number>): void {
  state.whyNot.delete(path);
  state.configuration.delete(path);
  const number = state.numbers.get(path);
  if (number === undefined) return;
  state.units[number] = undefined;
  state.links[number] = undefined;
  state.numbered[number] = undefined;
  state.numbers.delete(path);
  touched.add(number);
}

interface Reading {
  readonly extractor: Extractor;
  readonly cache?: FactsCache;
  readonly maxFiles: number;
  readonly pace: Pace;
}

/** Reads facts from the cache or the bytes, a thousand files at a time. */
async function readInto(state: State, files: Iterable<SourceFile>, reading: Reading): Promise<void> {
  let batch: SourceFile[] = [];
  for (const file of files) {
    if (isModuleConfiguration(file.path) && (file.size ?? 0) <= MAX_FILE_BYTES)
      state.configuration.set(file.path, new TextDecoder().decode(await file.bytes()));
    if (languageOf(file.path) === undefined) continue;
    if (roleOf(file.path) === "vendored") state.whyNot.set(file.path, "vendored");
    else if (state.numbers.size + batch.length >= reading.maxFiles && !state.numbers.has(file.path))
      state.whyNot.set(file.path, `beyond the first ${reading.maxFiles} files`);
    else batch.push(file);
    if (batch.length < 1000) continue;
    await readBatch(state, batch, reading);
    batch = [];
  }
  await readBatch(state, batch, reading);
}

async function readBatch(state: State, files: readonly SourceFile[], { extractor, cache, pace }: Reading): Promise<void> {
  const keyed = files.flatMap((file) => {
    const language = languageOf(file.path);
    return language === undefined ? [] : [{ file, language, key: factsKey(file.blob, language) }];
  });
  const kept = cache === undefined || keyed.length === 0 ? undefined : await cache.read(keyed.map(({ key }) => key));
  const fresh = new Map<string, BlobFacts>();
  for (const { file, language, key } of keyed) {
    await pace();
    const known = kept?.get(key) ?? fresh.get(key);
    if (known !== undefined) {
      place(state, file, known);
      continue;
    }
    const tooLarge = (file.size ?? 0) > MAX_FILE_BYTES;
    const found = tooLarge
      ? { ok: false as const, why: `larger than ${MAX_FILE_BYTES} bytes` }
      : await extractor.extract(await file.bytes(), language);
    if (!found.ok) {
      forget(state, file.path, new Set());
      state.whyNot.set(file.path, found.why);
      continue;
    }
    fresh.set(key, found.facts);
    place(state, file, found.facts);
  }
  if (cache !== undefined && fresh.size > 0) await cache.write(fresh);
}

function place(state: State, file: SourceFile, facts: BlobFacts): void {
  const number = state.numbers.get(file.path) ?? state.units.length;
  const role = roleOf(file.path);
  state.numbers.set(file.path, number);
  state.units[number] = tabledUnit(number, file.path, facts, role === "test");
  state.blobs[number] = file.blob;
  state.roles[number] = role;
  state.dependencies[number] ??= new Set();
  state.whyNot.delete(file.path);
}

async function relink(state: State, world: World, unit: TabledUnit, pace: Pace): Promise<void> {
  await pace();
  state.dependencies[unit.index] = new Set();
  try {
    state.links[unit.index] = linkUnit(world, unit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    state.whyNot.set(unit.path, "its expressions are nested too deeply to be linked");
    state.links[unit.index] = { edges: NO_EDGES, calls: 0, external: 0, unknown: [] };
  }
}

interface Change {
  readonly old: { readonly state: State; readonly world: World };
  readonly next: State;
  readonly nextWorld: World;
  readonly touched: ReadonlySet<number>;
  readonly isStructural: boolean;
  readonly pace: Pace;
}

/**
 * Links what changed, and what looked into a file whose surface changed, as far as that goes on. When files came or went, all
 * files with a specifier that now leads elsewhere are linked again too.
 */
async function relinkChanged({ old, next, nextWorld, touched, isStructural, pace }: Change): Promise<void> {
  const waiting = [...touched];
  const done = new Set<number>();
  const same = new Set<number>();
  const forced = new Set<number>();
  const spread = new Set<number>();
  if (isStructural)
    for (const unit of old.state.units) if (unit !== undefined && leadsElsewhere(unit, old.world, nextWorld)) waiting.push(unit.index);
  waiting.push(...askedByName(old.state, namesThatChanged(old.state, next, touched)));
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const unit = next.units[number];
    if (!done.has(number) && unit !== undefined) await relink(next, nextWorld, unit, pace);
    done.add(number);
    if (spread.has(number) || (same.has(number) && !forced.has(number))) continue;
    const was = old.state.units[number];
    if (!forced.has(number) && was !== undefined && unit !== undefined && surfaceOf(old.world, was) === surfaceOf(nextWorld, unit)) {
      same.add(number);
      continue;
    }
    spread.add(number);
    const at = number;
    const hasOtherNames = was === undefined || unit === undefined || namesGivenBy(was) !== namesGivenBy(unit) || forced.has(at);
    old.state.dependencies.forEach((looked, other) => {
      if (!looked.has(at)) return;
      if (inheritsFrom(old.state.links[other], at) || (hasOtherNames && handsOn(old, other, at))) forced.add(other);
      waiting.push(other);
    });
  }
}

/** Whether a file's classes have members from that file, which those who use the classes see without looking there. */
function inheritsFrom(links: UnitLinks | undefined, from: number): boolean {
  let does = false;
  eachEdge(links?.edges ?? NO_EDGES, ({ unit, mark }) => {
    does ||= unit === from && (kindOf(mark) === "inherits" || kindOf(mark) === "implements");
  });
  return does;
}

/** Whether a file gives all names of that file as its own. */
function handsOn({ state, world }: Change["old"], other: number, from: number): boolean {
  const unit = state.units[other];
  if (unit === undefined) return false;
  const all = [
    ...unit.facts.exports.flatMap(({ name, module }) => (name === "*" && module !== undefined ? [module] : [])),
    ...unit.facts.imports.flatMap(({ all: isAll, module }) => (isAll === true ? [module] : [])),
  ];
  return all.some((module) => {
    const target = world.module(unit, module);
    return target.kind === "unit" && target.unit.index === from;
  });
}

/** Names of methods of which there are more or fewer than before: what is followed by name alone may lead elsewhere. */
function namesThatChanged(old: State, next: State, touched: ReadonlySet<number>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const number of touched) {
    for (const [unit, step] of [
      [old.units[number], 1],
      [next.units[number], -1],
    ] as const) {
      for (const { kind, name } of unit?.facts.symbols ?? []) if (kind === "method") counts.set(name, (counts.get(name) ?? 0) + step);
    }
  }
  return new Set([...counts].flatMap(([name, count]) => (count === 0 ? [] : [name])));
}

/** The files that looked for a method by one of these names alone. */
function askedByName(state: State, names: ReadonlySet<string>): number[] {
  if (names.size === 0) return [];
  return state.links.flatMap((links, number) => {
    if (links === undefined) return [];
    const nameOf = (unit: number, index: number) => state.units[unit]?.facts.symbols[index]?.name ?? "";
    let isAsked = links.unknown.some(({ name }) => names.has(name));
    eachEdge(links.edges, ({ unit, to, mark }) => {
      isAsked ||= confidenceOf(mark) === "by-name" && names.has(nameOf(unit, to));
    });
    return isAsked ? [number] : [];
  });
}

function leadsElsewhere(unit: TabledUnit, old: World, next: World): boolean {
  if (next.units[unit.index] !== unit) return true;
  return unit.facts.imports.some(({ module }) => {
    const [before, after] = [old.module(unit, module), next.module(unit, module)];
    if (before.kind !== after.kind) return true;
    return before.kind === "unit" && after.kind === "unit" ? before.unit.path !== after.unit.path : before.kind === "package";
  });
}
