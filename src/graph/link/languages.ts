import type { Language } from "../facts.ts";

/** TypeScript and JavaScript: modules that export by name. */
export function isScript(language: Language): boolean {
  return language === "typescript" || language === "tsx" || language === "javascript";
}
