import { canonical } from "./canonical.ts";
import type { TabledUnit } from "./unit-tables.ts";
import type { Declared, Resolution, Unit, Value, World } from "./world.ts";

/** Names under which something changed; `all` where no name tells who can see it. */
export type Names = ReadonlySet<string> | "all";

interface Surface {
  /** By name: what is declared, imported or given under it. */
  readonly named: ReadonlyMap<string, string>;
  /** What is seen without its name being said: bases, bounds of type parameters, types of functions. */
  readonly nameless: ReadonlyMap<string, string>;
}

/** What other files can tell two states of a file apart by: names whose declaration, or what is known of it, is another. */
export function namesThatDiffer(old: World, was: TabledUnit, next: World, now: TabledUnit): Names {
  const [before, after] = [surfaceOf(old, was), surfaceOf(next, now)];
  for (const [key, line] of before.nameless) if ((after.nameless.get(key) ?? line) !== line) return "all";
  const names = new Set([...before.named.keys(), ...after.named.keys()].filter((name) => before.named.get(name) !== after.named.get(name)));
  return [...names].some(isImplied) ? "all" : names;
}

/** Names that are meant where they are not written: constructors, signatures of calls, iterators. */
function isImplied(name: string): boolean {
  return IMPLIED.has(name) || name.startsWith("__") || !/^[\p{L}_$#@][\p{L}\p{N}_$]*[?!=]?$/u.test(name);
}

const IMPLIED = new Set(["constructor", "initialize", "iterator", "next", "deref", "then", "package"]);

/** Whether a file says one of these names anywhere. */
export function mentions({ facts }: Unit, names: Names): boolean {
  if (names === "all") return true;
  if (names.size === 0) return false;
  for (const fact of facts.expressions) if ((fact.k === "name" || fact.k === "member") && names.has(fact.name)) return true;
  return (
    facts.symbols.some(({ name }) => names.has(name)) ||
    facts.imports.some(({ name, local = name }) => names.has(name) || names.has(local)) ||
    facts.exports.some(({ name, local = name }) => names.has(name) || names.has(local)) ||
    facts.types.some((fact) => (fact.k === "ref" ? fact.name.some((name) => names.has(name)) : fact.k === "lookup" && names.has(fact.name)))
  );
}

/** The names that a file declares for all who share its package or crate. */
export function namesDeclaredIn({ facts }: Unit): ReadonlySet<string> {
  return new Set(facts.symbols.flatMap(({ name, hidden, parent }) => (name !== "" && (parent === 0 || hidden === true) ? [name] : [])));
}

/** All that other files can tell of a file, by the names that they have to say for it. */
function surfaceOf(world: World, unit: TabledUnit): Surface {
  const { facts } = unit;
  const named = new Map<string, string>();
  const nameless = new Map<string, string>();
  const add = (name: string, line: string) => named.set(name, `${named.get(name) ?? ""}${line}\n`);
  facts.symbols.forEach((fact, index) => {
    const declared = unit.tables.declared(index);
    const isFunction = fact.kind === "function" || fact.kind === "method";
    const value = isFunction ? "" : shown(world, world.valueOf(declared), 0);
    const line = `${fact.kind} ${fact.isAbstract === true} ${fact.isStatic === true} ${fact.isAccessor === true} ${value} ${isFunction ? signature(world, declared, 0) : ""}`;
    const key = keyOf(unit, index);
    const owner = nearestName(unit, index);
    if (owner !== undefined) add(owner, `${key} ${line}`);
    else if (facts.exports.some((each) => each.value !== undefined)) nameless.set(key, line);
    const heritage = (fact.heritage ?? []).map(({ how, type }) => how + shown(world, world.type(unit, type), 0)).join();
    const parameters = (fact.typeParameters ?? []).map(
      ({ name, bound }) => `${name}:${bound === undefined ? "" : shown(world, world.type(unit, bound), 0)}`,
    );
    const isType = fact.hidden === true && fact.isAbstract === true;
    nameless.set(`${key} bases`, `${heritage} ${parameters.join()} ${isType ? line : ""}`);
  });
  for (const { name, local, module } of facts.exports)
    add(name, `${local ?? ""} ${module ?? ""} ${name === "*" ? whole(world, unit, module) : led(world, world.exported(unit, name))}`);
  for (const { module, name, local, all } of facts.imports) {
    if (all === true) add(`* ${module}`, whole(world, unit, module));
    else if (local !== undefined) add(local, `${module} ${name} ${led(world, world.name(unit, 0, local))}`);
  }
  nameless.set("package", facts.package ?? "");
  return { named, nameless };
}

/** The file all of whose names are handed on: with its coming and going all of them do. */
function whole(world: World, unit: Unit, module: string | undefined): string {
  const target = module === undefined ? undefined : world.module(unit, module);
  return target?.kind === "unit" ? target.unit.path : "";
}

/** The name that leads to a declaration: its own, or that of the nearest one around it that has a name; the file has none. */
function nearestName({ facts }: Unit, index: number): string | undefined {
  for (let at = index; at > 0; at = facts.symbols[at]?.parent ?? 0) {
    const { name = "" } = facts.symbols[at] ?? {};
    if (name !== "") return name;
  }
  return undefined;
}

const keys = new WeakMap<Unit["facts"], readonly string[]>();

/** A declaration by the names around it, which it keeps when others come or go beside it. */
function keyOf({ facts }: Unit, index: number): string {
  let known = keys.get(facts);
  if (known === undefined) {
    known = keysOf(facts);
    keys.set(facts, known);
  }
  return known[index] ?? "";
}

function keysOf(facts: Unit["facts"]): readonly string[] {
  const counts = new Map<string, number>();
  const found: string[] = [];
  facts.symbols.forEach(({ parent, kind, name }, index) => {
    const key = index === 0 ? "" : `${found[parent] ?? ""}/${kind} ${name}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    found.push(count === 0 ? key : `${key}~${count}`);
  });
  return found;
}

/** By the old number of each declaration its new one; undefined where all have kept theirs. */
export function renumbered(was: Unit, now: Unit): ReadonlyMap<number, number> | undefined {
  const places = new Map(now.facts.symbols.map((_, index) => [keyOf(now, index), index]));
  const found = new Map<number, number>();
  let isSame = true;
  was.facts.symbols.forEach((_, index) => {
    const to = places.get(keyOf(was, index));
    isSame &&= to === index;
    if (to !== undefined) found.set(index, to);
  });
  return isSame ? undefined : found;
}

/** Where a name leads. */
function led(world: World, found: Resolution | undefined): string {
  if (found === undefined) return "nowhere";
  const targets = found.targets.map(({ declared }) => `${declared.unit.path}#${keyOf(declared.unit, declared.index)}`);
  return `${targets.join()} ${shown(world, found.value, 0)}`;
}

function signature(world: World, declared: Declared, depth: number): string {
  const { fact, unit } = declared;
  const parameters = (fact.parameters ?? []).map((binding) => shown(world, world.binding(unit, binding).value, depth + 1));
  return `(${parameters.join()})=>${shown(world, world.resultOf(declared), depth + 1)}`;
}

function shown(world: World, value: Value, depth: number): string {
  if (depth > 3) return "…";
  switch (value.t) {
    case "instance":
    case "itself": {
      const to = canonical(world, value.of);
      const args = value.t === "instance" ? value.args.map((arg) => shown(world, arg, depth + 1)).join() : "";
      // Who has a function under another name, sees what it gives and takes.
      const isFunction = value.t === "itself" && (to.fact.kind === "function" || to.fact.kind === "method");
      return `${value.t}:${to.unit.path}#${keyOf(to.unit, to.index)}<${args}>${isFunction ? signature(world, value.of, depth) : ""}`;
    }
    case "builtin":
      return `${value.name}<${value.args.map((arg) => shown(world, arg, depth + 1)).join()}>`;
    case "union":
      return value.items.map((item) => shown(world, item, depth + 1)).join("|");
    case "module":
      return value.unit.path;
    case "package":
      return value.name;
    case "parameter":
      return parameterShown(world, value.key);
    case "external":
    case "unknown":
    default:
      return value.t;
  }
}

/** A type parameter's key holds the numbers of its file and declaration. */
function parameterShown(world: World, key: string): string {
  const [, unit, index, name] = /^(\d+):(\d+):(.*)$/su.exec(key) ?? [];
  const of = world.units[Number(unit)];
  return of === undefined ? key : `${of.path}#${keyOf(of, Number(index))}:${name}`;
}
