import { folderOf, joined } from "./paths.ts";

/** Settings of the repository that say where modules are. Files that cannot be read as such count as absent. */
export interface ModuleConfiguration {
  /** Path mappings by the folder of their tsconfig.json or jsconfig.json. */
  readonly mappings: ReadonlyMap<string, Mapping>;
  readonly packages: readonly PackageManifest[];
  /** Go modules: folder and module path. */
  readonly goModules: readonly { readonly folder: string; readonly name: string }[];
  /** Rust crates: folder and crate name. */
  readonly crates: readonly { readonly folder: string; readonly name: string }[];
}

interface Mapping {
  readonly base: string | undefined;
  readonly paths: readonly (readonly [string, readonly string[]])[];
  readonly pathsFrom: string;
}

export interface PackageManifest {
  readonly folder: string;
  readonly name: string;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly entries: readonly string[];
}

const MANIFEST = /(?:^|\/)(?:package\.json|(?:ts|js)config(?:\.[\w-]+)?\.json|go\.mod|Cargo\.toml)$/u;

/** Whether a file says where modules are. */
export function isModuleConfiguration(path: string): boolean {
  return MANIFEST.test(path);
}

/** Reads the module settings of a repository from the texts of its configuration files, by path. */
export function readModuleConfiguration(texts: ReadonlyMap<string, string>): ModuleConfiguration {
  const mappings = new Map<string, Mapping>();
  const packages: PackageManifest[] = [];
  const goModules: { folder: string; name: string }[] = [];
  const crates: { folder: string; name: string }[] = [];
  for (const [path, text] of texts) {
    const folder = folderOf(path);
    if (path.endsWith("go.mod")) {
      const name = /^module\s+(\S+)/mu.exec(text)?.[1];
      if (name !== undefined) goModules.push({ folder, name });
    } else if (path.endsWith("Cargo.toml")) {
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/msu.exec(text)?.[1];
      if (name !== undefined) crates.push({ folder, name: name.replaceAll("-", "_") });
    } else if (path.endsWith("package.json")) {
      const manifest = readPackage(folder, text);
      if (manifest !== undefined) packages.push(manifest);
    } else if (/(?:^|\/)(?:ts|js)config\.json$/u.test(path)) {
      const mapping = readMapping(path, texts, 0);
      if (mapping !== undefined && !mappings.has(folder)) mappings.set(folder, mapping);
    }
  }
  return { mappings, packages, goModules, crates };
}

function readPackage(folder: string, text: string): PackageManifest | undefined {
  const json = parseLoose(text);
  if (!isRecord(json)) return undefined;
  const entries = ["types", "typings", "module", "main", "source"].flatMap((key) => (typeof json[key] === "string" ? [json[key]] : []));
  return {
    folder,
    name: typeof json["name"] === "string" ? json["name"] : "",
    exports: json["exports"],
    imports: json["imports"],
    entries,
  };
}

function readMapping(path: string, texts: ReadonlyMap<string, string>, depth: number): Mapping | undefined {
  const text = texts.get(path);
  const json = text === undefined ? undefined : parseLoose(text);
  if (!isRecord(json)) return undefined;
  const folder = folderOf(path);
  const inherited =
    depth < 5 && typeof json["extends"] === "string" && json["extends"].startsWith(".")
      ? extended(folder, json["extends"], texts, depth)
      : undefined;
  const options = isRecord(json["compilerOptions"]) ? json["compilerOptions"] : {};
  const base = typeof options["baseUrl"] === "string" ? joined(folder, options["baseUrl"]) : inherited?.base;
  if (!isRecord(options["paths"])) return { base, paths: inherited?.paths ?? [], pathsFrom: inherited?.pathsFrom ?? folder };
  const paths = Object.entries(options["paths"]).flatMap(([pattern, targets]) =>
    Array.isArray(targets) ? [[pattern, targets.filter((target) => typeof target === "string")] as const] : [],
  );
  return { base, paths, pathsFrom: base ?? folder };
}

function extended(folder: string, specifier: string, texts: ReadonlyMap<string, string>, depth: number): Mapping | undefined {
  const path = joined(folder, specifier);
  if (path === undefined) return undefined;
  return readMapping(texts.has(path) ? path : `${path}.json`, texts, depth + 1);
}

/** JSON with comments and trailing commas, as these files are written; undefined when it is none. */
function parseLoose(text: string): unknown {
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (part) => (part.startsWith('"') ? part : " "));
  try {
    return JSON.parse(plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, (_, quoted: string | undefined) => quoted ?? "")) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
