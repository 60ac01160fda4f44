import { parameterKey, unionOf, UNKNOWN } from "./world.ts";
import type { Declared, Substitution, Value, World } from "./world.ts";

const DEPTH = 6;

/** `value` with its type parameters replaced by what they stand for. Deeper than six levels is cut off as unknown. */
export function substitute(value: Value, given: Substitution | undefined, depth = 0): Value {
  if (given === undefined || given.size === 0) return value;
  if (depth > DEPTH) return UNKNOWN;
  switch (value.t) {
    case "parameter":
      return given.get(value.key) ?? value;
    case "instance":
      return value.args.length === 0 ? value : { ...value, args: value.args.map((arg) => substitute(arg, given, depth + 1)) };
    case "builtin":
      return value.args.length === 0 ? value : { ...value, args: value.args.map((arg) => substitute(arg, given, depth + 1)) };
    case "union":
      return unionOf(value.items.map((item) => substitute(item, given, depth + 1)));
    case "itself":
      return { ...value, given: merged(value.given, given, depth) };
    case "external":
    case "module":
    case "package":
    case "unknown":
    default:
      return value;
  }
}

/** What `self` stands for and nothing else: by far the most of all substitutions, so it is small. */
class SelfOnly implements Substitution {
  readonly size = 1;
  private readonly self: Value;

  constructor(self: Value) {
    this.self = self;
  }

  get(key: string): Value | undefined {
    return key === "self" ? this.self : undefined;
  }

  *[Symbol.iterator](): Generator<readonly [string, Value]> {
    yield ["self", this.self];
  }
}

export function onlySelf(self: Value): Substitution {
  return new SelfOnly(self);
}

/** First what stands in `inner`, itself substituted, then the rest of `outer`. */
export function merged(inner: Substitution | undefined, outer: Substitution | undefined, depth = 0): Substitution {
  if (inner === undefined || inner.size === 0) return outer ?? new Map();
  if (outer === undefined || outer.size === 0) return inner;
  const all = new Map(outer);
  for (const [key, value] of inner) all.set(key, substitute(value, outer, depth + 1));
  return all;
}

/** The type arguments of an instance, as a substitution. */
export function givenBy(declared: Declared, args: readonly Value[]): Substitution | undefined {
  const parameters = declared.fact.typeParameters;
  if (parameters === undefined || args.length === 0) return undefined;
  return new Map(
    parameters.flatMap(({ name }, index) => (args[index] === undefined ? [] : [[parameterKey(declared, name), args[index]] as const])),
  );
}

/** Finds what type parameters stand for by laying an argument beside the parameter's type. */
export function infer(world: World, parameter: Value, argument: Value, found: Map<string, Value>, depth = 0): void {
  if (depth > DEPTH || argument.t === "unknown") return;
  if (parameter.t === "parameter") {
    const known = found.get(parameter.key);
    found.set(parameter.key, known === undefined ? argument : unionOf([known, argument]));
  } else if (parameter.t === "union") {
    for (const item of parameter.items) infer(world, item, argument, found, depth + 1);
  } else if (parameter.t === "builtin" && argument.t === "builtin" && parameter.name === argument.name) {
    parameter.args.forEach((arg, index) => infer(world, arg, argument.args[index] ?? UNKNOWN, found, depth + 1));
  } else if (parameter.t === "instance" && argument.t === "instance" && parameter.of === argument.of) {
    parameter.args.forEach((arg, index) => infer(world, arg, argument.args[index] ?? UNKNOWN, found, depth + 1));
  } else if (parameter.t === "itself" && parameter.of.fact.kind === "function" && argument.t === "itself") {
    inferFunction(world, parameter, argument, found, depth);
  }
}

function inferFunction(
  world: World,
  parameter: Value & { t: "itself" },
  argument: Value & { t: "itself" },
  found: Map<string, Value>,
  depth: number,
): void {
  if (argument.of.fact.kind === "class") {
    infer(world, world.resultOf(parameter.of), { t: "instance", of: argument.of, args: [] }, found, depth + 1);
    return;
  }
  if (argument.of.fact.kind !== "function" && argument.of.fact.kind !== "method") return;
  const result = substitute(world.resultOf(argument.of), argument.given);
  infer(world, substitute(world.resultOf(parameter.of), parameter.given), result, found, depth + 1);
}
