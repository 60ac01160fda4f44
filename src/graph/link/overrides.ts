import type { Declared, World } from "./world.ts";

/** The methods of bases and interfaces that a method takes the place of: the nearest in each line. */
export function baseMethods(world: World, method: Declared): { declared: Declared; kind: "overrides" | "implements" }[] {
  const owner = method.unit.facts.symbols[method.fact.parent];
  if (owner === undefined || method.fact.isStatic === true || ["constructor", "__init__"].includes(method.fact.name)) return [];
  const found: { declared: Declared; kind: "overrides" | "implements" }[] = [];
  for (const type of (owner.heritage ?? []).map((each) => each.type)) {
    const value = world.type(method.unit, type);
    for (const base of value.t === "union" ? value.items : [value]) {
      if (base.t !== "instance") continue;
      for (const { declared } of world.member({ ...base, args: [] }, method.fact.name).targets) {
        if (declared === method) continue;
        const isInterface = declared.unit.facts.symbols[declared.fact.parent]?.kind === "interface";
        found.push({ declared, kind: isInterface && owner.kind !== "interface" ? "implements" : "overrides" });
      }
    }
  }
  return found;
}
