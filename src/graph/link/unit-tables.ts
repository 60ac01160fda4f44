import type { BlobFacts } from "../facts.ts";
import type { Declared, Unit } from "./world.ts";

const NONE: readonly number[] = [];

/** What is looked up in a file's facts again and again; made once for the file, whatever happens around it. */
export interface UnitTables {
  bindings(scope: number, name: string): readonly number[];
  children(parent: number, name: string): readonly number[];
  /** Values that methods of the class or object assign to `this.name`. */
  assigned(parent: number, name: string): readonly number[];
  declared(index: number): Declared;
  /** The class or object whose code stands in a scope, the way there being what `this` looks through; undefined outside. */
  selfOf(scope: number): { readonly owner: number; readonly isStatic: boolean } | undefined;
}

/** A file, numbered, with its tables. */
export interface TabledUnit extends Unit {
  readonly tables: UnitTables;
}

export function tabledUnit(index: number, path: string, facts: BlobFacts, isTest: boolean): TabledUnit {
  const declaredUnits: Declared[] = [];
  let names: ReadonlyMap<string, number[]>[] | undefined;
  let members: ReadonlyMap<string, number[]>[] | undefined;
  let fields: ReadonlyMap<string, number[]>[] | undefined;
  const unit: TabledUnit = { index, path, facts, isTest, tables: makeTables() };

  function declared(at: number): Declared {
    const known = declaredUnits[at];
    if (known !== undefined) return known;
    const fact = facts.symbols[at];
    if (fact === undefined) throw new RangeError(`The facts of ${path} have no declaration ${at}.`);
    const made = { unit, index: at, fact };
    declaredUnits[at] = made;
    return made;
  }

  function selfOf(scope: number): { owner: number; isStatic: boolean } | undefined {
    for (let at = facts.scopes[scope]?.symbol ?? 0; at > 0;) {
      const fact = facts.symbols[at];
      if (fact === undefined) return undefined;
      const { parent } = fact;
      const around = facts.symbols[parent];
      const isMember =
        around !== undefined &&
        ["class", "interface", "object", "enum"].includes(around.kind) &&
        (fact.kind === "method" || fact.kind === "field");
      if (isMember && (around.kind !== "object" || fact.isArrow !== true)) return { owner: parent, isStatic: fact.isStatic === true };
      if (fact.kind === "class") return { owner: at, isStatic: true };
      if (fact.kind === "function" && fact.isArrow !== true) return undefined;
      at = parent;
    }
    return undefined;
  }

  function makeTables(): UnitTables {
    return {
      bindings: (scope, name) => {
        names ??= group((add) => facts.bindings.forEach((binding, at) => add(binding.scope, binding.name, at)));
        return names[scope]?.get(name) ?? NONE;
      },
      children: (parent, name) => {
        members ??= group((add) => facts.symbols.forEach((fact, at) => at > 0 && add(fact.parent, fact.name, at)));
        return members[parent]?.get(name) ?? NONE;
      },
      assigned: (parent, name) => {
        fields ??= group((add) => {
          for (const { target, value } of facts.assignments) {
            const fact = facts.expressions[target];
            if (fact?.k !== "member") continue;
            const of = facts.expressions[fact.of];
            const self = of?.k === "this" ? selfOf(of.scope) : undefined;
            if (self !== undefined) add(self.owner, fact.name, value);
          }
        });
        return fields[parent]?.get(name) ?? NONE;
      },
      declared,
      selfOf,
    };
  }
  return unit;
}

function group(fill: (add: (at: number, name: string, value: number) => void) => void): Map<string, number[]>[] {
  const found: Map<string, number[]>[] = [];
  fill((at, name, value) => {
    const map = (found[at] ??= new Map());
    const list = map.get(name);
    if (list === undefined) map.set(name, [value]);
    else list.push(value);
  });
  return found;
}
