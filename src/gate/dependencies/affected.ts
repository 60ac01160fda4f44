import type { Advisory } from "../../core/advisory.ts";
import { isInRange } from "./versions.ts";

/** A package's name as advisories are looked up by it: registries differ in whether case and dashes count, and two spellings of one are more frequent than two packages. */
export function foldPackage(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

export function isNamed(entry: Advisory["affects"][number], name: string): boolean {
  return foldPackage(entry.name) === foldPackage(name);
}

/** Whether an advisory is about this version of a package; about any of its versions where none is given. */
export function affects(
  { affects: entries }: Advisory,
  { name, version, ecosystem }: { readonly name: string; readonly version: string | undefined; readonly ecosystem: string },
): boolean {
  return entries.some((entry) => isNamed(entry, name) && (version === undefined || isInRange(version, entry.range, ecosystem)));
}
