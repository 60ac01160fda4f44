import { builtinCallback } from "./builtins.ts";
import { givenFor } from "./calls.ts";
import { alternatives, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Substitution, Unit, Value, World } from "./world.ts";

/** What is expected where a lambda or an object literal stands. */
export function expectedAt(world: World, declared: Declared): Value {
  const { unit, fact } = declared;
  const { context } = fact;
  if (context === undefined) return UNKNOWN;
  if ("call" in context) return ofArgument(world, unit, context.call, context.argument);
  if ("type" in context) return world.type(unit, context.type);
  if ("object" in context) return world.member(ofObject(world, world.declared(unit, context.object)), context.key).value;
  if ("ofTarget" in context) return declaredType(world, unit, context.ofTarget);
  return ofReturn(world, world.declared(unit, context.returnOf));
}

function ofObject(world: World, object: Declared): Value {
  return object.fact.type === undefined ? world.expected(object) : world.type(object.unit, object.fact.type);
}

/** The declared type of what is assigned to; the value of an assignment is no type for itself. */
function declaredType(world: World, unit: Unit, expression: number): Value {
  const fact = unit.facts.expressions[expression];
  if (fact?.k !== "member") return UNKNOWN;
  const owner = world.resolve(unit, fact.of).value;
  const targets = world.member(owner, fact.name).targets;
  return unionOf(
    targets.map(({ declared, given }) =>
      declared.fact.type === undefined ? UNKNOWN : world.substitute(world.type(declared.unit, declared.fact.type), given),
    ),
  );
}

function ofReturn(world: World, around: Declared): Value {
  if (around.fact.type !== undefined) return unwrapped(world.type(around.unit, around.fact.type), around.fact.isAsync === true);
  const expected = around.fact.context === undefined ? UNKNOWN : world.expected(around);
  const results = alternatives(expected).map((item) =>
    item.t === "itself" ? world.substitute(world.resultOf(item.of), item.given) : UNKNOWN,
  );
  return unwrapped(unionOf(results), around.fact.isAsync === true);
}

function unwrapped(value: Value, isAsync: boolean): Value {
  if (!isAsync) return value;
  return unionOf(alternatives(value).map((item) => (item.t === "builtin" && item.name === "Promise" ? (item.args[0] ?? UNKNOWN) : item)));
}

function ofArgument(world: World, unit: Unit, call: number, argument: number): Value {
  const fact = unit.facts.expressions[call];
  if (fact?.k !== "call") return UNKNOWN;
  const callee = world.resolve(unit, fact.callee).value;
  const found: Value[] = [];
  for (const item of alternatives(callee)) {
    if (item.t === "builtin")
      found.push(
        builtinCallback(item, argument, (at) => (fact.args[at] === undefined ? UNKNOWN : world.resolve(unit, fact.args[at]).value)),
      );
    for (const signature of signaturesOf(world, item, fact.args.length)) {
      const binding = parameterAt(signature.declared, argument);
      if (binding === undefined) continue;
      const given = givenFor(world, unit, fact, signature.declared, signature.given, false);
      const type = signature.declared.unit.facts.bindings[binding];
      const value = world.substitute(world.binding(signature.declared.unit, binding).value, given);
      found.push(type?.rest === true && value.t === "builtin" && value.name === "Array" ? (value.args[0] ?? UNKNOWN) : value);
    }
  }
  return unionOf(found);
}

function parameterAt(declared: Declared, argument: number): number | undefined {
  const { parameters } = declared.fact;
  if (parameters === undefined) return undefined;
  const last = parameters.at(-1);
  const rest = last !== undefined && declared.unit.facts.bindings[last]?.rest === true ? last : undefined;
  return parameters[argument] ?? rest;
}

function signaturesOf(world: World, value: Value, count: number): { declared: Declared; given?: Substitution }[] {
  if (value.t === "instance")
    return world
      .member(value, "()")
      .targets.flatMap((target) => fitting(world, target.declared, count).map((declared) => ({ ...target, declared })));
  if (value.t !== "itself") return [];
  if (value.of.fact.kind === "class") {
    const makers = world.member({ t: "instance", of: value.of, args: [] }, "constructor").targets;
    return makers.map(({ declared, given }) => ({ declared, ...(given === undefined ? {} : { given }) }));
  }
  return fitting(world, value.of, count).map((declared) => ({ declared, ...(value.given === undefined ? {} : { given: value.given }) }));
}

function fitting(world: World, declared: Declared, count: number): readonly Declared[] {
  const all = world.overloads(declared);
  const fit = all.filter(({ fact, unit }) => {
    const last = fact.parameters?.at(-1);
    return (fact.parameters?.length ?? 0) >= count || (last !== undefined && unit.facts.bindings[last]?.rest === true);
  });
  return fit.length > 0 ? fit : all;
}
