import { canonical, entriesOf, fieldAt, fieldOf, itemsOf, tableIn, textIn, type Table } from "./plain-data.ts";
import type { Facts, Requirement, Setting } from "./facts.ts";
import { readNpmSpec } from "./npm-spec.ts";
import { parseJson } from "./strict-json.ts";
import { parseBlockYaml } from "./block-yaml.ts";

/** Fields of package.json that name packages with a version. */
export const NPM_SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
/** Fields by which a package manager runs scripts of packages that it would not run otherwise. */
const TRUST: readonly (readonly string[])[] = [
  ["trustedDependencies"],
  ["allowScripts"],
  ["lavamoat", "allowScripts"],
  ["pnpm", "onlyBuiltDependencies"],
  ["pnpm", "onlyBuiltDependenciesFile"],
  ["pnpm", "dangerouslyAllowAllBuilds"],
  ["pnpm", "configDependencies"],
  ["pnpm", "executionEnv"],
  ["dependenciesMeta"],
];
/** Fields that tools read as hooks of git. */
const HOOKS = ["simple-git-hooks", "husky", "pre-commit", "pre-push", "gitHooks", "ghooks", "lint-staged"] as const;

/** package.json. @throws {UnreadableError} */
export function readNpmManifest(text: string): Facts {
  const manifest = tableIn(parseJson(text), "package.json");
  return {
    requirements: [
      ...NPM_SECTIONS.flatMap((section) => requirementsIn(section, fieldOf(manifest, section))),
      ...overridesIn("overrides", fieldOf(manifest, "overrides")),
      ...overridesIn("resolutions", fieldOf(manifest, "resolutions")),
      ...overridesIn("pnpm.overrides", fieldAt(manifest, "pnpm", "overrides")),
      ...extensionsIn(fieldAt(manifest, "pnpm", "packageExtensions")),
    ],
    settings: [...sourcesIn(manifest), ...codeIn(manifest)],
    locked: [],
  };
}

/** pnpm-workspace.yaml, which holds catalogs of versions and what `pnpm` in package.json may hold. @throws {UnreadableError} */
export function readPnpmWorkspace(text: string): Facts {
  const file = tableIn(parseBlockYaml(text), "pnpm-workspace.yaml");
  const catalogs = [
    ["catalog", fieldOf(file, "catalog")] as const,
    ...entriesOf(fieldOf(file, "catalogs")).map(([name, table]) => [`catalogs.${name}`, table] as const),
  ];
  const known = new Set(["packages", "catalog", "catalogs", "overrides", "packageExtensions"]);
  return {
    requirements: [
      ...extensionsIn(fieldOf(file, "packageExtensions")),
      ...catalogs.flatMap(([section, table]) => requirementsIn(section, table)),
      ...overridesIn("overrides", fieldOf(file, "overrides")),
    ],
    settings: [
      ...outsideFolders(itemsOf(fieldOf(file, "packages"))),
      ...entriesOf(file).flatMap(([key, value]): Setting[] => {
        if (known.has(key)) return [];
        if (/registr|proxy|ca$|cafile|strictSsl/i.test(key))
          return [{ kind: "source", key, value: canonical(value), why: "it decides where packages come from" }];
        if (/built|build|script|pnpmfile|hook|patched|configDependencies|executionEnv|nodeVersion|allow/i.test(key))
          return [{ kind: "code", key, value: canonical(value), why: "it decides what code an installation runs" }];
        return [];
      }),
    ],
    locked: [],
  };
}

function requirementsIn(section: string, table: unknown): readonly Requirement[] {
  return entriesOf(table).map(([name, spec]) => requirement(section, name, spec));
}

function requirement(section: string, name: string, spec: unknown): Requirement {
  if (typeof spec !== "string")
    return { name, section, spec: canonical(spec) ?? "", wanted: { kind: "elsewhere", from: "a specification that is no text" } };
  const { wanted, alias } = readNpmSpec(name, spec);
  return { name: alias ?? name, section, spec, wanted, ...(alias !== undefined && { shownAs: name }) };
}

/** Extensions give other packages dependencies that those do not name themselves. */
function extensionsIn(table: unknown): readonly Requirement[] {
  return entriesOf(table).flatMap(([name, extension]) =>
    NPM_SECTIONS.flatMap((section) => requirementsIn(`packageExtensions.${name}`, fieldOf(extension, section))),
  );
}

/** Overrides may nest and may name versions in their keys: each leaf replaces one package wherever it is required. */
function overridesIn(section: string, table: unknown, depth = 0): readonly Requirement[] {
  return entriesOf(table).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null && depth < 20) return overridesIn(section, value, depth + 1);
    const name = overriddenName(key);
    // `$name` stands for the version of the direct dependency; `-` removes the package.
    if (typeof value === "string" && (/^\$[\w@/.-]+$/.test(value) || value === "-")) return [];
    return [requirement(section, name, value)];
  });
}

/** The package that `a>b@^1`, `b@1`, `a/b` or yarn's glob path name: b. */
function overriddenName(key: string): string {
  const last = key.split(">").at(-1) ?? key;
  const path = last.split("/");
  const tail = path.at(-2)?.startsWith("@") === true ? path.slice(-2).join("/") : (path.at(-1) ?? last);
  const at = tail.indexOf("@", 1);
  return at < 0 ? tail : tail.slice(0, at);
}

function sourcesIn(manifest: Table): readonly Setting[] {
  const settings: Setting[] = [];
  for (const [key, value] of entriesOf(fieldOf(manifest, "publishConfig"))) {
    if (/registry/i.test(key))
      settings.push({
        kind: "source",
        key: `publishConfig.${key}`,
        value: canonical(value),
        why: "it decides where the package is published",
      });
  }
  const manager = textIn(manifest, "packageManager");
  if (manager !== undefined && !/^(npm|pnpm|yarn|bun)@\d+\.\d+\.\d+(-[\w.]+)?(\+(sha\d+)\.[\w+/=]+)?$/.test(manager)) {
    settings.push({
      kind: "source",
      key: "packageManager",
      value: manager,
      why: "it names a package manager that is not a plain version of a known one",
    });
  }
  const workspaces = fieldOf(manifest, "workspaces");
  return [...settings, ...outsideFolders([...itemsOf(workspaces), ...itemsOf(fieldOf(workspaces, "packages"))])];
}

function outsideFolders(globs: readonly unknown[]): readonly Setting[] {
  return globs
    .filter((glob) => typeof glob !== "string" || /(^|[/\\])\.\.([/\\]|$)|^[/\\~]|^[a-z]:/i.test(glob))
    .map((glob) => ({ kind: "source", key: "workspaces", value: canonical(glob), why: "it takes packages from outside the repository" }));
}

function codeIn(manifest: Table): readonly Setting[] {
  const trusted = TRUST.flatMap((path): Setting[] => {
    const value = fieldAt(manifest, ...path);
    return value === undefined
      ? []
      : [{ kind: "code", key: path.join("."), value: canonical(value), why: "it lets packages run scripts when they are installed" }];
  });
  const hooks = HOOKS.flatMap((key): Setting[] => {
    const value = fieldOf(manifest, key);
    return value === undefined
      ? []
      : [{ kind: "code", key, value: canonical(value), why: "it runs on developers' machines at their next commit" }];
  });
  const patches = entriesOf(fieldAt(manifest, "pnpm", "patchedDependencies")).map(([name, file]): Setting => ({
    kind: "note",
    key: `pnpm.patchedDependencies.${name}`,
    value: canonical(file),
    why: "it changes the code of an installed package",
  }));
  const bundled = ["bundleDependencies", "bundledDependencies"].flatMap((key): Setting[] => {
    const value = fieldOf(manifest, key);
    return value === undefined
      ? []
      : [{ kind: "note", key, value: canonical(value), why: "it ships these packages as they lie on the publisher's machine" }];
  });
  return [...trusted, ...hooks, ...patches, ...bundled];
}
