import { UnreadableError } from "./facts.ts";

/** A parsed object; keys may be any text, so it is read with `fieldOf` and `entriesOf` only. */
export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own field; a name such as `__proto__` or `constructor` finds nothing that was not written there. */
export function fieldOf(value: unknown, name: string): unknown {
  return isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The field at the end of a path of names. */
export function fieldAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(fieldOf, value);
}

/** Own fields; none for anything that is no object. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isTable(value) ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}

/** Like `JSON.stringify`, with the keys of objects sorted: equal for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === "bigint" || item instanceof Date) return String(item);
    return isTable(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });
}

/** @throws {UnreadableError} for anything that is no object. */
export function tableIn(value: unknown, what: string): Table {
  if (!isTable(value)) throw new UnreadableError(`is no ${what}: its top level is no object`);
  return value;
}
