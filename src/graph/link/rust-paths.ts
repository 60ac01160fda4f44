import { builtin, parameterKey } from "./world.ts";
import type { Declared, Resolution, Target, Unit, Value, World } from "./world.ts";

/** What a path of Rust leads to that goes through modules or types written within a file: `self::part::Name`, `crate::Kind::Variant`. */
export function itemAt(world: World, unit: Unit, path: string, name: string): Resolution | undefined {
  if (unit.facts.language !== "rust") return undefined;
  const parts = path.split("::").filter((each) => each !== "");
  const start = fileOf(world, unit, parts);
  let { value } = start;
  for (const part of start.rest) value = world.member(value, part).value;
  if (value.t === "unknown" || value.t === "external" || parts.length === 0) return undefined;
  if (name === "*") return { targets: [], value };
  const found = world.member(value, name);
  return found.targets.length > 0 || found.value.t === "module" ? found : undefined;
}

/** The file that the longest part of a path leads to, or what its first name means here, and what is left of the path. */
function fileOf(world: World, unit: Unit, parts: readonly string[]): { value: Value; rest: readonly string[] } {
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const target = world.module(unit, parts.slice(0, length).join("::"));
    if (target.kind !== "unit") continue;
    world.depend(unit, target.unit);
    return { value: { t: "module", unit: target.unit }, rest: parts.slice(length) };
  }
  const [head = "", ...rest] = parts;
  const isBound = world.bindings(unit, 0, head).some((each) => unit.facts.bindings[each]?.kind === "symbol");
  return { value: (isBound ? world.name(unit, 0, head)?.value : undefined) ?? { t: "unknown" }, rest };
}

const NONE: readonly Declared[] = [];

/**
 * What a method leads to that the receiver's type does not have: one of a trait in scope, or of `Option`, `Result`, `Arc` and the like,
 * which types are written through to what they hold.
 */
export function calledOnRust(world: World, unit: Unit, receiver: Value, name: string): Resolution | undefined {
  const [deref] = receiver.t === "instance" ? world.member(receiver, "deref", true).targets : [];
  const behind = deref === undefined ? undefined : world.member(world.resultOf(deref.declared), name, true);
  if (behind !== undefined && behind.targets.length > 0) return behind;
  const ofTrait = ofTraitInScope(world, unit, receiver, name);
  if (ofTrait !== undefined) return ofTrait;
  return receiver.t === "instance" || receiver.t === "parameter" || receiver.t === "union"
    ? { targets: [], value: builtin(`.${name}`, builtin("Held", receiver)) }
    : undefined;
}

/**
 * The method of a trait that a file has in scope, for a receiver that has none of that name itself: Rust looks for methods of foreign types
 * only in traits that are declared or imported where the call stands. What such a trait gives in terms of its own type parameter is
 * taken for the receiver.
 */
function ofTraitInScope(world: World, unit: Unit, receiver: Value, name: string): Resolution | undefined {
  for (const trait of traitsIn(world, unit)) {
    const [method] = world.children(trait.unit, trait.index, name).filter(({ fact }) => fact.kind === "method" && fact.isStatic !== true);
    if (method === undefined) continue;
    const [first] = trait.fact.typeParameters ?? [];
    const given = first === undefined ? undefined : new Map([[parameterKey(trait, first.name), receiver]]);
    const target: Target = { declared: method, confidence: "inferred", ...(given === undefined ? {} : { given }) };
    return { targets: [target], value: { t: "itself", of: method, ...(given === undefined ? {} : { given }) } };
  }
  return undefined;
}

const known = new WeakMap<World, Map<Unit, readonly Declared[]>>();

function traitsIn(world: World, unit: Unit): readonly Declared[] {
  const units = known.get(world) ?? new Map<Unit, readonly Declared[]>();
  known.set(world, units);
  const found = units.get(unit);
  if (found !== undefined) return found;
  units.set(unit, NONE);
  const traits = unit.facts.bindings.flatMap(({ kind }, index) =>
    kind === "symbol" || kind === "import" ? world.binding(unit, index).targets.flatMap(({ declared }) => traitOf(declared)) : [],
  );
  units.set(unit, traits);
  return traits;
}

function traitOf(declared: Declared): readonly Declared[] {
  return declared.fact.kind === "interface" && declared.unit.facts.language === "rust" ? [declared] : [];
}
