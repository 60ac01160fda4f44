import picomatch from "picomatch";
import type { FileSettings } from "./file-schema.ts";

/** Whether the server works for a repository: it is among those of `include`, if there are any, and not among those of `exclude`. */
export function isServed(
  repositories: FileSettings["repositories"],
  { owner, name }: { readonly owner: string; readonly name: string },
): boolean {
  const { include, exclude = [] } = repositories ?? {};
  const isNamedBy = (pattern: string): boolean => picomatch.isMatch(`${owner}/${name}`, pattern, { nocase: true, dot: true });
  return (include === undefined || include.some(isNamedBy)) && !exclude.some(isNamedBy);
}
