import type { SymbolKind } from "../facts.ts";
import { builtinMember } from "./builtins.ts";
import { givenBy, merged, onlySelf } from "./substitute.ts";
import { alternatives, EXTERNAL, NO_TARGETS, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Resolution, Substitution, Target, Unit, Value, World } from "./world.ts";

const HEIGHT = 24;
const NONE: readonly number[] = [];
const TYPES: readonly SymbolKind[] = ["class", "interface", "enum"];

/** What `value.name` is: the declarations that it may be, and what it gives. Looks through bases, merged declarations and unions. */
export function memberOf(world: World, value: Value, name: string, isCalled = false): Resolution {
  if (value.t !== "union") return memberOfOne(world, value, name, isCalled);
  const found = value.items.map((item) => memberOfOne(world, item, name, isCalled));
  return { targets: found.flatMap(({ targets }) => targets), value: unionOf(found.map((each) => each.value)) };
}

function memberOfOne(world: World, value: Value, name: string, isCalled: boolean): Resolution {
  switch (value.t) {
    case "module":
      return world.exported(value.unit, name) ?? moduleBelow(world, value.unit, name);
    case "package":
      return world.ofPackage(value.name, name);
    case "parameter":
      return value.bound === undefined ? { targets: NO_TARGETS, value: UNKNOWN } : memberOfOne(world, value.bound, name, isCalled);
    case "builtin":
      return { targets: NO_TARGETS, value: builtinMember(value, name) };
    case "instance":
      return onInstance(world, value, name, isCalled);
    case "itself":
      return onItself(world, value, name, isCalled);
    case "union":
      return memberOf(world, value, name, isCalled);
    case "external":
    case "unknown":
    default:
      return { targets: NO_TARGETS, value };
  }
}

/** A file of a Python package, named as its member. */
function moduleBelow(world: World, unit: Unit, name: string): Resolution {
  const target = unit.facts.language === "python" && unit.path.endsWith("__init__.py") ? world.module(unit, `.${name}`) : undefined;
  if (target?.kind === "package") return { targets: NO_TARGETS, value: { t: "package", name: target.name } };
  return { targets: NO_TARGETS, value: target?.kind === "unit" ? { t: "module", unit: target.unit } : UNKNOWN };
}

/** What is looked for in a type. */
interface Wanted {
  readonly name: string;
  readonly isStatic: boolean;
  readonly isCalled: boolean;
  readonly self: Value;
}

interface Search extends Wanted {
  readonly seen: Set<Declared>;
  isExternal: boolean;
}

function onInstance(world: World, value: Value & { t: "instance" }, name: string, isCalled: boolean): Resolution {
  const search: Search = { name, isStatic: false, isCalled, self: value, seen: new Set(), isExternal: false };
  const found = inHierarchy(world, value.of, givenBy(value.of, value.args), search, 0);
  return found ?? { targets: NO_TARGETS, value: search.isExternal ? EXTERNAL : UNKNOWN };
}

function onItself(world: World, value: Value & { t: "itself" }, name: string, isCalled: boolean): Resolution {
  const { of } = value;
  if (of.fact.kind === "function" || of.fact.kind === "method") {
    const own = owned(world, of, undefined, { name, isStatic: true, isCalled, self: value });
    return own ?? { targets: NO_TARGETS, value: name === "call" || name === "apply" || name === "bind" ? value : UNKNOWN };
  }
  const search: Search = {
    name,
    isStatic: of.fact.kind === "class" || of.fact.kind === "interface",
    isCalled,
    self: value,
    seen: new Set(),
    isExternal: false,
  };
  const found = inHierarchy(world, of, value.given, search, 0);
  if (found !== undefined) return found;
  if (of.fact.kind === "object" && of.fact.value !== undefined)
    return memberOf(world, world.resolve(of.unit, of.fact.value).value, name, isCalled);
  return { targets: NO_TARGETS, value: search.isExternal ? EXTERNAL : UNKNOWN };
}

function inHierarchy(world: World, of: Declared, given: Substitution | undefined, search: Search, height: number): Resolution | undefined {
  if (height > HEIGHT || search.seen.has(of)) return undefined;
  search.seen.add(of);
  const own = owned(world, of, given, search);
  if (own !== undefined) return own;
  for (const declared of [of, ...twins(world, of)]) {
    for (const { type } of declared.fact.heritage ?? []) {
      for (const base of alternatives(world.substitute(world.type(declared.unit, type), given))) {
        const found = inBase(world, base, search, height);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

function inBase(world: World, base: Value, search: Search, height: number): Resolution | undefined {
  if (base.t === "external" || base.t === "builtin") search.isExternal = true;
  if (base.t === "instance") return inHierarchy(world, base.of, givenBy(base.of, base.args), search, height + 1);
  if (base.t === "itself") {
    if (base.of.fact.kind === "function" || base.of.fact.kind === "method")
      return inBase(world, world.resultOf(base.of), search, height + 1);
    return inHierarchy(world, base.of, base.given, search, height + 1);
  }
  return undefined;
}

/** Declarations that are merged with this one: an interface with a class, a namespace with a function, a type's methods elsewhere. */
function twins(world: World, of: Declared): readonly Declared[] {
  if (of.fact.name === "" || of.fact.hidden === true) return [];
  return world.twins(of);
}

function owned(world: World, of: Declared, given: Substitution | undefined, wanted: Wanted): Resolution | undefined {
  const all = [of, ...twins(world, of)];
  if (wanted.isCalled && of.unit.facts.language === "rust") {
    for (const declared of all) {
      const methods = world.children(declared.unit, declared.index, wanted.name).filter(({ fact }) => fact.kind === "method");
      if (methods.length > 0) return members(world, methods, given, wanted.self);
    }
  }
  for (const declared of all) {
    const found = ownedBy(world, declared, given, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ownedBy(world: World, declared: Declared, given: Substitution | undefined, wanted: Wanted): Resolution | undefined {
  const { name, isStatic, self } = wanted;
  const children = world.children(declared.unit, declared.index, name);
  if (children.length > 0) {
    const found = children.filter((child) => fits(declared, child, isStatic));
    if (found.length > 0) return members(world, found, given, self);
  }
  const assigned = isStatic ? NONE : world.assigned(declared, name);
  if (assigned.length === 0) return undefined;
  return { targets: NO_TARGETS, value: unionOf(assigned.slice(0, 4).map((value) => world.resolve(declared.unit, value).value)) };
}

function fits(owner: Declared, child: Declared, isStatic: boolean): boolean {
  const { kind } = owner.fact;
  const { language } = owner.unit.facts;
  if (kind !== "class" || TYPES.includes(child.fact.kind) || language === "python" || language === "ruby") return true;
  if (language === "rust" || language === "cpp" || language === "php") return true;
  return (
    (child.fact.isStatic === true) === isStatic ||
    (!isStatic && language !== "typescript" && language !== "tsx" && language !== "javascript")
  );
}

function members(world: World, found: readonly Declared[], given: Substitution | undefined, self: Value): Resolution {
  const bound = merged(given, onlySelf(self));
  const preferred = found.filter(({ fact }) => fact.isSetter !== true);
  const chosen = preferred.length > 0 ? preferred : found;
  const targets: Target[] = chosen.map((declared) => ({ declared, given: bound, confidence: "inferred" }));
  const values = chosen.map((declared) =>
    world.substitute(declared.fact.isAccessor === true ? world.resultOf(declared) : world.valueOf(declared), bound),
  );
  const value = values.find((each) => each.t !== "unknown") ?? UNKNOWN;
  if (value.t !== "unknown") return { targets, value };
  const [first] = chosen;
  const assigned = first === undefined ? [] : world.assignedTo(first);
  return {
    targets,
    value: unionOf(assigned.slice(0, 4).map((each) => (first === undefined ? UNKNOWN : world.resolve(first.unit, each).value))),
  };
}
