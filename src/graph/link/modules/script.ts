import { isRecord } from "./configuration.ts";
import type { ModuleConfiguration, PackageManifest } from "./configuration.ts";
import { folderOf, joined, upwards } from "./paths.ts";

const ENDINGS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs"];

/**
 * Where a TypeScript or JavaScript specifier leads: a path of the repository, or undefined for what lies outside.
 * @see https://www.typescriptlang.org/docs/handbook/modules/reference.html
 */
export function resolveScript(
  from: string,
  specifier: string,
  configuration: ModuleConfiguration,
  has: (path: string) => boolean,
): string | undefined {
  const folder = folderOf(from);
  if (/^\.\.?(?:\/|$)/u.test(specifier))
    return file(joined(folder, specifier), has) ?? ofFolder(joined(folder, specifier), configuration, has);
  if (specifier.startsWith("#")) return ownImport(folder, specifier, configuration, has);
  return mapped(folder, specifier, configuration, has) ?? workspace(specifier, configuration, has);
}

/** A path as it stands or with an ending, an index file among them; compiled names lead to their sources. */
function file(path: string | undefined, has: (path: string) => boolean): string | undefined {
  if (path === undefined) return undefined;
  const compiled = /^(.*)\.([cm]?)jsx?$/u.exec(path);
  if (compiled !== null) {
    const sources = [`${compiled[1]}.${compiled[2]}ts`, `${compiled[1]}.tsx`, `${compiled[1]}.d.ts`];
    const source = sources.find(has);
    if (source !== undefined && !has(path)) return source;
  }
  if (has(path)) return path;
  for (const ending of ENDINGS) if (has(path + ending)) return path + ending;
  for (const ending of ENDINGS) {
    const index = path === "" ? `index${ending}` : `${path}/index${ending}`;
    if (has(index)) return index;
  }
  return undefined;
}

function ofFolder(path: string | undefined, configuration: ModuleConfiguration, has: (path: string) => boolean): string | undefined {
  const manifest = path === undefined ? undefined : configuration.packages.find(({ folder }) => folder === path);
  return manifest === undefined ? undefined : entry(manifest, has);
}

function mapped(folder: string, specifier: string, configuration: ModuleConfiguration, has: (path: string) => boolean): string | undefined {
  for (const at of upwards(folder)) {
    const mapping = configuration.mappings.get(at);
    if (mapping === undefined) continue;
    for (const [pattern, targets] of mapping.paths) {
      const star = matchStar(pattern, specifier);
      if (star === undefined) continue;
      for (const target of targets) {
        const found = file(
          joined(
            mapping.pathsFrom,
            target.replace("*", () => star),
          ),
          has,
        );
        if (found !== undefined) return found;
      }
    }
    if (mapping.base !== undefined) {
      const found = file(joined(mapping.base, specifier), has);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function matchStar(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === text ? "" : undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length);
}

function workspace(specifier: string, configuration: ModuleConfiguration, has: (path: string) => boolean): string | undefined {
  for (const manifest of configuration.packages) {
    if (manifest.name === "" || (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`))) continue;
    const rest = specifier.slice(manifest.name.length + 1);
    if (rest === "") return exported(manifest, ".", has) ?? entry(manifest, has);
    return (
      exported(manifest, `./${rest}`, has) ?? file(joined(manifest.folder, rest), has) ?? file(joined(manifest.folder, `src/${rest}`), has)
    );
  }
  return undefined;
}

function entry(manifest: PackageManifest, has: (path: string) => boolean): string | undefined {
  for (const target of [...manifest.entries.flatMap(sourcesOf), "src/index", "index", "lib/index"]) {
    const found = file(joined(manifest.folder, target), has);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is built lies in dist; its source, in most repositories, in src under the same name. */
function sourcesOf(target: string): string[] {
  const source = target
    .replace(/^(\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|types|src)\/)?/u, "$1src/")
    .replace(/\.d\.([cm]?)ts$/u, ".$1ts");
  return source === target ? [target] : [target, source];
}

function exported(manifest: PackageManifest, wanted: string, has: (path: string) => boolean): string | undefined {
  return conditional(manifest, manifest.exports, wanted, has);
}

function ownImport(
  folder: string,
  specifier: string,
  configuration: ModuleConfiguration,
  has: (path: string) => boolean,
): string | undefined {
  for (const at of upwards(folder)) {
    const manifest = configuration.packages.find((each) => each.folder === at);
    if (manifest !== undefined) return conditional(manifest, manifest.imports, specifier, has);
  }
  return undefined;
}

function conditional(manifest: PackageManifest, table: unknown, wanted: string, has: (path: string) => boolean): string | undefined {
  if (wanted === "." && (typeof table === "string" || (isRecord(table) && !Object.keys(table).some((key) => key.startsWith(".")))))
    return target(manifest, table, "", has, 0);
  if (!isRecord(table)) return undefined;
  for (const [pattern, value] of Object.entries(table)) {
    const star = matchStar(pattern, wanted);
    const found = star === undefined ? undefined : target(manifest, value, star, has, 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

function target(
  manifest: PackageManifest,
  value: unknown,
  star: string,
  has: (path: string) => boolean,
  depth: number,
): string | undefined {
  if (typeof value === "string") {
    for (const each of sourcesOf(value.replace("*", () => star))) {
      const found = file(joined(manifest.folder, each), has);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (depth > 6) return undefined;
  const inner = Array.isArray(value) ? (value as unknown[]) : isRecord(value) ? Object.values(value) : [];
  for (const each of inner) {
    const found = target(manifest, each, star, has, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
