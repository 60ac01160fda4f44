import { isScript } from "./languages.ts";
import type { ModuleConfiguration } from "./modules/configuration.ts";
import { folderOf, joined, upwards } from "./modules/paths.ts";
import { resolveScript } from "./modules/script.ts";
import type { TabledUnit } from "./unit-tables.ts";
import type { Declared, ModuleTarget, Resolution, Unit } from "./world.ts";

const OUTSIDE: ModuleTarget = { kind: "external" };

/** Where specifiers lead, and which files share a package; for one state of the repository. */
export interface Modules {
  resolve(unit: Unit, specifier: string): ModuleTarget;
  packageUnits(name: string): readonly Unit[];
  packageOf(unit: Unit): string | undefined;
  /** A module or package below a package that is a folder. */
  subPackage(name: string, wanted: string): Resolution | undefined;
  methodsNamed(name: string): readonly Declared[];
  /** The `impl`s for a name in the crate that a file of Rust belongs to. */
  implementations(unit: Unit, name: string): readonly Declared[];
}

export function createModules(units: readonly (TabledUnit | undefined)[], configuration: ModuleConfiguration): Modules {
  const byPath = new Map<string, TabledUnit>();
  const packages = new Map<string, Unit[]>();
  const folders = new Set<string>();
  /** By file; files of one folder and language share a row. */
  const known: Map<string, ModuleTarget>[] = [];
  const rows = new Map<string, Map<string, ModuleTarget>>();
  let methods: Map<string, Declared[]> | undefined;
  let impls: Map<string, Declared[]> | undefined;
  for (const unit of units) {
    if (unit === undefined) continue;
    byPath.set(unit.path, unit);
    if (unit.facts.language === "python") for (const folder of upwards(folderOf(unit.path))) folders.add(folder);
    const name = packageOf(unit);
    if (name === undefined) continue;
    const list = packages.get(name);
    if (list === undefined) packages.set(name, [unit]);
    else list.push(unit);
  }

  function unitAt(path: string | undefined): ModuleTarget | undefined {
    const unit = path === undefined ? undefined : byPath.get(path);
    return unit === undefined ? undefined : { kind: "unit", unit };
  }

  function resolve(unit: Unit, specifier: string): ModuleTarget {
    const row = (known[unit.index] ??= rowOf(unit));
    const found = row.get(specifier);
    if (found !== undefined) return found;
    const target = find(unit, specifier);
    row.set(specifier, target);
    return target;
  }

  function rowOf(unit: Unit): Map<string, ModuleTarget> {
    // What `self` and `super` mean in Rust depends on the file's name.
    const key = `${unit.facts.language}\n${unit.facts.language === "rust" ? unit.path : folderOf(unit.path)}`;
    const found = rows.get(key) ?? new Map<string, ModuleTarget>();
    rows.set(key, found);
    return found;
  }

  function find(unit: Unit, specifier: string): ModuleTarget {
    const { language } = unit.facts;
    if (isScript(language)) return unitAt(resolveScript(unit.path, specifier, configuration, (path) => byPath.has(path))) ?? OUTSIDE;
    switch (language) {
      case "python":
        return python(unit, specifier);
      case "go":
        return packageTarget(goFolder(specifier));
      case "java":
        return packageTarget(`java:${specifier}`);
      case "php":
        return specifier.startsWith("./")
          ? (unitAt(joined(folderOf(unit.path), specifier)) ?? OUTSIDE)
          : packageTarget(`php:${specifier.toLowerCase()}`);
      case "csharp":
        return packageTarget(`csharp:${specifier}`);
      case "rust":
        return rust(unit, specifier);
      case "ruby":
        return nearby(unit, specifier.endsWith(".rb") ? specifier : `${specifier}.rb`, ["lib"]);
      case "bash":
      case "c":
      case "cpp":
      case "javascript":
      case "tsx":
      case "typescript":
      default:
        return nearby(unit, specifier, ["include", "src", "inc"]);
    }
  }

  function packageTarget(name: string): ModuleTarget {
    return packages.has(name) ? { kind: "package", name } : OUTSIDE;
  }

  /** A file beside this one, or below a usual folder of some folder above; else the only one whose path ends so. */
  function nearby(unit: Unit, specifier: string, usual: readonly string[]): ModuleTarget {
    for (const folder of upwards(folderOf(unit.path))) {
      for (const place of ["", ...usual]) {
        const found = unitAt(joined(folder, place === "" ? specifier : `${place}/${specifier}`));
        if (found !== undefined) return found;
      }
    }
    return OUTSIDE;
  }

  function python(unit: Unit, specifier: string): ModuleTarget {
    const dots = /^\.*/u.exec(specifier)?.[0].length ?? 0;
    const path = specifier.slice(dots).replaceAll(".", "/");
    if (dots > 0) {
      const base = upwards(folderOf(unit.path))[dots - 1];
      return base === undefined ? OUTSIDE : (pythonAt(base, path) ?? OUTSIDE);
    }
    for (const folder of upwards(folderOf(unit.path))) {
      for (const place of [folder, folder === "" ? "src" : `${folder}/src`]) {
        const found = pythonAt(place, path);
        if (found !== undefined) return found;
      }
    }
    return OUTSIDE;
  }

  function pythonAt(folder: string, path: string): ModuleTarget | undefined {
    const at = [folder, path].filter((part) => part !== "").join("/");
    const found = path === "" ? undefined : (unitAt(`${at}.py`) ?? unitAt(`${at}.pyi`));
    const whole = unitAt(at === "" ? "__init__.py" : `${at}/__init__.py`);
    return whole ?? found ?? (folders.has(at) && at !== "" ? { kind: "package", name: `python:${at}` } : undefined);
  }

  function goFolder(specifier: string): string {
    for (const { folder, name } of configuration.goModules) {
      if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
      return `go:${[folder, specifier.slice(name.length + 1)].filter((part) => part !== "").join("/")}`;
    }
    return "";
  }

  function crateOf(unit: Unit): string {
    let found = "";
    for (const { folder } of configuration.crates) if (folder.length > found.length && unit.path.startsWith(`${folder}/`)) found = folder;
    return found;
  }

  /** `crate::a::b`, `self::a`, `super::a`, `other_crate::a`: the file that holds that module. */
  function rust(unit: Unit, specifier: string): ModuleTarget {
    const parts = specifier.split("::").filter((part) => part !== "");
    const home = [crateOf(unit), "src"].filter((part) => part !== "").join("/");
    const own = /\/(?:mod|lib|main)\.rs$/u.test(unit.path) ? folderOf(unit.path) : unit.path.replace(/\.rs$/u, "");
    const [head = "", ...rest] = parts;
    if (head === "crate") return rustAt(home, rest);
    if (head === "self") return rustAt(own, rest);
    if (head === "super") {
      let base = folderOf(own);
      while (rest[0] === "super") {
        base = folderOf(base);
        rest.shift();
      }
      return rustAt(base, rest);
    }
    const other = configuration.crates.find(({ name }) => name === head);
    if (other !== undefined) return rustAt([other.folder, "src"].filter((part) => part !== "").join("/"), rest);
    const beside = rustAt(own, parts);
    return beside.kind === "unit" ? beside : OUTSIDE;
  }

  function rustAt(folder: string, parts: readonly string[]): ModuleTarget {
    const path = [folder, ...parts].join("/");
    const files =
      parts.length === 0 ? [`${folder}/lib.rs`, `${folder}/mod.rs`, `${folder}.rs`, `${folder}/main.rs`] : [`${path}.rs`, `${path}/mod.rs`];
    return files.map(unitAt).find((target) => target !== undefined) ?? OUTSIDE;
  }

  return {
    resolve,
    packageUnits: (name) => packages.get(name) ?? [],
    packageOf,
    subPackage: (name, wanted) => {
      if (!name.startsWith("python:")) {
        const inner = `${name}.${wanted}`;
        return packages.has(inner) ? { targets: [], value: { t: "package", name: inner } } : undefined;
      }
      const target = pythonAt(name.slice(7), wanted);
      if (target?.kind === "package") return { targets: [], value: { t: "package", name: target.name } };
      if (target?.kind !== "unit") return undefined;
      return { targets: [], value: { t: "module", unit: target.unit } };
    },
    implementations: (unit, name) => {
      impls ??= collectImplementations(units, crateOf);
      return impls.get(`${crateOf(unit)}::${name}`) ?? [];
    },
    methodsNamed: (name) => {
      methods ??= collectMethods(units);
      return methods.get(name) ?? [];
    },
  };
}

/** The package whose names a file shares without importing them. */
function packageOf(unit: Unit): string | undefined {
  const { language, package: declared } = unit.facts;
  switch (language) {
    case "go":
      return `go:${folderOf(unit.path)}`;
    case "java":
      return `java:${declared ?? ""}`;
    case "php":
      return `php:${(declared ?? "").toLowerCase()}`;
    case "csharp":
      return `csharp:${declared ?? ""}`;
    case "ruby":
      return "ruby:";
    case "bash":
    case "c":
    case "cpp":
    case "javascript":
    case "python":
    case "rust":
    case "tsx":
    case "typescript":
    default:
      return undefined;
  }
}

function collectImplementations(units: readonly (TabledUnit | undefined)[], crateOf: (unit: Unit) => string): Map<string, Declared[]> {
  const found = new Map<string, Declared[]>();
  for (const unit of units) {
    if (unit?.facts.language !== "rust") continue;
    unit.facts.symbols.forEach((fact, index) => {
      if (fact.kind !== "class" || fact.hidden !== true || fact.name === "") return;
      const key = `${crateOf(unit)}::${fact.name}`;
      const list = found.get(key);
      const declared = unit.tables.declared(index);
      if (list === undefined) found.set(key, [declared]);
      else list.push(declared);
    });
  }
  return found;
}

function collectMethods(units: readonly (TabledUnit | undefined)[]): Map<string, Declared[]> {
  const found = new Map<string, Declared[]>();
  for (const unit of units) {
    if (unit === undefined || unit.isTest) continue;
    unit.facts.symbols.forEach((fact, index) => {
      if (fact.kind !== "method" || fact.name === "") return;
      const list = found.get(fact.name);
      const declared = unit.tables.declared(index);
      if (list === undefined) found.set(fact.name, [declared]);
      else list.push(declared);
    });
  }
  return found;
}
