import type { BlobFacts, SymbolKind } from "../facts.ts";
import { nameTable } from "./name-table.ts";
import type { NameTable } from "./name-table.ts";
import type { Declared, Unit } from "./world.ts";

const NO_DECLARATIONS: readonly Declared[] = [];
const OWNERS: readonly SymbolKind[] = ["class", "interface", "object", "enum"];

/** What is looked up in a file's facts again and again; made once for the file, whatever happens around it. */
export interface UnitTables {
  bindings(scope: number, name: string): readonly number[];
  /** Whether the name is bound in any scope: for most names of the platform the way outwards can be left out. */
  isBound(name: string): boolean;
  children(parent: number, name: string): readonly Declared[];
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
  let names: NameTable | undefined;
  let members: NameTable | undefined;
  let fields: { readonly table: NameTable; readonly values: readonly number[] } | undefined;
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
      const isMember = around !== undefined && OWNERS.includes(around.kind) && (fact.kind === "method" || fact.kind === "field");
      // What stands as a value in an object literal has the `this` of what is around the literal.
      if (isMember && (around.kind !== "object" || (fact.kind === "method" && fact.isArrow !== true)))
        return { owner: parent, isStatic: fact.isStatic === true };
      if (fact.kind === "class" || fact.kind === "enum") return { owner: at, isStatic: true };
      if (fact.kind === "function" && fact.isArrow !== true) return undefined;
      at = parent;
    }
    return undefined;
  }

  function bound(): NameTable {
    return (names ??= nameTable(
      facts.bindings.map(({ name }) => name),
      (at) => facts.bindings[at]?.scope ?? -1,
    ));
  }

  /** Python gives `this` a name, the first parameter's: where that was bound. */
  function scopeOfThis(scope: number, name: string): number | undefined {
    for (let at = scope; at > 0; at = facts.scopes[at]?.parent ?? 0) {
      const [found] = bound().within(at, name);
      if (found === undefined) continue;
      const value = facts.expressions[facts.bindings[found]?.value ?? -1];
      return value?.k === "this" ? value.scope : undefined;
    }
    return undefined;
  }

  function ownFields(): { table: NameTable; values: readonly number[] } {
    const found: { name: string; owner: number; value: number }[] = [];
    for (const { target, value } of facts.assignments) {
      const fact = facts.expressions[target];
      if (fact?.k !== "member") continue;
      const of = facts.expressions[fact.of];
      const scope = of?.k === "this" ? of.scope : of?.k === "name" ? scopeOfThis(of.scope, of.name) : undefined;
      const self = scope === undefined ? undefined : selfOf(scope);
      if (self !== undefined) found.push({ name: fact.name, owner: self.owner, value });
    }
    const table = nameTable(
      found.map(({ name }) => name),
      (at) => found[at]?.owner ?? -1,
    );
    return { table, values: found.map(({ value }) => value) };
  }

  function makeTables(): UnitTables {
    return {
      bindings: (scope, name) => bound().within(scope, name),
      isBound: (name) => bound().has(name),
      children: (parent, name) => {
        members ??= nameTable(
          facts.symbols.map((fact) => fact.name),
          (at) => facts.symbols[at]?.parent ?? -1,
        );
        const found = members.within(parent, name);
        return found.length === 0 ? NO_DECLARATIONS : found.map(declared);
      },
      assigned: (parent, name) => {
        fields ??= ownFields();
        const { table, values } = fields;
        return table.within(parent, name).map((at) => values[at] ?? 0);
      },
      declared,
      selfOf,
    };
  }
  return unit;
}
