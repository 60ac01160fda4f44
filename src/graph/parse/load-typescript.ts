import { createRequire } from "node:module";
import type typescript from "typescript";

/**
 * The parser of TypeScript and JavaScript. It is required: an import goes through its nine megabytes once to guess what kind of module it is, and
 * again for the names that it exports, before it runs, and nobody else gets a turn meanwhile. The Action's build puts an import in this place,
 * which it bundles.
 */
export function loadTypeScript(): Promise<typeof typescript> {
  return new Promise((resolve) => {
    resolve(createRequire(import.meta.url)("typescript") as typeof typescript);
  });
}
