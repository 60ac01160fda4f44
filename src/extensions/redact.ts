/** Nesting beyond which nothing is kept: an event is a small thing. */
const DEEPEST = 12;

/** A frozen copy of plain data in which every text has passed `mask`. What is no plain data is left out. */
export function redacted<T>(value: T, mask: (text: string) => string): T {
  return copy(value, mask, 0) as T;
}

function copy(value: unknown, mask: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return mask(value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || depth >= DEEPEST) return undefined;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, mask, depth + 1)));
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, copy(item, mask, depth + 1)]);
  return Object.freeze(Object.fromEntries(entries.filter(([, item]) => item !== undefined)));
}
