import { registerHooks } from "node:module";

/** Beside this room, as source or as it was built. */
const OWN = new URL(`../index.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url).href;
let isOffered = false;

/**
 * From now on `import … from "sallyport"` means the product that runs, wherever the module that says so lies: an extension need not have a copy of
 * it installed, and never gets another release than the one that loads it. For the whole process, once.
 */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  registerHooks({
    resolve: (specifier, context, next) => (specifier === "sallyport" ? { url: OWN, shortCircuit: true } : next(specifier, context)),
  });
}
