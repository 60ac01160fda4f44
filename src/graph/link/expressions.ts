import { awaited, elementOf, globalValue } from "./builtins.ts";
import { basesOf } from "./calls.ts";
import { calledByName, methodOf } from "./methods.ts";
import { functionsIn } from "./names.ts";
import { calledOnRust } from "./rust-paths.ts";
import { alternatives, builtin, EXTERNAL, NO_TARGETS, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Resolution, Unit, Value, World } from "./world.ts";

/** What an expression is, and which declarations it names. */
export function resolution(world: World, unit: Unit, index: number): Resolution {
  const fact = unit.facts.expressions[index];
  if (fact === undefined) return only(UNKNOWN);
  switch (fact.k) {
    case "name": {
      const found =
        (fact.call === undefined ? undefined : calledByName(world, unit, fact)) ??
        world.name(unit, fact.scope, fact.name) ??
        only(globalValue(fact.name));
      for (const { declared } of found.targets) world.depend(unit, declared.unit);
      return found;
    }
    case "member": {
      const receiver = world.resolve(unit, fact.of).value;
      // What a receiver has is asked of its own file, even where the member is found in a base or nowhere.
      for (const item of alternatives(receiver)) {
        if (item.t === "instance" || item.t === "itself") world.depend(unit, item.of.unit);
        else if (item.t === "module") world.depend(unit, item.unit);
      }
      const isCalled = fact.call !== undefined;
      const isChosen = isCalled && unit.facts.language === "java";
      const found = (isChosen ? methodOf(world, unit, receiver, fact) : undefined) ?? world.member(receiver, fact.name, isCalled);
      for (const { declared } of found.targets) world.depend(unit, declared.unit);
      if (found.targets.length > 0) return found;
      if (isCalled && unit.facts.language === "rust") return calledOnRust(world, unit, receiver, fact.name) ?? found;
      return { targets: functionsIn(found.value), value: found.value };
    }
    case "call":
      return only(world.call(unit, index));
    case "this":
      return only(world.self(unit, fact.scope) ?? UNKNOWN);
    case "super":
      return superOf(world, unit, fact.scope);
    case "symbol":
      return only(world.valueOf(world.declared(unit, fact.symbol)));
    case "literal":
      return only(builtin(fact.name));
    case "array":
      return only(builtin("Array", unionOf(fact.items.slice(0, 16).map((item) => itemValue(world, unit, item)))));
    case "tuple":
      return only(builtin("tuple", ...fact.items.slice(0, 16).map((item) => world.resolve(unit, item).value)));
    case "either": {
      const all = fact.items.map((item) => world.resolve(unit, item));
      return { targets: all.flatMap(({ targets }) => targets), value: unionOf(all.map(({ value }) => value)) };
    }
    case "await":
      return only(awaited(world.resolve(unit, fact.of).value));
    case "element":
      return only(iterated(world, world.resolve(unit, fact.of).value));
    case "value":
      return only(keyed(world, world.resolve(unit, fact.of).value));
    case "item":
      return only(itemOf(world, world.resolve(unit, fact.of).value, fact.index));
    case "enter":
      return only(entered(world, world.resolve(unit, fact.of).value));
    case "cast":
      return only(world.type(unit, fact.type));
    case "spread":
      return only(world.resolve(unit, fact.of).value);
    case "made":
      return only(fact.of.length > 0 && fact.of.every((of) => world.resolve(unit, of).value.t === "external") ? EXTERNAL : UNKNOWN);
  }
}

const NOTHING: Resolution = { targets: NO_TARGETS, value: UNKNOWN };
const OUTSIDE: Resolution = { targets: NO_TARGETS, value: EXTERNAL };

function only(value: Value): Resolution {
  if (value === UNKNOWN) return NOTHING;
  return value === EXTERNAL ? OUTSIDE : { targets: NO_TARGETS, value };
}

function itemValue(world: World, unit: Unit, item: number): Value {
  const { value } = world.resolve(unit, item);
  return unit.facts.expressions[item]?.k === "spread" ? elementOf(value) : value;
}

function superOf(world: World, unit: Unit, scope: number): Resolution {
  const self = world.self(unit, scope);
  if (self?.t !== "instance" && self?.t !== "itself") return only(UNKNOWN);
  const value = basesOf(world, self.of, self.t === "itself");
  return only(value);
}

/** What iterating gives: the platform's elements, else what the type's own iterator gives. */
function iterated(world: World, value: Value): Value {
  return unionOf(
    alternatives(value).map((item) => {
      if (item.t !== "instance") return elementOf(item);
      for (const name of ["__iter__", "__aiter__", "__getitem__", "[]", "iterator", "next"]) {
        const [target] = world.member(item, name).targets;
        if (target === undefined) continue;
        const result = world.substitute(name === "[]" ? world.valueOf(target.declared) : world.resultOf(target.declared), target.given);
        if (name === "[]" || name === "__getitem__") return result;
        return result.t === "builtin" ? elementOf(result) : UNKNOWN;
      }
      return UNKNOWN;
    }),
  );
}

function keyed(world: World, value: Value): Value {
  return unionOf(
    alternatives(value).map((item) => (item.t === "builtin" && item.name === "Map" ? (item.args[1] ?? UNKNOWN) : iterated(world, item))),
  );
}

function itemOf(world: World, value: Value, index: number): Value {
  return unionOf(
    alternatives(value).map((item) =>
      item.t === "builtin" && item.name === "tuple" ? (item.args[index] ?? UNKNOWN) : iterated(world, item),
    ),
  );
}

function entered(world: World, value: Value): Value {
  return unionOf(
    alternatives(value).map((item) => {
      if (item.t !== "instance") return item.t === "builtin" && item.name === "Array" ? elementOf(item) : item;
      const [target] = [...world.member(item, "__enter__").targets, ...world.member(item, "__aenter__").targets];
      if (target === undefined) return item;
      const result = awaited(world.substitute(world.resultOf(target.declared), target.given));
      return result.t === "unknown" ? item : result;
    }),
  );
}

/** What a declaration is when its name stands as a value. */
export function declaredValue(world: World, declared: Declared): Value {
  const { fact, unit } = declared;
  switch (fact.kind) {
    case "variable":
    case "field": {
      if (fact.type !== undefined) return world.type(unit, fact.type);
      return fact.value === undefined ? UNKNOWN : world.resolve(unit, fact.value).value;
    }
    case "object":
      return fact.type === undefined
        ? { t: "itself", of: declared }
        : unionOf([world.type(unit, fact.type), { t: "itself", of: declared }]);
    case "type":
      return fact.value === undefined ? UNKNOWN : world.resolve(unit, fact.value).value;
    case "class":
    case "enum":
    case "function":
    case "interface":
    case "method":
    case "module":
    case "namespace":
    default:
      return { t: "itself", of: declared };
  }
}

/** What a call of a function gives, its type parameters unbound. */
export function declaredResult(world: World, declared: Declared): Value {
  const { fact, unit } = declared;
  if (fact.type !== undefined) {
    const type = world.type(unit, fact.type);
    return unit.facts.language === "python" && fact.isAsync === true && fact.isGenerator !== true ? builtin("Promise", type) : type;
  }
  if (fact.isGenerator === true) return builtin("Array", unionOf((fact.yields ?? []).map((value) => world.resolve(unit, value).value)));
  if (fact.isAbstract === true) return UNKNOWN;
  if (fact.returns === undefined) return builtin("null");
  const value = unionOf(
    fact.returns.slice(0, 8).map((at) => {
      const { value } = world.resolve(unit, at);
      return unit.facts.expressions[at]?.k === "this" ? { t: "parameter" as const, key: "self", bound: value } : value;
    }),
  );
  return fact.isAsync === true ? builtin("Promise", awaited(value)) : value;
}
