import type { ExpressionFact } from "../facts.ts";
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
  const { facts } = unit;
  const edges: number[] = [];
  const unknown: { line: number; name: string }[] = [];
  /** By place of origin, declaration and kind: what has been added already. */
  const origins = new Map<number, number>();
  const ends = new Map<Declared, number>();
  const seen = new Set<number>();
  let calls = 0;
  let external = 0;
  const callees = new Set<number>();
  for (const fact of facts.expressions) if (fact.k === "call") callees.add(fact.callee);

  function add(from: number, declared: Declared, kind: EdgeKind, line: number, confidence: Target["confidence"]): void {
    const to = canonical(world, declared);
    const mark = markOf(kind, confidence);
    const key = (numbered(origins, from * 0x20_0000 + line) * 0x20_0000 + numbered(ends, to)) * KINDS.length + (mark >> 2);
    if (seen.has(key)) return;
    seen.add(key);
    world.depend(unit, to.unit);
    edges.push(from, to.unit.index, to.index, line, mark);
  }
  const holder = (scope: number) => facts.scopes[scope]?.symbol ?? 0;

  function linkCall(fact: ExpressionFact & { k: "call" }): void {
    calls += 1;
    const from = holder(fact.scope);
    const targets = targetsOfCall(world, unit, fact);
    for (const { declared, confidence } of targets) {
      add(from, declared, "call", fact.line, confidence);
      const maker = declared.fact.kind === "class" ? constructorOf(world, declared) : undefined;
      if (maker !== undefined) add(from, maker, "call", fact.line, confidence);
    }
    if (targets.length > 0) return;
    const missing = unresolvedName(world, unit, fact);
    if (missing === undefined) external += 1;
    else unknown.push({ line: fact.line, name: missing });
  }

  facts.expressions.forEach((fact, index) => {
    if (fact.k === "call") linkCall(fact);
    else if ((fact.k === "name" || fact.k === "member") && !callees.has(index)) {
      const scope = scopeOf(facts.expressions, index);
      if (scope === undefined || (fact.k === "name" && isLocal(unit, fact.scope, fact.name))) return;
      for (const { declared, confidence } of world.resolve(unit, index).targets)
        add(holder(scope), declared, "reference", fact.line, confidence);
    }
  });
  for (const fact of facts.types) {
    if (fact.k !== "ref") continue;
    const [head = "", ...rest] = fact.name;
    let found = world.name(unit, fact.scope, head);
    for (const segment of rest) if (found !== undefined) found = world.member(found.value, segment);
    for (const { declared } of found?.targets ?? []) add(holder(fact.scope), declared, "reference", fact.line, "exact");
  }
  linkImports(world, unit, add);
  linkHeritage(world, unit, add);
  return { edges: Int32Array.from(edges), calls, external, unknown };
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

function isLocal(unit: Unit, scope: number, name: string): boolean {
  for (let at = scope; at > 0; at = unit.facts.scopes[at]?.parent ?? 0) {
    const found = unit.facts.bindings;
    const local = (unit as { tables?: { bindings(scope: number, name: string): readonly number[] } }).tables?.bindings(at, name) ?? [];
    if (local.length > 0) return local.every((index) => found[index]?.kind !== "symbol" && found[index]?.kind !== "import");
  }
  return false;
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

type Add = (from: number, declared: Declared, kind: EdgeKind, line: number, confidence: Target["confidence"]) => void;

function linkImports(world: World, unit: Unit, add: Add): void {
  const kinds: readonly EdgeKind[] = unit.isTest ? ["imports", "tests"] : ["imports"];
  const bindings = new Map(unit.facts.bindings.flatMap(({ kind, target }, at) => (kind === "import" ? [[target, at] as const] : [])));
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
        if (file !== unit && (kind === "imports" || !file.isTest)) add(0, world.declared(file, 0), kind, fact.line, "exact");
      for (const { declared } of targets) if (kind === "imports" || !declared.unit.isTest) add(0, declared, kind, fact.line, "exact");
    }
  }
}

function packageFiles(world: World, name: string, targets: readonly Target[]): readonly Unit[] {
  const named = targets.map(({ declared }) => declared.unit);
  return named.length > 0 ? named : world.packageUnits(name).filter(({ isTest }) => !isTest);
}

function linkHeritage(world: World, unit: Unit, add: Add): void {
  unit.facts.symbols.forEach((fact, index) => {
    for (const { how, type } of fact.heritage ?? []) {
      const value = world.type(unit, type);
      for (const base of value.t === "union" ? value.items : [value]) {
        if (base.t !== "instance" && base.t !== "itself") continue;
        const kind = how === "implements" || (base.of.fact.kind === "interface" && fact.kind !== "interface") ? "implements" : "inherits";
        add(index, base.of, kind, fact.line, "exact");
      }
    }
    if (fact.kind !== "method") return;
    for (const { declared, kind } of baseMethods(world, world.declared(unit, index))) add(index, declared, kind, fact.line, "inferred");
  });
}
