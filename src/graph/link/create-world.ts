import { callValue } from "./calls.ts";
import { expectedAt } from "./expected.ts";
import { exportedBy } from "./exports.ts";
import { declaredResult, declaredValue, resolution } from "./expressions.ts";
import { isScript } from "./languages.ts";
import { memberOf } from "./members.ts";
import type { Modules } from "./modules.ts";
import { bindingOf, lookUp, ofPackage } from "./names.ts";
import { substitute } from "./substitute.ts";
import { implemented, twinsOf } from "./twins.ts";
import { typeValue } from "./types.ts";
import type { TabledUnit } from "./unit-tables.ts";
import { NO_TARGETS, parameterKey, UNKNOWN } from "./world.ts";
import type { Declared, Resolution, Unit, Value, World } from "./world.ts";

const NOTHING: Resolution = { targets: NO_TARGETS, value: UNKNOWN };
/** Questions within questions; beyond it the answer is `unknown`, and not kept. */
const DEPTH = 160;

/** Binds the parts of the evaluation to one state of the repository. `dependencies[i]` collects the files that file i looked into. */
export function createWorld(units: readonly (TabledUnit | undefined)[], modules: Modules, dependencies: Set<number>[]): World {
  const table = (unit: Unit) => (unit as TabledUnit).tables;
  let depth = 0;
  /** The file whose question is being answered: what it asks of another file, it depends on. */
  let asking: Unit | undefined;

  function depend(unit: Unit | undefined, other: Unit): void {
    if (unit !== undefined && unit !== other) dependencies[unit.index]?.add(other.index);
  }

  /** Memoises by file and index; a question that is being answered already is answered with `nothing`. */
  function memo<Answer>(
    nothing: Answer,
    size: (unit: Unit) => number,
    ask: (unit: Unit, index: number) => Answer,
  ): (unit: Unit, index: number) => Answer {
    const known: (Answer | undefined)[][] = [];
    return (unit, index) => {
      if (asking !== unit) depend(asking, unit);
      // A row of its whole length stays an array; one that grows by leaps would become a dictionary.
      // oxlint-disable-next-line unicorn/no-new-array -- `Array.from` asks for each of a million places in turn
      const row = (known[unit.index] ??= new Array<Answer | undefined>(size(unit)).fill(undefined));
      const found = row[index];
      if (found !== undefined) return found;
      if (depth > DEPTH) return nothing;
      row[index] = nothing;
      depth += 1;
      const before = asking;
      asking = unit;
      try {
        const answer = ask(unit, index);
        row[index] = answer;
        return answer;
      } finally {
        asking = before;
        depth -= 1;
      }
    };
  }

  /** The same for questions with a name. */
  function named<Answer>(
    ask: (unit: Unit, scope: number, name: string) => Answer | undefined,
  ): (unit: Unit, scope: number, name: string) => Answer | undefined {
    const known: Map<string, Answer | undefined>[][] = [];
    return (unit, scope, name) => {
      if (asking !== unit) depend(asking, unit);
      const row = (known[unit.index] ??= []);
      const names = (row[scope] ??= new Map());
      if (names.has(name)) return names.get(name);
      if (depth > DEPTH) return undefined;
      names.set(name, undefined);
      depth += 1;
      const before = asking;
      asking = unit;
      try {
        const answer = ask(unit, scope, name);
        names.set(name, answer);
        return answer;
      } finally {
        asking = before;
        depth -= 1;
      }
    };
  }

  const ofSymbols = (unit: Unit) => unit.facts.symbols.length;
  const resultOf = memo<Value>(UNKNOWN, ofSymbols, (unit, index) => declaredResult(world, world.declared(unit, index)));
  const valueOf = memo<Value>(UNKNOWN, ofSymbols, (unit, index) => declaredValue(world, world.declared(unit, index)));
  const expected = memo<Value>(UNKNOWN, ofSymbols, (unit, index) => expectedAt(world, world.declared(unit, index)));
  const exported = named<Resolution>((unit, _scope, name) => exportedBy(world, unit, name));
  // Names of scripts lead to a binding at once, and bindings are kept; elsewhere packages and classes are searched.
  const lookedUp = (unit: Unit, scope: number, name: string) => lookUp(world, unit, scope, name);
  const kept = named<Resolution>(lookedUp);
  const twins = new Map<Declared, readonly Declared[]>();

  const world: World = {
    units,
    module: (unit, specifier) => modules.resolve(unit, specifier),
    packageUnits: (name) => modules.packageUnits(name),
    packageOf: (unit) => modules.packageOf(unit),
    declared: (unit, index) => table(unit).declared(index),
    children: (unit, parent, name) => {
      if (asking !== unit) depend(asking, unit);
      return table(unit).children(parent, name);
    },
    bindings: (unit, scope, name) => table(unit).bindings(scope, name),
    isBound: (unit, name) => table(unit).isBound(name),
    exported: (unit, name) => exported(unit, 0, name),
    name: (unit, scope, name) => (isScript(unit.facts.language) ? lookedUp : kept)(unit, scope, name),
    resolve: memo<Resolution>(
      NOTHING,
      (unit) => unit.facts.expressions.length,
      (unit, index) => resolution(world, unit, index),
    ),
    binding: memo<Resolution>(
      NOTHING,
      (unit) => unit.facts.bindings.length,
      (unit, index) => bindingOf(world, unit, index),
    ),
    type: memo<Value>(
      UNKNOWN,
      (unit) => unit.facts.types.length,
      (unit, index) => typeValue(world, unit, index),
    ),
    valueOf: (declared) => valueOf(declared.unit, declared.index),
    resultOf: (declared) => resultOf(declared.unit, declared.index),
    member: (value, name, isCalled) => memberOf(world, value, name, isCalled),
    call: (unit, index) => callValue(world, unit, index),
    self: (unit, scope) => selfValue(unit, scope),
    assigned: (declared, name) => table(declared.unit).assigned(declared.index, name),
    assignedTo: (field) => table(field.unit).assigned(field.fact.parent, field.fact.name),
    expected: (declared) => expected(declared.unit, declared.index),
    overloads: (declared) => overloadsOf(declared),
    twins: (declared) => {
      const known = twins.get(declared);
      if (known !== undefined) return known;
      const found = twinsOf(world, declared);
      twins.set(declared, found);
      return found;
    },
    implementations: (unit, name) => modules.implementations(unit, name),
    ofPackage: (name, wanted) => {
      const [from] = modules.packageUnits(name);
      return (from === undefined ? undefined : ofPackage(world, from, name, wanted)) ?? modules.subPackage(name, wanted) ?? NOTHING;
    },
    substitute,
    byName: (name) => modules.methodsNamed(name),
    depend,
    askFor: (unit, answer) => {
      asking = unit;
      try {
        return answer();
      } finally {
        asking = undefined;
      }
    },
  };

  function selfValue(unit: Unit, scope: number): Value | undefined {
    const self = table(unit).selfOf(scope);
    if (self === undefined) return undefined;
    const of = table(unit).declared(self.owner);
    if (unit.facts.language === "rust") return implemented(world, of) ?? { t: "instance", of, args: [] };
    // The constants that stand in an enum are its instances.
    if (self.isStatic && of.fact.kind === "enum") return { t: "instance", of, args: [] };
    if (self.isStatic || of.fact.kind === "object") return { t: "itself", of };
    const args = (of.fact.typeParameters ?? []).map(({ name, bound }) => ({
      t: "parameter" as const,
      key: parameterKey(of, name),
      bound: bound === undefined ? undefined : world.type(unit, bound),
    }));
    return { t: "instance", of, args };
  }

  function overloadsOf(declared: Declared): readonly Declared[] {
    if (declared.fact.name === "" || declared.fact.hidden === true) return [declared];
    const all = world
      .children(declared.unit, declared.fact.parent, declared.fact.name)
      .filter(({ fact }) => fact.kind === declared.fact.kind);
    const signatures = all.filter(({ fact }) => fact.isAbstract === true);
    return signatures.length > 0 ? signatures : all.length > 0 ? all : [declared];
  }

  return world;
}
