import { fileSchema, type FileSettings } from "./file-schema.ts";
import { HELD_KEYS } from "./merge.ts";

/** More wrong values than a person makes; what is wrong beyond them takes the rest along. */
const MOST_FAULTS = 100;

/** What can be read of a faulty file about gate, permission and budgets: everything that is right by itself. */
export function heldKeysOf(value: Readonly<Record<string, unknown>>): FileSettings {
  const held: Record<string, unknown> = {};
  for (const key of HELD_KEYS) if (value[key] !== undefined && value[key] !== null) held[key] = structuredClone(value[key]);
  for (let tries = 0; tries < MOST_FAULTS; tries++) {
    const parsed = fileSchema.safeParse(held);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    if (issue === undefined) return {};
    for (const path of issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path])
      removeAt(held, path);
  }
  return {};
}

function removeAt(root: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  let parent: unknown = root;
  for (const segment of path.slice(0, -1)) parent = (parent as Record<PropertyKey, unknown>)[segment];
  if (Array.isArray(parent) && typeof last === "number") parent.splice(last, 1);
  else if (last !== undefined) delete (parent as Record<PropertyKey, unknown>)[last];
}
