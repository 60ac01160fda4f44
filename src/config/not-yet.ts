import type { FileSettings } from "./file-schema.ts";

/** Keys that are understood, and that nothing of this release looks at. */
export const NOT_YET: readonly (keyof FileSettings)[] = ["mcp"];

/** A line for each key of a layer that does nothing yet: who sets it must not rely on it. */
export function withoutEffect(settings: FileSettings, file: string): readonly string[] {
  return NOT_YET.filter((key) => settings[key] !== undefined).map(
    (key) => `${file}: ${key} is set but not supported yet; it does nothing.`,
  );
}
