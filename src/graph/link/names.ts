import { isScript } from "./languages.ts";
import type { SymbolKind } from "../facts.ts";
import { itemAt } from "./rust-paths.ts";
import { givenBy } from "./substitute.ts";
import { implemented } from "./twins.ts";
import { EXTERNAL, NO_TARGETS, parameterKey, unionOf, UNKNOWN } from "./world.ts";
import type { ModuleTarget, Resolution, Target, Unit, Value, World } from "./world.ts";

const NOTHING: Resolution = { targets: [], value: UNKNOWN };
const OUTSIDE: Resolution = { targets: [], value: EXTERNAL };

/** Languages in which a class's members are seen by their bare names inside it. */
const IMPLICIT_SELF = new Set(["java", "csharp", "cpp", "ruby"]);

/** Looks a name up from a scope outwards, then in what the file's package shares; undefined when it is nowhere. */
export function lookUp(world: World, unit: Unit, scope: number, name: string): Resolution | undefined {
  if (unit.facts.language === "rust" && (name === "crate" || name === "super")) return rustModule(world, unit, scope, name);
  const implicit = IMPLICIT_SELF.has(unit.facts.language);
  if (!implicit && !world.isBound(unit, name)) return shared(world, unit, name);
  for (let at = scope; at !== -1; at = unit.facts.scopes[at]?.parent ?? -1) {
    const found = world.bindings(unit, at, name);
    if (found.length > 0) return several(world, unit, found);
    if (implicit) {
      const member = ofClass(world, unit, at, name);
      if (member !== undefined) return member;
    }
  }
  return shared(world, unit, name);
}

/** `crate` and `super` at the head of a path: a file, or the module around one that is written within a file. */
function rustModule(world: World, unit: Unit, scope: number, name: "crate" | "super"): Resolution | undefined {
  const isInline = name === "super" && isWithinNamespace(unit, scope);
  const target: ModuleTarget = isInline ? { kind: "unit", unit } : world.module(unit, name);
  if (target.kind !== "unit") return undefined;
  world.depend(unit, target.unit);
  return { targets: [], value: { t: "module", unit: target.unit } };
}

function isWithinNamespace({ facts }: Unit, scope: number): boolean {
  for (let at = facts.scopes[scope]?.symbol ?? 0; at > 0; at = facts.symbols[at]?.parent ?? 0)
    if (facts.symbols[at]?.kind === "namespace") return true;
  return false;
}

function several(world: World, unit: Unit, found: readonly number[]): Resolution {
  const [first] = found;
  if (first === undefined) return NOTHING;
  if (found.length === 1) return world.binding(unit, first);
  const kinds = found.map((binding) => unit.facts.bindings[binding]?.kind);
  const own = kinds.findIndex((kind) => kind === "symbol");
  const chosen = own === -1 ? undefined : found[own];
  if (chosen !== undefined && !kinds.includes("variable")) return world.binding(unit, chosen);
  const all = found.slice(0, 4).map((binding) => world.binding(unit, binding));
  return { targets: all.flatMap(({ targets }) => targets), value: unionOf(all.map(({ value }) => value)) };
}

function ofClass(world: World, unit: Unit, scope: number, name: string): Resolution | undefined {
  const symbol = unit.facts.scopes[scope]?.symbol ?? 0;
  const fact = unit.facts.symbols[symbol];
  if (fact === undefined || fact.scope !== scope || !["class", "interface", "enum"].includes(fact.kind)) return undefined;
  const of = world.declared(unit, symbol);
  const found = world.member({ t: "instance", of, args: [] }, name);
  if (found.targets.length > 0) return found;
  const still = world.member({ t: "itself", of }, name);
  return still.targets.length > 0 ? still : undefined;
}

function shared(world: World, unit: Unit, name: string): Resolution | undefined {
  const own = world.packageOf(unit);
  const inPackage = own === undefined ? undefined : ofPackage(world, unit, own, name);
  if (inPackage !== undefined) return inPackage;
  for (const { module, all } of unit.facts.imports) {
    if (all !== true) continue;
    const target = world.module(unit, module);
    const found =
      target.kind === "unit"
        ? through(world, unit, target.unit, name)
        : target.kind === "package"
          ? ofPackage(world, unit, target.name, name)
          : itemAt(world, unit, module, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function through(world: World, from: Unit, target: Unit, name: string): Resolution | undefined {
  world.depend(from, target);
  const found = world.exported(target, name);
  return found !== undefined && (found.targets.length > 0 || found.value.t !== "unknown") ? found : undefined;
}

/** A name in a package that consists of several files. */
export function ofPackage(world: World, from: Unit, name: string, wanted: string): Resolution | undefined {
  for (const unit of world.packageUnits(name)) {
    if (unit.isTest && !from.isTest) continue;
    const found = world.bindings(unit, 0, wanted).filter((binding) => unit.facts.bindings[binding]?.kind === "symbol");
    if (found.length === 0) continue;
    world.depend(from, unit);
    return several(world, unit, found);
  }
  return undefined;
}

/** What a binding stands for. */
export function bindingOf(world: World, unit: Unit, index: number): Resolution {
  const binding = unit.facts.bindings[index];
  if (binding === undefined) return NOTHING;
  switch (binding.kind) {
    case "symbol": {
      const own = world.declared(unit, binding.target ?? 0);
      const declared = binding.name === "Self" && unit.facts.language === "rust" ? (implemented(world, own)?.of ?? own) : own;
      return { targets: [{ declared, confidence: "exact" }], value: world.valueOf(declared) };
    }
    case "import":
      return importOf(world, unit, binding.target ?? 0);
    case "type-parameter": {
      const declared = world.declared(unit, binding.of ?? 0);
      const bound = declared.fact.typeParameters?.find(({ name }) => name === binding.name)?.bound;
      return {
        targets: [],
        value: {
          t: "parameter",
          key: parameterKey(declared, binding.name),
          bound: bound === undefined ? undefined : world.type(unit, bound),
        },
      };
    }
    case "parameter":
    case "variable":
    default:
      return variableOf(world, unit, index);
  }
}

function variableOf(world: World, unit: Unit, index: number): Resolution {
  const binding = unit.facts.bindings[index];
  if (binding === undefined) return NOTHING;
  let value: Value = UNKNOWN;
  if (binding.type !== undefined) value = world.type(unit, binding.type);
  else if (binding.kind === "parameter") {
    value = contextual(world, unit, binding.of ?? 0, binding.position ?? 0);
    if (value.t === "unknown" && binding.value !== undefined) value = world.resolve(unit, binding.value).value;
  } else if (binding.value !== undefined) value = world.resolve(unit, binding.value).value;
  return { targets: functionsIn(value), value };
}

const CALLABLE: readonly SymbolKind[] = ["function", "method", "class"];

/** The functions and classes that a value may be. */
export function functionsIn(value: Value): readonly Target[] {
  if (value.t !== "itself" && value.t !== "union") return NO_TARGETS;
  const items = value.t === "union" ? value.items : [value];
  return items.flatMap((item) =>
    item.t === "itself" && item.of.fact.hidden !== true && CALLABLE.includes(item.of.fact.kind)
      ? [{ declared: item.of, confidence: "inferred" as const, ...(item.given === undefined ? {} : { given: item.given }) }]
      : [],
  );
}

function contextual(world: World, unit: Unit, symbol: number, position: number): Value {
  const declared = world.declared(unit, symbol);
  if (declared.fact.context === undefined) return UNKNOWN;
  return parameterOf(world, world.expected(declared), position);
}

/** The type of a function value's parameter. */
function parameterOf(world: World, value: Value, position: number): Value {
  const found: Value[] = [];
  for (const item of value.t === "union" ? value.items : [value]) {
    if (item.t === "builtin" && item.name === "callback") found.push(item.args[position] ?? UNKNOWN);
    const signature = item.t === "itself" ? item : item.t === "instance" ? callSignature(world, item) : undefined;
    if (signature?.t !== "itself") continue;
    const { parameters } = signature.of.fact;
    const last = parameters === undefined ? undefined : parameters.at(-1);
    const binding =
      parameters?.[position] ?? (last !== undefined && signature.of.unit.facts.bindings[last]?.rest === true ? last : undefined);
    if (binding === undefined) continue;
    const type = world.binding(signature.of.unit, binding).value;
    found.push(world.substitute(type, signature.given));
  }
  return unionOf(found);
}

/** The method that a lambda of Java stands for: the one of its interface that has no body. */
function onlyMethod(world: World, value: Value): readonly Target[] {
  if (value.t !== "instance" || value.of.fact.kind !== "interface" || value.of.unit.facts.language !== "java") return [];
  const { of, args } = value;
  const given = givenBy(of, args);
  const index = of.unit.facts.symbols.findIndex(
    ({ parent, kind, isAbstract }) => parent === of.index && kind === "method" && isAbstract === true,
  );
  if (index === -1) return [];
  return [{ declared: world.declared(of.unit, index), confidence: "inferred", ...(given === undefined ? {} : { given }) }];
}

function callSignature(world: World, value: Value): Value | undefined {
  const [target] = [...world.member(value, "()").targets, ...onlyMethod(world, value)];
  return target === undefined
    ? undefined
    : { t: "itself", of: target.declared, ...(target.given === undefined ? {} : { given: target.given }) };
}

function importOf(world: World, unit: Unit, index: number): Resolution {
  const fact = unit.facts.imports[index];
  if (fact === undefined) return NOTHING;
  const target = world.module(unit, fact.module);
  if (target.kind === "external" || target.kind === "missing")
    return (
      itemAt(world, unit, fact.module, fact.name) ??
      submodule(world, unit, fact.module, fact.name) ??
      nestedType(world, unit, fact.module, fact.name) ??
      OUTSIDE
    );
  if (target.kind === "package") {
    if (fact.name === "*") return { targets: [], value: { t: "package", name: target.name } };
    return ofPackage(world, unit, target.name, fact.name) ?? submodule(world, unit, fact.module, fact.name) ?? OUTSIDE;
  }
  // `from . import table` in a package's own file names a file beside it; Rust's `use super::part` in a module written within names its own file.
  const beside = target.unit === unit && fact.name !== "*" ? submodule(world, unit, fact.module, fact.name) : undefined;
  if (beside !== undefined) return beside;
  world.depend(unit, target.unit);
  if (fact.name === "=") return world.exported(target.unit, "=") ?? { targets: [], value: { t: "module", unit: target.unit } };
  if (fact.name === "*") {
    const whole = isScript(unit.facts.language) ? world.exported(target.unit, "=") : undefined;
    return whole ?? { targets: [], value: { t: "module", unit: target.unit } };
  }
  const found = world.exported(target.unit, fact.name);
  if (found !== undefined && (found.targets.length > 0 || found.value.t !== "unknown")) return found;
  return submodule(world, unit, fact.module, fact.name) ?? found ?? NOTHING;
}

/** `import a.b.Outer.Inner`: what stands before the name may be a class in a package. */
function nestedType(world: World, unit: Unit, owner: string, name: string): Resolution | undefined {
  const dot = owner.lastIndexOf(".");
  if (unit.facts.language !== "java" || dot === -1) return undefined;
  const [around, outer] = [owner.slice(0, dot), owner.slice(dot + 1)];
  const target = world.module(unit, around);
  const found = target.kind === "package" ? ofPackage(world, unit, target.name, outer) : nestedType(world, unit, around, outer);
  const inner = found === undefined ? undefined : world.member(found.value, name);
  return inner === undefined || inner.targets.length === 0 ? undefined : inner;
}

/** `from package import module` names a file of the package. */
function submodule(world: World, unit: Unit, module: string, name: string): Resolution | undefined {
  if (unit.facts.language !== "python" || name === "*") return undefined;
  const target = world.module(unit, module.endsWith(".") ? `${module}${name}` : `${module}.${name}`);
  if (target.kind === "package") return { targets: [], value: { t: "package", name: target.name } };
  if (target.kind !== "unit") return undefined;
  world.depend(unit, target.unit);
  return { targets: [], value: { t: "module", unit: target.unit } };
}
