import { UnreadableError, type Facts, type Locked, type Requirement, type Setting, type Wanted } from "./facts.ts";
import { need } from "./npm-lock.ts";
import { versions } from "./npm-spec.ts";
import { canonical, entriesOf, fieldAt, fieldOf, itemsOf, textIn } from "./plain-data.ts";
import { parseToml } from "./toml.ts";

const SECTIONS = ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"] as const;
const OWN_REGISTRY = /^(registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index|sparse\+https:\/\/index\.crates\.io\/?)$/;

/** Cargo.toml. Source: https://doc.rust-lang.org/cargo/reference/manifest.html @throws {UnreadableError} */
export function readCargoManifest(text: string): Facts {
  const file = parseToml(text);
  const tables = (at: unknown, prefix: string) => SECTIONS.flatMap((section) => sectionOf(`${prefix}${section}`, fieldOf(at, section)));
  return {
    requirements: [
      ...tables(file, ""),
      ...entriesOf(fieldOf(file, "target")).flatMap(([target, table]) => tables(table, `target.${target}.`)),
      ...sectionOf("workspace.dependencies", fieldAt(file, "workspace", "dependencies")),
      ...entriesOf(fieldOf(file, "patch")).flatMap(([registry, table]) => sectionOf(`patch.${registry}`, table)),
      ...sectionOf("replace", fieldOf(file, "replace")),
    ],
    settings: settingsIn(file),
    locked: [],
  };
}

function sectionOf(section: string, table: unknown): readonly Requirement[] {
  return entriesOf(table).map(([key, value]) => {
    const shown = key.split(/[@:]/)[0] ?? key;
    const name = textIn(value, "package") ?? shown;
    const spec = typeof value === "string" ? value : canonical(value);
    return { name, section, spec, wanted: wantedBy(value), ...(name !== shown && { shownAs: shown }) };
  });
}

function wantedBy(value: unknown): Wanted {
  if (typeof value === "string") return cargoVersions(value);
  // The version stands in the workspace's own manifest.
  if (fieldOf(value, "workspace") === true) return { kind: "local", path: "." };
  const git = textIn(value, "git");
  if (git !== undefined)
    return {
      kind: "elsewhere",
      from: `the repository at ${/^[a-z+]+:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(git)?.[1] ?? "a place that cannot be read"}`,
    };
  if (fieldOf(value, "registry") !== undefined || fieldOf(value, "registry-index") !== undefined)
    return { kind: "elsewhere", from: "a registry of its own" };
  const path = textIn(value, "path");
  if (path !== undefined) return { kind: "local", path };
  return cargoVersions(textIn(value, "version") ?? "*");
}

/** A bare version means the caret's range, and a comma means "and". */
function cargoVersions(text: string): Wanted {
  const spec = text
    .split(",")
    .map((part) => part.trim())
    .map((part) => (/^\d/.test(part) && !/[*x]/i.test(part) ? `^${part}` : part))
    .join(" ");
  const exact = /^=\s*(\d+\.\d+\.\d+\S*)$/.exec(text.trim())?.[1];
  const range = versions(spec);
  if (range === undefined) throw new UnreadableError(`holds a version that cargo would not read: ${JSON.stringify(text.slice(0, 60))}`);
  return exact === undefined ? range : { kind: "registry", version: exact, range: exact, lowest: exact };
}

function settingsIn(file: unknown): readonly Setting[] {
  const settings: Setting[] = [];
  const code = (key: string, value: unknown, why: string): void => {
    if (value !== undefined && value !== false) settings.push({ kind: "code", key, value: canonical(value), why });
  };
  code("package.build", fieldAt(file, "package", "build"), "cargo runs it when the package is built");
  code("package.metaBuild", fieldAt(file, "package", "metabuild"), "cargo runs it when the package is built");
  code(
    "lib.proc-macro",
    fieldAt(file, "lib", "proc-macro") ?? fieldAt(file, "lib", "proc_macro"),
    "the compiler runs it when others are built",
  );
  const members = [...itemsOf(fieldAt(file, "workspace", "members")), ...itemsOf(fieldAt(file, "workspace", "default-members"))];
  for (const member of members) {
    if (typeof member !== "string" || member.startsWith("/") || member.split("/").includes("..")) {
      settings.push({
        kind: "source",
        key: "workspace.members",
        value: canonical(member),
        why: "it takes packages from outside the repository",
      });
    }
  }
  for (const [key, value] of [...entriesOf(fieldOf(file, "registries")), ...entriesOf(fieldOf(file, "source"))]) {
    settings.push({ kind: "source", key, value: canonical(value), why: "it decides where packages come from" });
  }
  return settings;
}

/** Cargo.lock. @throws {UnreadableError} */
export function readCargoLock(text: string): Facts {
  const lock = parseToml(text);
  const needed = new Map<string, string[]>();
  const locked = itemsOf(fieldOf(lock, "package")).map((entry): Locked => {
    const [name, version, source] = [textIn(entry, "name") ?? "", textIn(entry, "version") ?? "", textIn(entry, "source")];
    for (const dependency of itemsOf(fieldOf(entry, "dependencies")))
      need(needed, String(dependency).split(" ")[0] ?? "", String(dependency));
    // Before the second version checksums stood in a table of their own.
    const checksum = textIn(entry, "checksum") ?? textIn(fieldOf(lock, "metadata"), `checksum ${name} ${version} (${source ?? ""})`);
    return {
      key: source === undefined || OWN_REGISTRY.test(source) ? `${name} ${version}` : `${name} ${version} ${source}`,
      name,
      version,
      integrity: checksum === undefined ? [] : [checksum],
      ...(source === undefined ? { isLocal: true } : {}),
      ...(source !== undefined && !OWN_REGISTRY.test(source) && { source }),
    };
  });
  const keys = new Set<string>();
  const repeated = locked.find(({ key }) => keys.size === keys.add(key).size);
  if (repeated !== undefined) throw new UnreadableError(`lists ${JSON.stringify(repeated.key.slice(0, 80))} twice`);
  return { requirements: [], settings: [], locked, needed };
}
