import { confidenceOf, eachEdge, kindOf, NO_EDGES, renumberedEdges } from "./link/edges.ts";
import type { UnitLinks } from "./link/edges.ts";
import { mentions, namesDeclaredIn, namesThatDiffer, renumbered } from "./link/surface.ts";
import type { Names } from "./link/surface.ts";
import type { TabledUnit } from "./link/unit-tables.ts";
import type { World } from "./link/world.ts";
import type { State } from "./state.ts";

export interface Change {
  readonly old: { readonly state: State; readonly world: World };
  readonly next: State;
  readonly nextWorld: World;
  /** Numbers of the files that came, went or changed. */
  readonly touched: ReadonlySet<number>;
  /** Whether specifiers may lead elsewhere now. */
  readonly isStructural: boolean;
  /** Links one file of the next state. */
  relink(unit: TabledUnit): Promise<void>;
}

const ALL = "all";

/**
 * Links what changed, and of what looked into a changed file, that which says a name under which something changed there; as far as that goes on. All
 * others keep their edges. When files came or went, all files with a specifier that now leads elsewhere are linked again too.
 */
export async function relinkChanged(change: Change): Promise<void> {
  const { old, next, nextWorld, touched } = change;
  const waiting: number[] = [];
  const done = new Set<number>();
  const spread = new Map<number, Set<string> | typeof ALL>();

  function spreadFrom(from: number, names: Names): void {
    const news = namesAdded(spread, from, names);
    if (news !== ALL && news.size === 0) return;
    const [was, now] = [old.state.units[from], next.units[from]];
    old.state.dependencies.forEach((looked, other) => {
      const unit = next.units[other];
      if (unit === undefined || !looked.has(from)) return;
      if (!done.has(other) && mentions(unit, news)) waiting.push(other);
      if (inheritsFrom(old.state.links[other], from) || handsOn(old, other, from)) spreadFrom(other, news);
    });
    // Who shares a package or a crate finds names there without having looked into the file before.
    const isShared = (unit: TabledUnit | undefined) => unit !== undefined && SHARED.has(unit.facts.language);
    if (!touched.has(from) || (!isShared(was) && !isShared(now))) return;
    const declared = differing(was === undefined ? NONE : namesDeclaredIn(was), now === undefined ? NONE : namesDeclaredIn(now));
    if (declared.size === 0) return;
    for (const unit of next.units)
      if (unit !== undefined && !done.has(unit.index) && SHARED.has(unit.facts.language) && mentions(unit, declared))
        waiting.push(unit.index);
  }

  async function relinkWaiting(): Promise<void> {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (done.has(number)) continue;
      done.add(number);
      const [was, now] = [old.state.units[number], next.units[number]];
      if (now !== undefined) await change.relink(now);
      spreadFrom(number, was === undefined || now === undefined ? ALL : namesThatDiffer(old.world, was, nextWorld, now));
    }
  }

  waiting.push(...touched);
  if (change.isStructural)
    for (const unit of old.state.units) if (unit !== undefined && leadsElsewhere(unit, old.world, nextWorld)) waiting.push(unit.index);
  waiting.push(...askedByName(old.state, namesThatChanged(old.state, next, touched)));
  await relinkWaiting();
  waiting.push(...renumberAll(old.state, next, touched, done));
  await relinkWaiting();
}

const NONE: ReadonlySet<string> = new Set();
/** Languages in which files see each other's names without saying where those are. */
const SHARED = new Set(["go", "java", "csharp", "php", "ruby", "rust", "c", "cpp"]);

/** What only one of two sets has. */
function differing<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): ReadonlySet<Item> {
  return new Set([...[...one].filter((item) => !other.has(item)), ...[...other].filter((item) => !one.has(item))]);
}

/** Notes names as spread from a file, and answers those that were not before. */
function namesAdded(spread: Map<number, Set<string> | typeof ALL>, from: number, names: Names): Names {
  const known = spread.get(from);
  if (known === ALL) return NONE;
  if (names === ALL) {
    spread.set(from, ALL);
    return ALL;
  }
  const news = known === undefined ? names : new Set([...names].filter((name) => !known.has(name)));
  spread.set(from, new Set([...(known ?? []), ...news]));
  return news;
}

/** Where declarations of a changed file have other numbers now, edges that lead there are told; answers the files that cannot be. */
function renumberAll(old: State, next: State, touched: ReadonlySet<number>, done: ReadonlySet<number>): number[] {
  const lost: number[] = [];
  for (const number of touched) {
    const [was, now] = [old.units[number], next.units[number]];
    const numbers = was === undefined || now === undefined ? undefined : renumbered(was, now);
    if (numbers === undefined) continue;
    next.links.forEach((links, other) => {
      if (links === undefined || done.has(other) || old.dependencies[other]?.has(number) !== true) return;
      const edges = renumberedEdges(links.edges, number, numbers);
      if (edges === undefined) lost.push(other);
      else next.links[other] = { ...links, edges };
    });
  }
  return lost;
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
