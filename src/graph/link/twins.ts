import type { Declared, Unit, Value, World } from "./world.ts";

const TYPES = new Set(["class", "interface", "namespace", "enum", "function", "object"]);

/**
 * Declarations that are one with another: merged interfaces and namespaces of a file, methods that Go and Rust declare beside
 * their type, classes that Ruby and C# open again in other files.
 */
export function twinsOf(world: World, declared: Declared): readonly Declared[] {
  const { unit, fact, index } = declared;
  if (!TYPES.has(fact.kind)) return [];
  const own = world
    .children(unit, fact.parent, fact.name)
    .filter((other) => other.index !== index && TYPES.has(other.fact.kind) && other.fact.kind !== "function");
  if (unit.facts.language === "rust") {
    const found = world.implementations(unit, fact.name).filter((each) => each !== declared && implemented(world, each)?.of === declared);
    // What a type has of itself goes before what a trait gives it.
    const [given, inherent] = [
      found.filter((each) => each.fact.heritage !== undefined),
      found.filter((each) => each.fact.heritage === undefined),
    ];
    return [...inherent, ...given, ...own.filter((each) => !found.includes(each))];
  }
  if (!["go", "ruby", "csharp", "cpp"].includes(unit.facts.language)) return own;
  const name = world.packageOf(unit);
  const others = name === undefined ? [] : world.packageUnits(name);
  return [...own, ...others.filter((other) => other !== unit).flatMap((other) => sameIn(world, other, declared))];
}

/** An instance of the type that a Rust `impl` is for, by the name bound in it. */
export function implemented(world: World, { unit, fact }: Declared): (Value & { readonly t: "instance" }) | undefined {
  const [binding] = world.bindings(unit, fact.scope, "Self instance");
  if (binding === undefined) return undefined;
  const { value } = world.binding(unit, binding);
  return value.t === "instance" ? value : undefined;
}

function sameIn(world: World, other: Unit, declared: Declared): readonly Declared[] {
  const path: string[] = [];
  for (let at = declared.index; at > 0; at = declared.unit.facts.symbols[at]?.parent ?? 0)
    path.unshift(declared.unit.facts.symbols[at]?.name ?? "");
  let found: readonly Declared[] = world.children(other, 0, path[0] ?? "");
  for (const name of path.slice(1)) found = found.flatMap((each) => world.children(other, each.index, name));
  return found.filter(({ fact }) => TYPES.has(fact.kind));
}
