import type { Declared, Unit, World } from "./world.ts";

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
  if (!["go", "rust", "ruby", "csharp", "cpp"].includes(unit.facts.language)) return own;
  const name = world.packageOf(unit);
  const others = name === undefined ? [] : world.packageUnits(name);
  return [...own, ...others.filter((other) => other !== unit).flatMap((other) => sameIn(world, other, declared))];
}

function sameIn(world: World, other: Unit, declared: Declared): readonly Declared[] {
  const path: string[] = [];
  for (let at = declared.index; at > 0; at = declared.unit.facts.symbols[at]?.parent ?? 0)
    path.unshift(declared.unit.facts.symbols[at]?.name ?? "");
  let found: readonly Declared[] = world.children(other, 0, path[0] ?? "");
  for (const name of path.slice(1)) found = found.flatMap((each) => world.children(other, each.index, name));
  return found.filter(({ fact }) => TYPES.has(fact.kind));
}
