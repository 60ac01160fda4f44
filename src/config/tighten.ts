/** For one value of two layers, which of the two holds. */
export type Stricter<T> = (upper: T, lower: T) => T;
/** How each value of an object is tightened. */
export type StricterOf<T> = { readonly [key in keyof T]-?: Stricter<NonNullable<T[key]>> };

export const least: Stricter<number> = (upper, lower) => Math.min(upper, lower);
export const common: Stricter<string[]> = (upper, lower) => lower.filter((one) => upper.includes(one));
export const both: Stricter<string[]> = (upper, lower) => [...new Set([...upper, ...lower])];
/** The one that stands further back in a list that begins with the loosest. */
export const ranked =
  <T extends string | boolean>(order: readonly T[]): Stricter<T> =>
  (upper, lower) =>
    order.indexOf(lower) > order.indexOf(upper) ? lower : upper;
/** The one that stands further ahead in a list that begins with the strictest. */
export const firstOf =
  <T extends string>(order: readonly T[]): Stricter<T> =>
  (upper, lower) =>
    order.indexOf(lower) < order.indexOf(upper) ? lower : upper;

/** Tightens an object key by key; what only one of the two sets is as that one has it. */
export function each<T extends object>(rules: StricterOf<T>): Stricter<T> {
  return (upper, lower) => {
    const merged: T = { ...upper, ...defined(lower) };
    for (const key of Object.keys(rules) as (keyof T)[]) {
      const [a, b] = [upper[key], lower[key]];
      if (a !== undefined && a !== null) merged[key] = b === undefined || b === null ? a : rules[key](a, b);
    }
    return merged;
  };
}

/** What is there of an object. */
type Defined<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

export function defined<T extends object>(value: T | undefined): Defined<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => one !== undefined)) as Defined<T>;
}
