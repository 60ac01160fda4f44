import { isScript } from "./languages.ts";
import { itemAt } from "./rust-paths.ts";
import type { ExportFact } from "../facts.ts";
import type { Resolution, Unit, World } from "./world.ts";

/** What a file gives others under a name; follows re-exports. The caller breaks cycles. */
export function exportedBy(world: World, unit: Unit, name: string): Resolution | undefined {
  if (!isScript(unit.facts.language)) return topLevel(world, unit, name);
  for (const fact of unit.facts.exports) {
    if (fact.name !== name || (name === "*" && fact.local === undefined)) continue;
    const found = followed(world, unit, fact);
    if (found !== undefined) return found;
  }
  if (name === "=") return undefined;
  const whole = unit.facts.exports.some((fact) => fact.name === "=") ? world.exported(unit, "=") : undefined;
  if (whole !== undefined) {
    if (name === "default") return whole;
    const member = world.member(whole.value, name);
    if (member.targets.length > 0) return member;
  }
  if (name === "default") return undefined;
  for (const fact of unit.facts.exports) {
    if (fact.name !== "*" || fact.module === undefined) continue;
    const target = world.module(unit, fact.module);
    if (target.kind !== "unit") continue;
    world.depend(unit, target.unit);
    const found = world.exported(target.unit, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function followed(world: World, unit: Unit, fact: ExportFact): Resolution | undefined {
  if (fact.value !== undefined) {
    const expression = unit.facts.expressions[fact.value];
    if (expression?.k === "symbol") {
      const declared = world.declared(unit, expression.symbol);
      return { targets: declared.fact.hidden === true ? [] : [{ declared, confidence: "exact" }], value: world.valueOf(declared) };
    }
    return world.resolve(unit, fact.value);
  }
  if (fact.module === undefined) return world.name(unit, 0, fact.local ?? fact.name);
  const target = world.module(unit, fact.module);
  if (target.kind !== "unit") return { targets: [], value: { t: "external" } };
  world.depend(unit, target.unit);
  if (fact.local === "*") return { targets: [], value: { t: "module", unit: target.unit } };
  return world.exported(target.unit, fact.local ?? fact.name);
}

function topLevel(world: World, unit: Unit, name: string): Resolution | undefined {
  if (world.bindings(unit, 0, name).length > 0) return world.name(unit, 0, name);
  for (const { module, all } of unit.facts.imports) {
    if (all !== true) continue;
    const target = world.module(unit, module);
    if (target.kind === "unit") world.depend(unit, target.unit);
    const found = target.kind === "unit" ? world.exported(target.unit, name) : itemAt(world, unit, module, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
