/** Arguments that can be acted on: text that parses to a JSON object. Nothing at all stands for no arguments. */
export type ReadArguments = { readonly ok: true; readonly args: Record<string, unknown> } | { readonly ok: false; readonly why: string };

/** Reads the raw arguments of a call. They are never repaired: half a file would be written. */
export function readArguments(raw: string): ReadArguments {
  if (raw.trim() === "") return { ok: true, args: {} };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return { ok: false, why: `its arguments are not valid JSON (${error instanceof Error ? error.message : "unreadable"})` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, why: "its arguments are not a JSON object" };
  }
  return { ok: true, args: value as Record<string, unknown> };
}
