import { canonical, entriesOf, fieldAt, fieldOf, isTable, itemsOf, textIn } from "./plain-data.ts";
import { UnreadableError, type Facts, type Requirement, type Setting, type Wanted } from "./facts.ts";
import { pythonName, pythonPlace, readPep508, readSpecifiers } from "./python-spec.ts";
import { isOwnIndex, isReadAsRequirements } from "./requirements.ts";
import { parseToml } from "./toml.ts";

const SOURCE = "it decides where packages come from";
/** Tables of tools whose content runs when the package is built or installed. */
const BUILD_CODE: readonly (readonly string[])[] = [
  ["tool", "hatch", "build", "hooks"],
  ["tool", "hatch", "metadata", "hooks"],
  ["tool", "hatch", "build", "targets"],
  ["tool", "setuptools", "cmdclass"],
  ["tool", "poetry", "build"],
  ["tool", "pdm", "build"],
  ["tool", "scikit-build"],
  ["tool", "uv", "config-settings"],
];
/** Tables of tools that name places packages come from. */
const SOURCES: readonly (readonly string[])[] = [
  ["tool", "poetry", "source"],
  ["tool", "uv", "index"],
  ["tool", "uv", "index-url"],
  ["tool", "uv", "extra-index-url"],
  ["tool", "uv", "find-links"],
  ["tool", "uv", "no-index"],
  ["tool", "uv", "pip"],
  ["tool", "uv", "allow-insecure-host"],
  ["tool", "uv", "index-strategy"],
  ["tool", "pdm", "source"],
  ["tool", "rye", "sources"],
];

/** pyproject.toml. Source: https://packaging.python.org/specifications/pyproject-toml/ @throws {UnreadableError} */
export function readPyproject(text: string): Facts {
  const file = parseToml(text);
  const requirements = [
    ...listed("project.dependencies", fieldAt(file, "project", "dependencies")),
    ...tablesOf("project.optional-dependencies", fieldAt(file, "project", "optional-dependencies")),
    ...tablesOf("dependency-groups", fieldAt(file, "dependency-groups")),
    ...listed("build-system.requires", fieldAt(file, "build-system", "requires")),
    ...["dev-dependencies", "constraint-dependencies", "override-dependencies", "build-constraint-dependencies"].flatMap((key) =>
      listed(`tool.uv.${key}`, fieldAt(file, "tool", "uv", key)),
    ),
    ...tablesOf("tool.pdm.dev-dependencies", fieldAt(file, "tool", "pdm", "dev-dependencies")),
    ...listed("tool.rye.dev-dependencies", fieldAt(file, "tool", "rye", "dev-dependencies")),
    ...poetryTables(file).flatMap(([section, table]) =>
      entriesOf(table).flatMap(([name, value]) => poetryRequirement(section, name, value)),
    ),
    ...entriesOf(fieldAt(file, "tool", "uv", "sources")).flatMap(([name, value]) => uvSource(name, value)),
  ];
  return { requirements, settings: [...settingsIn(file)], locked: [] };
}

/** Pipfile. Source: https://pipenv.pypa.io/en/latest/pipfile.html @throws {UnreadableError} */
export function readPipfile(text: string): Facts {
  const file = parseToml(text);
  const known = new Set(["source", "requires", "scripts", "pipenv"]);
  return {
    requirements: entriesOf(file).flatMap(([section, table]) =>
      known.has(section) ? [] : entriesOf(table).flatMap(([name, value]) => poetryRequirement(section, name, value)),
    ),
    settings: itemsOf(fieldOf(file, "source")).flatMap(foreignSource("source")),
    locked: [],
  };
}

function listed(section: string, list: unknown): readonly Requirement[] {
  return itemsOf(list).flatMap((item) => {
    // A group may include another by name.
    if (isTable(item) && textIn(item, "include-group") !== undefined) return [];
    const requirement = typeof item === "string" ? readPep508(item, section) : undefined;
    if (requirement === undefined) throw new UnreadableError(`holds an entry of ${section} that is no requirement`);
    return [requirement];
  });
}

function tablesOf(section: string, tables: unknown): readonly Requirement[] {
  return entriesOf(tables).flatMap(([name, list]) => listed(`${section}.${name}`, list));
}

function poetryTables(file: unknown): readonly (readonly [string, unknown])[] {
  const poetry = fieldAt(file, "tool", "poetry");
  const groups = entriesOf(fieldOf(poetry, "group")).map(
    ([name, group]) => [`tool.poetry.group.${name}`, fieldOf(group, "dependencies")] as const,
  );
  return [
    ["tool.poetry.dependencies", fieldOf(poetry, "dependencies")],
    ["tool.poetry.dev-dependencies", fieldOf(poetry, "dev-dependencies")],
    ...groups,
  ];
}

/** Poetry's and pipenv's notation: a version, a table, or a list of tables for several platforms. */
function poetryRequirement(section: string, name: string, value: unknown): readonly Requirement[] {
  if (Array.isArray(value)) return value.flatMap((item) => poetryRequirement(section, name, item));
  if (name.toLowerCase() === "python" && section.startsWith("tool.poetry")) return [];
  const spec = typeof value === "string" ? value : canonical(value);
  return [{ name: pythonName(name), section, spec, wanted: poetryWanted(value) }];
}

function poetryWanted(value: unknown): Wanted {
  if (typeof value === "string") return readSpecifiers(value) ?? { kind: "registry" };
  const place = textIn(value, "git") ?? textIn(value, "url") ?? textIn(value, "hg") ?? textIn(value, "svn") ?? textIn(value, "bzr");
  if (place !== undefined) return { kind: "elsewhere", from: pythonPlaceName(place) };
  const path = textIn(value, "path") ?? textIn(value, "file");
  if (path !== undefined) return /^[a-z]+:\/\//i.test(path) ? pythonPlace(path) : { kind: "local", path };
  if (fieldOf(value, "index") !== undefined || fieldOf(value, "source") !== undefined)
    return { kind: "elsewhere", from: "an index of its own" };
  return readSpecifiers(textIn(value, "version") ?? "*") ?? { kind: "registry" };
}

function pythonPlaceName(place: string): string {
  const wanted = pythonPlace(place);
  return wanted.kind === "elsewhere" ? wanted.from : "a place outside the index";
}

/** `[tool.uv.sources]` moves a dependency to another place. */
function uvSource(name: string, value: unknown): readonly Requirement[] {
  if (Array.isArray(value)) return value.flatMap((item) => uvSource(name, item));
  const base = { name: pythonName(name), section: "tool.uv.sources", spec: canonical(value) };
  if (fieldOf(value, "workspace") === true) return [{ ...base, wanted: { kind: "local", path: "." } }];
  const wanted = poetryWanted(value);
  return [{ ...base, wanted: wanted.kind === "registry" ? { kind: "elsewhere", from: "an index of its own" } : wanted }];
}

function* settingsIn(file: unknown): Iterable<Setting> {
  const backend = textIn(fieldOf(file, "build-system"), "build-backend");
  if (backend !== undefined && !BACKENDS.test(backend))
    yield { kind: "code", key: "build-system.build-backend", value: backend, why: "it runs when the package is built or installed" };
  const path = fieldAt(file, "build-system", "backend-path");
  if (path !== undefined)
    yield {
      kind: "code",
      key: "build-system.backend-path",
      value: canonical(path),
      why: "it runs code of the repository when the package is built or installed",
    };
  for (const list of ["dependencies", "optional-dependencies"]) {
    const dynamic = fieldAt(file, "tool", "setuptools", "dynamic", list);
    for (const at of [dynamic, ...entriesOf(dynamic).map(([, value]) => value)]) {
      const named = fieldOf(at, "file");
      for (const path of Array.isArray(named) ? named : named === undefined ? [] : [named]) {
        if (typeof path === "string" && isReadAsRequirements(path)) continue;
        yield {
          kind: "source",
          key: `tool.setuptools.dynamic.${list}`,
          value: canonical(path),
          why: "it takes requirements from a file whose name does not say that it holds some",
        };
      }
    }
  }
  for (const names of BUILD_CODE) {
    const value = fieldAt(file, ...names);
    if (value !== undefined && hasCode(names, value))
      yield { kind: "code", key: names.join("."), value: canonical(value), why: "it runs when the package is built or installed" };
  }
  for (const names of SOURCES) {
    const value = fieldAt(file, ...names);
    if (value !== undefined) yield* (Array.isArray(value) ? value : [value]).flatMap(foreignSource(names.join(".")));
  }
}

/** hatch keeps its hooks among ordinary settings of its targets. */
function hasCode(names: readonly string[], value: unknown): boolean {
  return names.at(-1) !== "targets" || entriesOf(value).some(([, target]) => fieldOf(target, "hooks") !== undefined);
}

/** Backends that only read the project's own description. */
const BACKENDS =
  /^(setuptools\.build_meta(:__legacy__)?|hatchling\.build|flit_core\.buildapi|poetry\.core\.masonry\.api|pdm\.backend|uv_build|maturin|mesonpy|scikit_build_core\.build|whey|jupyter_packaging\.build_api|sipbuild\.api|enscons\.api)$/;

function foreignSource(key: string): (value: unknown) => readonly Setting[] {
  return (value) => {
    const url = typeof value === "string" ? value : textIn(value, "url");
    const isChecked = fieldOf(value, "verify_ssl") !== false;
    if (url !== undefined && isOwnIndex(url) && isChecked) return [];
    if (isTable(value) && url === undefined && fieldOf(value, "name") === "PyPI") return [];
    return [{ kind: "source", key, value: canonical(value), why: SOURCE }];
  };
}
