import type { BindingFact, ExpressionFact, SymbolFact, TypeFact } from "../facts.ts";
import type { EdgeKind } from "../graph.ts";
import { canonical } from "./canonical.ts";
import { baseMethods } from "./overrides.ts";
import type { Declared, Target, Unit, World } from "./world.ts";

/** An edge before symbols are numbered; `from` is a declaration of the unit itself. */
export interface UnitEdge {
  readonly from: number;
  readonly unit: number;
  readonly to: number;
  readonly line: number;
  /** Kind and confidence, by `markOf`. */
  readonly mark: number;
}

export interface UnitLinks {
  readonly edges: PackedEdges;
  readonly calls: number;
  readonly external: number;
  readonly unknown: readonly { readonly line: number; readonly name: string }[];
}

/** Edges as rows of numbers: hundreds of thousands of them are kept. */
export type PackedEdges = Int32Array;

export const NO_EDGES: PackedEdges = new Int32Array(0);
const ROW = 5;
const KINDS: readonly EdgeKind[] = ["call", "reference", "inherits", "implements", "overrides", "imports", "tests"];
const CONFIDENCES: readonly Target["confidence"][] = ["exact", "inferred", "by-name"];

export function edgeCount(edges: PackedEdges): number {
  return edges.length / ROW;
}

export function eachEdge(edges: PackedEdges, visit: (edge: UnitEdge) => void): void {
  for (let at = 0; at < edges.length; at += ROW) {
    visit({
      from: edges[at] ?? 0,
      unit: edges[at + 1] ?? 0,
      to: edges[at + 2] ?? 0,
      line: edges[at + 3] ?? 0,
      mark: edges[at + 4] ?? 0,
    });
  }
}

/** The edges after declarations of a file were numbered anew; undefined when one of them is no longer there. */
export function renumberedEdges(edges: PackedEdges, unit: number, numbers: ReadonlyMap<number, number>): PackedEdges | undefined {
  const changed = edges.slice();
  for (let at = 0; at < edges.length; at += ROW) {
    if (edges[at + 1] !== unit) continue;
    const to = numbers.get(edges[at + 2] ?? 0);
    if (to === undefined) return undefined;
    changed[at + 2] = to;
  }
  return changed;
}

function markOf(kind: EdgeKind, confidence: Target["confidence"]): number {
  return (KINDS.indexOf(kind) << 2) | CONFIDENCES.indexOf(confidence);
}

export function kindOf(mark: number): EdgeKind {
  return KINDS[mark >> 2] ?? "reference";
}

export function confidenceOf(mark: number): Target["confidence"] {
  return CONFIDENCES[mark & 3] ?? "by-name";
}

/** Method names of the platforms: they name too much to be followed by name alone. */
const COMMON = new Set([
  "push",
  "get",
  "set",
  "has",
  "add",
  "delete",
  "map",
  "filter",
  "then",
  "catch",
  "join",
  "split",
  "keys",
  "values",
  "items",
  "append",
  "call",
  "apply",
  "bind",
  "toString",
  "close",
  "next",
  "send",
  "write",
  "read",
  "format",
  "replace",
  "match",
  "test",
  "exec",
  "update",
  "pop",
  "find",
  "emit",
  "on",
  "log",
  "equals",
  "size",
  "of",
]);

/** All edges that begin in a file. */
export function linkUnit(world: World, unit: Unit): UnitLinks {
  return world.askFor(unit, () => linksOf(world, unit));
}

function linksOf(world: World, unit: Unit): UnitLinks {
  const links = new Links(world, unit);
  const { expressions, types } = unit.facts;
  const callees = new Uint8Array(expressions.length);
  for (const fact of expressions) if (fact.k === "call") callees[fact.callee] = 1;
  for (let index = 0; index < expressions.length; index += 1) {
    const fact = expressions[index];
    if (fact === undefined) continue;
    if (fact.k === "call") linkCall(links, fact);
    else if ((fact.k === "name" || fact.k === "member") && callees[index] !== 1) linkReference(links, fact, index);
  }
  for (const fact of types) if (fact.k === "ref") linkType(links, fact);
  linkImports(links);
  linkHeritage(links);
  return { edges: Int32Array.from(links.edges), calls: links.calls, external: links.external, unknown: links.unknown };
}

/** The edges of one file while they are collected. */
class Links {
  readonly world: World;
  readonly unit: Unit;
  readonly edges: number[] = [];
  readonly unknown: { line: number; name: string }[] = [];
  calls = 0;
  external = 0;
  /** By place of origin, declaration and kind: what has been added already. */
  private readonly origins = new Map<number, number>();
  private readonly ends = new Map<Declared, number>();
  private readonly seen = new Set<number>();

  constructor(world: World, unit: Unit) {
    this.world = world;
    this.unit = unit;
  }

  add(from: number, declared: Declared, kind: EdgeKind, line: number, confidence: Target["confidence"]): void {
    const to = canonical(this.world, declared);
    const mark = markOf(kind, confidence);
    const key = (numbered(this.origins, from * 0x20_0000 + line) * 0x20_0000 + numbered(this.ends, to)) * KINDS.length + (mark >> 2);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.world.depend(this.unit, to.unit);
    this.edges.push(from, to.unit.index, to.index, line, mark);
  }

  /** The declaration in whose code a scope stands. */
  holder(scope: number): number {
    return this.unit.facts.scopes[scope]?.symbol ?? 0;
  }
}

function linkCall(links: Links, fact: ExpressionFact & { k: "call" }): void {
  const { world, unit } = links;
  links.calls += 1;
  const from = links.holder(fact.scope);
  const targets = targetsOfCall(world, unit, fact);
  for (const { declared, confidence } of targets) {
    links.add(from, declared, "call", fact.line, confidence);
    const maker = declared.fact.kind === "class" ? constructorOf(world, declared) : undefined;
    if (maker !== undefined) links.add(from, maker, "call", fact.line, confidence);
  }
  if (targets.length > 0) return;
  const missing = unresolvedName(world, unit, fact);
  if (missing === undefined) links.external += 1;
  else links.unknown.push({ line: fact.line, name: missing });
}

function linkReference(links: Links, fact: ExpressionFact & { k: "name" | "member" }, index: number): void {
  const { world, unit } = links;
  if (fact.k === "name" && isLocal(world, unit, fact.scope, fact.name)) return;
  const { targets } = world.resolve(unit, index);
  if (targets.length === 0) return;
  const scope = scopeOf(unit.facts.expressions, index);
  if (scope === undefined) return;
  for (const { declared, confidence } of targets) links.add(links.holder(scope), declared, "reference", fact.line, confidence);
}

function linkType(links: Links, fact: TypeFact & { k: "ref" }): void {
  const { world, unit } = links;
  const [head = "", ...rest] = fact.name;
  let found = world.name(unit, fact.scope, head);
  for (const segment of rest) if (found !== undefined) found = world.member(found.value, segment);
  for (const { declared } of found?.targets ?? []) links.add(links.holder(fact.scope), declared, "reference", fact.line, "exact");
}

/** Numbers what it is asked for in the order in which it is first asked. */
function numbered<Key>(known: Map<Key, number>, key: Key): number {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = known.size;
  known.set(key, made);
  return made;
}

/** The declarations that a call leads to. */
export function targetsOfCall(world: World, unit: Unit, fact: ExpressionFact & { k: "call" }): readonly Target[] {
  const callee = unit.facts.expressions[fact.callee];
  if (callee?.k === "super") return world.resolve(unit, fact.callee).value.t === "unknown" ? [] : superTargets(world, unit, fact.callee);
  const { targets, value } = world.resolve(unit, fact.callee);
  if (targets.length > 0) return targets.slice(0, 8);
  if (callee?.k !== "member" || COMMON.has(callee.name)) return [];
  const receiver = world.resolve(unit, callee.of).value;
  if (receiver.t !== "unknown" || value.t === "external") return [];
  const [only, ...others] = world.byName(callee.name);
  return only !== undefined && others.length === 0 && unit.facts.language === only.unit.facts.language
    ? [{ declared: only, confidence: "by-name" }]
    : [];
}

function superTargets(world: World, unit: Unit, callee: number): Target[] {
  const { value } = world.resolve(unit, callee);
  const bases = value.t === "union" ? value.items : [value];
  return bases.flatMap((base) =>
    base.t === "instance" ? [{ declared: constructorOf(world, base.of) ?? base.of, confidence: "inferred" as const }] : [],
  );
}

const MAKERS = ["constructor", "__init__", "initialize", "__construct"];

function constructorOf(world: World, declared: Declared): Declared | undefined {
  for (const name of [...MAKERS, declared.fact.name]) {
    const [target] = world.member({ t: "instance", of: declared, args: [] }, name).targets;
    if (target?.declared.fact.kind === "method") return target.declared;
  }
  return undefined;
}

function unresolvedName(world: World, unit: Unit, fact: ExpressionFact & { k: "call" }): string | undefined {
  const callee = unit.facts.expressions[fact.callee];
  if (callee === undefined || (callee.k !== "name" && callee.k !== "member")) return undefined;
  const { value } = world.resolve(unit, fact.callee);
  if (value.t === "external" || value.t === "builtin") return undefined;
  if (callee.k === "member") {
    const of = world.resolve(unit, callee.of).value;
    if (of.t === "external" || of.t === "builtin") return undefined;
  }
  return callee.name;
}

function isLocal(world: World, unit: Unit, scope: number, name: string): boolean {
  if (!world.isBound(unit, name)) return false;
  for (let at = scope; at > 0; at = unit.facts.scopes[at]?.parent ?? 0) {
    const local = world.bindings(unit, at, name);
    if (local.length > 0) return local.every((index) => isHolder(unit.facts.bindings[index]?.kind));
  }
  return false;
}

function isHolder(kind: BindingFact["kind"] | undefined): boolean {
  return kind !== "symbol" && kind !== "import";
}

/** The scope in which an expression stands: that of the name it begins with. */
function scopeOf(expressions: readonly ExpressionFact[], index: number): number | undefined {
  for (let at: number | undefined = index, steps = 0; at !== undefined && steps < 10_000; steps += 1) {
    const fact: ExpressionFact | undefined = expressions[at];
    if (fact === undefined) return undefined;
    if ("scope" in fact) return fact.scope;
    if ("of" in fact) at = typeof fact.of === "number" ? fact.of : fact.of?.[0];
    else if ("items" in fact) [at] = fact.items;
    else return undefined;
  }
  return undefined;
}

function linkImports(links: Links): void {
  const { world, unit } = links;
  const kinds: readonly EdgeKind[] = unit.isTest ? ["imports", "tests"] : ["imports"];
  const bindings = new Map<number, number>();
  unit.facts.bindings.forEach(({ kind, target }, at) => {
    if (kind === "import" && target !== undefined) bindings.set(target, at);
  });
  for (const [index, fact] of unit.facts.imports.entries()) {
    const target = world.module(unit, fact.module);
    const binding = bindings.get(index);
    const { targets, value } = binding === undefined ? { targets: [], value: undefined } : world.binding(unit, binding);
    const modules =
      target.kind === "unit"
        ? [target.unit]
        : value?.t === "module"
          ? [value.unit]
          : target.kind === "package"
            ? packageFiles(world, target.name, targets)
            : [];
    for (const kind of kinds) {
      for (const file of modules)
        if (file !== unit && (kind === "imports" || !file.isTest)) links.add(0, world.declared(file, 0), kind, fact.line, "exact");
      for (const { declared } of targets) if (kind === "imports" || !declared.unit.isTest) links.add(0, declared, kind, fact.line, "exact");
    }
  }
}

function packageFiles(world: World, name: string, targets: readonly Target[]): readonly Unit[] {
  const named = targets.map(({ declared }) => declared.unit);
  return named.length > 0 ? named : world.packageUnits(name).filter(({ isTest }) => !isTest);
}

function linkHeritage(links: Links): void {
  const { world, unit } = links;
  const { symbols } = unit.facts;
  for (let index = 0; index < symbols.length; index += 1) {
    const fact = symbols[index];
    if (fact?.heritage !== undefined) linkBases(links, fact, index);
    if (fact?.kind !== "method" || symbols[fact.parent]?.heritage === undefined) continue;
    for (const { declared, kind } of baseMethods(world, world.declared(unit, index)))
      links.add(index, declared, kind, fact.line, "inferred");
  }
}

function linkBases(links: Links, fact: SymbolFact, index: number): void {
  const { world, unit } = links;
  for (const { how, type } of fact.heritage ?? []) {
    const value = world.type(unit, type);
    for (const base of value.t === "union" ? value.items : [value]) {
      if (base.t !== "instance" && base.t !== "itself") continue;
      const kind = how === "implements" || (base.of.fact.kind === "interface" && fact.kind !== "interface") ? "implements" : "inherits";
      links.add(index, base.of, kind, fact.line, "exact");
    }
  }
}
