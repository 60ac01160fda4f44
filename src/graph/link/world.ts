import type { BlobFacts, SymbolFact } from "../facts.ts";

/** A file in the world that is being linked. `index` is its place in `World.units`. */
export interface Unit {
  readonly index: number;
  readonly path: string;
  readonly facts: BlobFacts;
  readonly isTest: boolean;
}

/** A declaration of a file; one object per declaration and world, so identity compares. */
export interface Declared {
  readonly unit: Unit;
  readonly index: number;
  readonly fact: SymbolFact;
}

/** What type parameters stand for, by `parameterKey`. */
export interface Substitution extends Iterable<readonly [string, Value]> {
  readonly size: number;
  get(key: string): Value | undefined;
}

/** What an expression or a written type is, as far as it is known. */
export type Value =
  | { readonly t: "unknown" }
  /** Of a package or the platform: nothing below it can lead back into the repository by guessing. */
  | { readonly t: "external" }
  | { readonly t: "instance"; readonly of: Declared; readonly args: readonly Value[] }
  /** A function, class, namespace, object or enum itself. */
  | { readonly t: "itself"; readonly of: Declared; readonly given?: Substitution }
  | { readonly t: "module"; readonly unit: Unit }
  /** Several files under one name: a package of Go or Java, a namespace of C#. */
  | { readonly t: "package"; readonly name: string }
  | { readonly t: "builtin"; readonly name: string; readonly args: readonly Value[] }
  | { readonly t: "union"; readonly items: readonly Value[] }
  | { readonly t: "parameter"; readonly key: string; readonly bound: Value | undefined };

export const UNKNOWN: Value = { t: "unknown" };
export const EXTERNAL: Value = { t: "external" };
/** Nothing that is named; one list for all, since most expressions name nothing. */
export const NO_TARGETS: readonly Target[] = [];

/** Where a name or a member leads, with what was inferred on the way. */
export interface Target {
  readonly declared: Declared;
  readonly given?: Substitution;
  readonly confidence: "exact" | "inferred" | "by-name";
}

/** `value` is what it is; `targets` are the declarations that it names. */
export interface Resolution {
  readonly targets: readonly Target[];
  readonly value: Value;
}

/** Where a specifier leads. */
export type ModuleTarget =
  | { readonly kind: "unit"; readonly unit: Unit }
  | { readonly kind: "package"; readonly name: string }
  | { readonly kind: "external" }
  | { readonly kind: "missing" };

/** The evaluation's parts, bound to one state of the repository; each memoises, and answers `unknown` to a question within itself. */
export interface World {
  readonly units: readonly (Unit | undefined)[];
  module(unit: Unit, specifier: string): ModuleTarget;
  /** Files that share a package or namespace. */
  packageUnits(name: string): readonly Unit[];
  /** The package that a file belongs to by its language's rules, if names are shared in it. */
  packageOf(unit: Unit): string | undefined;
  declared(unit: Unit, index: number): Declared;
  /** Declarations that stand directly in `parent`, by name. */
  children(unit: Unit, parent: number, name: string): readonly Declared[];
  /** Bindings of a scope, by name. */
  bindings(unit: Unit, scope: number, name: string): readonly number[];
  /** Whether any scope of the file binds that name. */
  isBound(unit: Unit, name: string): boolean;
  exported(unit: Unit, name: string): Resolution | undefined;
  name(unit: Unit, scope: number, name: string): Resolution | undefined;
  resolve(unit: Unit, expression: number): Resolution;
  binding(unit: Unit, binding: number): Resolution;
  type(unit: Unit, type: number): Value;
  /** What a declaration is when its name is used as a value. */
  valueOf(declared: Declared): Value;
  /** What a call of it gives, its own type parameters unbound. */
  resultOf(declared: Declared): Value;
  /** `isCalled`: where methods have names of their own, apart from fields, one is wanted. */
  member(value: Value, name: string, isCalled?: boolean): Resolution;
  call(unit: Unit, expression: number): Value;
  /** What `this` is in a scope; undefined outside of classes and objects. */
  self(unit: Unit, scope: number): Value | undefined;
  /** The signatures of a function, its own among them. */
  overloads(declared: Declared): readonly Declared[];
  /** Other declarations of the same name that are one with it. */
  twins(declared: Declared): readonly Declared[];
  /** What a file's crate declares beside types of that name: the `impl`s of Rust. */
  implementations(unit: Unit, name: string): readonly Declared[];
  /** A name in a package, seen from anywhere. */
  ofPackage(name: string, wanted: string): Resolution;
  substitute(value: Value, given: Substitution | undefined): Value;
  /** Values that are assigned to that field anywhere in its class. */
  assignedTo(field: Declared): readonly number[];
  /** Values that are assigned to a field in its class's own methods. */
  assigned(declared: Declared, name: string): readonly number[];
  /** What is expected at the place where a lambda or an object literal is handed over. */
  expected(declared: Declared): Value;
  /** Methods of that name anywhere but in tests. */
  byName(name: string): readonly Declared[];
  /** Notes that what `unit` says depends on what `other` says. */
  depend(unit: Unit, other: Unit): void;
  /** What is asked meanwhile is asked for that file, which depends on whatever file answers. */
  askFor<Answer>(unit: Unit, answer: () => Answer): Answer;
}

/** The key of a type parameter: its declaration and its name. */
export function parameterKey(declared: Declared, name: string): string {
  return `${declared.unit.index}:${declared.index}:${name}`;
}

/** One of several; flat, without repeats of the same declaration, at most eight. */
export function unionOf(values: readonly Value[]): Value {
  const [only = UNKNOWN] = values;
  if (values.length < 2) return only;
  const items: Value[] = [];
  for (const value of values.flatMap((each) => (each.t === "union" ? each.items : [each]))) {
    if (value.t === "unknown" || isNothing(value)) continue;
    if (!items.some((each) => isSame(each, value))) items.push(value);
    if (items.length === 8) break;
  }
  const [first] = items;
  if (first === undefined) return values.find((value) => value.t !== "unknown") ?? UNKNOWN;
  return items.length === 1 ? first : { t: "union", items };
}

function isNothing(value: Value): boolean {
  return value.t === "builtin" && value.name === "null";
}

function isSame(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left.t === "instance" && right.t === "instance")
    return left.of === right.of && left.args.length === right.args.length && left.args.every((arg, index) => arg === right.args[index]);
  if (left.t === "itself" && right.t === "itself") return left.of === right.of;
  if (left.t === "builtin" && right.t === "builtin") return left.name === right.name && left.args.length === 0 && right.args.length === 0;
  return left.t === right.t && left.t === "external";
}

/** The members of a union, or the value alone. */
export function alternatives(value: Value): readonly Value[] {
  return value.t === "union" ? value.items : [value];
}

export function builtin(name: string, ...args: Value[]): Value {
  return { t: "builtin", name, args };
}
