import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Conditions of `exports` under which an extension is taken, in the order of Node's own preference for `import`. */
const CONDITIONS: readonly string[] = ["node", "import", "module-sync", "default"];

/**
 * The file URL of a module that an operator named: a file URL, a path (of a file, or of a folder with a `package.json`), or the name of a package
 * in one of the search paths or in `node_modules` of the working folder. Undefined when it is nowhere.
 * @param folder what relative paths start from, absolute
 */
export function resolveModule(
  specifier: string,
  { folder, searchPaths }: { readonly folder: string; readonly searchPaths: readonly string[] },
): string | undefined {
  if (specifier.startsWith("file:")) return URL.canParse(specifier) ? entryOf(fileURLToPath(specifier)) : undefined;
  if (isAbsolute(specifier) || /^\.{1,2}(?:[/\\]|$)/.test(specifier)) return entryOf(resolve(folder, specifier));
  const shelves = searchPaths.map((path) => resolve(folder, path));
  const places = [
    ...shelves.flatMap((shelf) => [join(shelf, specifier), join(shelf, "node_modules", specifier)]),
    join(folder, "node_modules", specifier),
  ];
  const found = places.find((place) => existsSync(join(place, "package.json")));
  if (found !== undefined) return entryOf(found);
  const isFile = extname(specifier) !== "" && existsSync(resolve(folder, specifier));
  return isFile ? entryOf(resolve(folder, specifier)) : undefined;
}

function entryOf(path: string): string | undefined {
  const file = isFolder(path) ? packageEntry(path) : path;
  return file !== undefined && existsSync(file) && !isFolder(file) ? pathToFileURL(file).href : undefined;
}

function packageEntry(folder: string): string | undefined {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { exports, main } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports?: unknown; readonly main?: unknown };
  const exported = exportOf(exports);
  if (exported !== undefined) return join(folder, exported);
  const named = typeof main === "string" ? [main, `${main}.js`, join(main, "index.js")] : [];
  return [...named, "index.js", "index.mjs"].map((name) => join(folder, name)).find((file) => existsSync(file) && !isFolder(file));
}

/** Source: https://nodejs.org/api/packages.html#conditional-exports */
function exportOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (Array.isArray(exports)) return exports.map(exportOf).find((one) => one !== undefined);
  if (typeof exports !== "object" || exports === null) return undefined;
  const table = exports as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(table, ".")) return exportOf(table["."]);
  return Object.entries(table)
    .filter(([condition]) => CONDITIONS.includes(condition))
    .map(([, value]) => exportOf(value))
    .find((one) => one !== undefined);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
