import { builtinCall } from "./builtins.ts";
import { infer, merged } from "./substitute.ts";
import { alternatives, EXTERNAL, parameterKey, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Substitution, Unit, Value, World } from "./world.ts";
import type { ExpressionFact } from "../facts.ts";

type CallFact = ExpressionFact & { readonly k: "call" };

/** What a call gives. */
export function callValue(world: World, unit: Unit, index: number): Value {
  const fact = unit.facts.expressions[index];
  if (fact?.k !== "call") return UNKNOWN;
  const callee = world.resolve(unit, fact.callee).value;
  const name = calleeName(unit, fact);
  if (name === "super" && unit.facts.language === "python") return superValue(world, unit, fact) ?? UNKNOWN;
  return callee.t === "union" ? unionOf(callee.items.map((item) => called(world, unit, fact, item))) : called(world, unit, fact, callee);
}

function calleeName(unit: Unit, fact: CallFact): string | undefined {
  const callee = unit.facts.expressions[fact.callee];
  return callee?.k === "name" ? callee.name : undefined;
}

/** Python's `super()`: the bases of the class around. */
function superValue(world: World, unit: Unit, fact: CallFact): Value | undefined {
  const self = world.self(unit, fact.scope);
  if (self?.t !== "instance" && self?.t !== "itself") return undefined;
  return basesOf(world, self.of, self.t === "itself");
}

/** An instance of what a class extends, or the bases themselves. */
export function basesOf(world: World, declared: Declared, isStatic: boolean): Value {
  const bases = (declared.fact.heritage ?? []).filter(({ how }) => how === "extends").map(({ type }) => world.type(declared.unit, type));
  if (!isStatic) return unionOf(bases);
  return unionOf(bases.map((base) => (base.t === "instance" ? { t: "itself", of: base.of } : base)));
}

function called(world: World, unit: Unit, fact: CallFact, callee: Value): Value {
  if (callee.t === "external") return EXTERNAL;
  if (callee.t === "builtin")
    return builtinCall(callee, {
      isNew: fact.how === "new",
      types: (fact.types ?? []).map((type) => world.type(unit, type)),
      argument: (at) => argumentOf(world, unit, fact, at),
      world,
    });
  if (callee.t === "instance") {
    for (const name of ["()", "new()", "__call__"]) {
      const [target] = world.member(callee, name).targets;
      if (target !== undefined) return applied(world, unit, fact, target.declared, target.given);
    }
    return UNKNOWN;
  }
  if (callee.t !== "itself") return UNKNOWN;
  const { of, given } = callee;
  const isConversion = of.fact.kind === "interface" && unit.facts.language === "go";
  if (of.fact.kind === "class" || isConversion) return constructed(world, unit, fact, of, given);
  if (of.fact.kind === "function" || of.fact.kind === "method") return applied(world, unit, fact, of, given);
  return UNKNOWN;
}

function argumentOf(world: World, unit: Unit, fact: CallFact, at: number): Value {
  const argument = fact.args[at];
  return argument === undefined ? UNKNOWN : world.resolve(unit, argument).value;
}

function constructed(world: World, unit: Unit, fact: CallFact, of: Declared, given: Substitution | undefined): Value {
  const parameters = of.fact.typeParameters;
  if (parameters === undefined) return { t: "instance", of, args: [] };
  if (fact.types !== undefined) return { t: "instance", of, args: fact.types.map((type) => world.type(unit, type)) };
  const found = new Map<string, Value>(given);
  const [maker] = world.member({ t: "instance", of, args: [] }, of.unit.facts.language === "python" ? "__init__" : "constructor").targets;
  if (maker !== undefined) inferArguments(world, unit, fact, maker.declared, found, true);
  return {
    t: "instance",
    of,
    args: parameters.map(
      ({ name, bound }) => found.get(parameterKey(of, name)) ?? (bound === undefined ? UNKNOWN : world.type(of.unit, bound)),
    ),
  };
}

function applied(world: World, unit: Unit, fact: CallFact, of: Declared, given: Substitution | undefined): Value {
  const chosen = overload(world, unit, fact, of);
  return world.substitute(world.resultOf(chosen), givenFor(world, unit, fact, chosen, given, true));
}

/** The signature that fits the arguments by number, and where it can be told, by the first one's kind. */
function overload(world: World, unit: Unit, fact: CallFact, of: Declared): Declared {
  const all = world.overloads(of);
  if (all.length < 2) return of;
  const fitting = all.filter(({ fact: { parameters } }) => (parameters?.length ?? 0) >= fact.args.length);
  if (fitting.length < 2) return fitting[0] ?? all[0] ?? of;
  const argument = argumentOf(world, unit, fact, 0);
  if (argument.t === "unknown" || argument.t === "external") return fitting[0] ?? of;
  return fitting.find((each) => accepts(firstParameter(world, each), argument)) ?? fitting[0] ?? of;
}

function firstParameter(world: World, declared: Declared): Value {
  const [binding] = declared.fact.parameters ?? [];
  const type = binding === undefined ? undefined : declared.unit.facts.bindings[binding]?.type;
  return type === undefined ? UNKNOWN : world.type(declared.unit, type);
}

function accepts(parameter: Value, argument: Value): boolean {
  return alternatives(parameter).some((one) =>
    alternatives(argument).some((other) => {
      if (one.t !== other.t) return one.t === "parameter" || one.t === "unknown";
      if (one.t === "builtin" && other.t === "builtin") return one.name === other.name;
      if (one.t === "instance" && other.t === "instance") return one.of === other.of;
      return true;
    }),
  );
}

/** What a call binds the type parameters of its function to. Lambdas are left out where their own parameters are asked for. */
export function givenFor(
  world: World,
  unit: Unit,
  fact: CallFact,
  of: Declared,
  given: Substitution | undefined,
  withLambdas: boolean,
): Substitution | undefined {
  const parameters = of.fact.typeParameters;
  if (parameters === undefined || parameters.length === 0) return given;
  const found = new Map<string, Value>();
  if (fact.types !== undefined) {
    fact.types.forEach((type, index) => {
      const name = parameters[index]?.name;
      if (name !== undefined) found.set(parameterKey(of, name), world.type(unit, type));
    });
  } else inferArguments(world, unit, fact, of, found, withLambdas);
  return merged(found, given);
}

function inferArguments(world: World, unit: Unit, fact: CallFact, of: Declared, found: Map<string, Value>, withLambdas: boolean): void {
  (of.fact.parameters ?? []).forEach((binding, index) => {
    const type = of.unit.facts.bindings[binding]?.type;
    const argument = fact.args[index];
    if (type === undefined || argument === undefined) return;
    if (!withLambdas && unit.facts.expressions[argument]?.k === "symbol") return;
    infer(world, world.type(of.unit, type), world.resolve(unit, argument).value, found);
  });
}
