import type { Declared, World } from "./world.ts";

/** The declaration that stands for others: the body behind overload signatures, the definition behind a prototype. */
export function canonical(world: World, declared: Declared): Declared {
  const { fact, unit } = declared;
  if (fact.isAbstract !== true || (fact.kind !== "function" && fact.kind !== "method")) return declared;
  const body = world
    .children(unit, fact.parent, fact.name)
    .find((other) => other.fact.isAbstract !== true && other.fact.kind === fact.kind);
  if (body !== undefined) return body;
  const isC = unit.facts.language === "c" || unit.facts.language === "cpp";
  return isC && fact.parent === 0 ? (definitionOf(world, declared) ?? declared) : declared;
}

/** The definition in a file that includes the header. */
function definitionOf(world: World, prototype: Declared): Declared | undefined {
  for (const unit of world.units) {
    if (unit === undefined || (unit.facts.language !== "c" && unit.facts.language !== "cpp")) continue;
    const [found] = world
      .children(unit, 0, prototype.fact.name)
      .filter(({ fact }) => fact.kind === "function" && fact.isAbstract !== true && fact.isStatic !== true);
    if (found === undefined) continue;
    const includes = unit.facts.imports.some(({ module }) => {
      const target = world.module(unit, module);
      return target.kind === "unit" && target.unit === prototype.unit;
    });
    if (includes) return found;
  }
  return undefined;
}
