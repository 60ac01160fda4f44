import { judgePath } from "../core/repository-path.ts";
import { rawOf } from "./tree.ts";
import type { PinnedTree } from "./tree.ts";

/**
 * Why a path has nothing behind it here: it is, or lies in, a submodule, which is left empty as git leaves it. Undefined for every other path.
 */
export function whyEmpty({ files }: PinnedTree, path: string): string | undefined {
  const verdict = judgePath(path);
  if (!verdict.ok) return undefined;
  const parts = verdict.path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const at = parts.slice(0, depth).join("/");
    const file = files.get(rawOf(at));
    if (file?.mode !== "160000") continue;
    const what = `a submodule: another repository at its commit ${file.sha.slice(0, 10)}, whose files are not here`;
    return depth === parts.length
      ? `${JSON.stringify(at)} is ${what}`
      : `${JSON.stringify(verdict.path)} lies in ${JSON.stringify(at)}, ${what}`;
  }
  return undefined;
}
