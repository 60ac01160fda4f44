import type { ExpressionFact } from "../facts.ts";
import { givenBy, merged, onlySelf } from "./substitute.ts";
import { alternatives, EXTERNAL } from "./world.ts";
import type { Declared, Resolution, Substitution, Target, Unit, Value, World } from "./world.ts";

type Callee = ExpressionFact & { readonly k: "name" | "member" };

const HEIGHT = 24;

interface Candidate {
  readonly declared: Declared;
  readonly given: Substitution | undefined;
}

/** What a call by a bare name leads to, where a variable of that name does not come into question. */
export function calledByName(world: World, unit: Unit, callee: Callee & { readonly k: "name" }): Resolution | undefined {
  if (unit.facts.language !== "java") return functionInScope(world, unit, callee);
  const call = callee.call === undefined ? undefined : unit.facts.expressions[callee.call];
  return call?.k === "call" && call.how === "new" ? classInScope(world, unit, callee) : methodInScope(world, unit, callee);
}

/** What `new` makes where a field has the name of the class: a class around, or of the package or outside. */
function classInScope(world: World, unit: Unit, callee: Callee & { readonly k: "name" }): Resolution | undefined {
  const found = world.name(unit, callee.scope, callee.name);
  const isField = found?.targets.every(({ declared }) => declared.fact.kind === "field" || declared.fact.kind === "variable") ?? false;
  if (found === undefined || found.targets.length === 0 || !isField) return undefined;
  const bound = world.bindings(unit, 0, callee.name).find((each) => unit.facts.bindings[each]?.kind !== "variable");
  if (bound !== undefined) return world.binding(unit, bound);
  const name = world.packageOf(unit);
  const shared = name === undefined ? undefined : world.ofPackage(name, callee.name);
  return shared === undefined || shared.targets.length === 0 ? { targets: [], value: EXTERNAL } : shared;
}

/** The function that is hidden by a variable which holds none, as in `let part = part(input)`. */
function functionInScope(world: World, unit: Unit, callee: Callee & { readonly k: "name" }): Resolution | undefined {
  const { scopes, bindings } = unit.facts;
  let isHidden = false;
  for (let at = callee.scope; at !== -1; at = scopes[at]?.parent ?? -1) {
    for (const index of world.bindings(unit, at, callee.name)) {
      if (bindings[index]?.kind !== "variable") return isHidden ? world.binding(unit, index) : undefined;
      if (world.binding(unit, index).targets.length > 0) return undefined;
      isHidden = true;
    }
  }
  return undefined;
}

/**
 * The methods that a call by a bare name may mean, where these are apart from fields and variables: those of the classes around
 * it, the innermost that has any first. Undefined when none of them has one.
 */
function methodInScope(world: World, unit: Unit, callee: Callee & { readonly k: "name" }): Resolution | undefined {
  const { scopes, symbols } = unit.facts;
  for (let at = callee.scope; at > 0; at = scopes[at]?.parent ?? 0) {
    const index = scopes[at]?.symbol ?? 0;
    const fact = symbols[index];
    if (fact === undefined || fact.scope !== at || !["class", "interface", "enum"].includes(fact.kind)) continue;
    const found = methodOf(world, unit, { t: "instance", of: world.declared(unit, index), args: [] }, callee);
    if (found !== undefined) return found;
  }
  const bound = world.bindings(unit, 0, callee.name);
  return bound.length === 0 ? undefined : world.binding(unit, bound[0] ?? 0);
}

/** The methods of a value that fit a call of them by number and kind of arguments; undefined when it has none. */
export function methodOf(world: World, unit: Unit, value: Value, callee: Callee): Resolution | undefined {
  const call = callee.call === undefined ? undefined : unit.facts.expressions[callee.call];
  if (call?.k !== "call") return undefined;
  const found = alternatives(value).flatMap((item) => {
    const bound = item.t === "parameter" ? item.bound : item;
    if (bound?.t !== "instance" && bound?.t !== "itself") return [];
    const all: Candidate[] = [];
    collect(world, bound, callee.name, { found: all, seen: new Set() }, 0);
    return chosen(world, unit, call.args, all).map((each) => ({ ...each, given: merged(each.given, onlySelf(bound)) }));
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const targets: Target[] = found.map(({ declared, given }) => ({ declared, given, confidence: "inferred" }));
  return { targets, value: world.substitute(world.valueOf(first.declared), first.given) };
}

function collect(
  world: World,
  value: Value & { readonly t: "instance" | "itself" },
  name: string,
  search: { readonly found: Candidate[]; readonly seen: Set<Declared> },
  height: number,
): void {
  const { of } = value;
  if (height > HEIGHT || search.seen.has(of)) return;
  search.seen.add(of);
  const given = value.t === "instance" ? givenBy(of, value.args) : value.given;
  for (const declared of world.children(of.unit, of.index, name))
    if (declared.fact.kind === "method") search.found.push({ declared, given });
  for (const { type } of of.fact.heritage ?? []) {
    for (const base of alternatives(world.substitute(world.type(of.unit, type), given)))
      if (base.t === "instance") collect(world, base, name, search, height + 1);
  }
}

/** Those that fit best; several when nothing tells them apart. */
function chosen(world: World, unit: Unit, args: readonly number[], all: readonly Candidate[]): readonly Candidate[] {
  let best: Candidate[] = [];
  let most = -1;
  for (const candidate of all) {
    if (!takes(candidate.declared, args.length)) continue;
    const fit = fitOf(world, unit, args, candidate);
    if (fit > most) {
      most = fit;
      best = [candidate];
    } else if (fit === most && isBeside(candidate, best)) best.push(candidate);
  }
  return best;
}

/** Of the same class: what a base has with the same parameters is overridden. */
function isBeside({ declared }: Candidate, [first]: readonly Candidate[]): boolean {
  return first !== undefined && first.declared.unit === declared.unit && first.declared.fact.parent === declared.fact.parent;
}

function takes({ fact, unit }: Declared, count: number): boolean {
  const { parameters = [] } = fact;
  const last = parameters.at(-1);
  const isOpen = last !== undefined && unit.facts.bindings[last]?.rest === true;
  return isOpen ? count >= parameters.length - 1 : count === parameters.length;
}

/** How many arguments are surely of their parameter's type; 0 when one surely is not. */
function fitOf(world: World, unit: Unit, args: readonly number[], { declared, given }: Candidate): number {
  let fit = 1;
  const { parameters = [] } = declared.fact;
  for (const [position, argument] of args.entries()) {
    const binding = parameters[Math.min(position, parameters.length - 1)];
    const parameter = binding === undefined ? undefined : declared.unit.facts.bindings[binding];
    if (parameter?.type === undefined || parameter.rest === true) continue;
    const wanted = world.substitute(world.type(declared.unit, parameter.type), given);
    const said = isOf(world, world.resolve(unit, argument).value, wanted);
    if (said === false) return 0;
    if (said === true) fit += 1;
  }
  return fit;
}

/** Whether a value is of a type, as far as it can be told. */
function isOf(world: World, value: Value, wanted: Value): boolean | undefined {
  if (wanted.t === "instance" && value.t === "instance") return wanted.of === value.of || isBelow(world, value, wanted.of, 0) || undefined;
  if (wanted.t === "builtin" && value.t === "builtin") {
    if (value.name === "null") return undefined;
    return wanted.name === value.name || (isPlain(wanted.name) && isPlain(value.name) ? false : undefined);
  }
  if (wanted.t === "builtin" && value.t === "instance") return isPlain(wanted.name) ? false : undefined;
  return wanted.t === "instance" && value.t === "builtin" && isPlain(value.name) ? false : undefined;
}

function isPlain(name: string): boolean {
  return name === "string" || name === "number" || name === "boolean";
}

function isBelow(world: World, value: Value & { readonly t: "instance" }, wanted: Declared, height: number): boolean {
  if (height > HEIGHT) return false;
  return (value.of.fact.heritage ?? []).some(({ type }) =>
    alternatives(world.type(value.of.unit, type)).some(
      (base) => base.t === "instance" && (base.of === wanted || isBelow(world, base, wanted, height + 1)),
    ),
  );
}
