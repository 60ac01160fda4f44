import { UnreadableError, type Facts, type Locked } from "./facts.ts";
import { NPM_SECTIONS } from "./npm-manifest.ts";
import { entriesOf, fieldOf, tableIn, textIn, type Table } from "./plain-data.ts";
import { parseJson } from "./strict-json.ts";

/** Deepest nesting of `dependencies` in a lockfile of the first version. */
const DEEPEST = 100;

/** package-lock.json and npm-shrinkwrap.json, versions 1 to 3. Source: https://docs.npmjs.com/cli/configuring-npm/package-lock-json @throws {UnreadableError} */
export function readNpmLock(text: string): Facts {
  const lock = tableIn(parseJson(text), "package-lock.json");
  const packages = fieldOf(lock, "packages");
  const needed = new Map<string, string[]>();
  const locked: Locked[] = [];
  const declared = new Map<string, ReadonlyMap<string, string>>();
  for (const [key, value] of entriesOf(packages)) {
    const entry = tableIn(value, "package-lock.json");
    if (key === "" || !key.split("/").includes("node_modules")) {
      declared.set(key, declaredIn(entry));
    } else {
      locked.push(lockedAt(key, entry));
    }
    for (const section of NPM_SECTIONS) for (const [name, spec] of entriesOf(fieldOf(entry, section))) need(needed, name, spec);
  }
  // The second version repeats in `dependencies` what `packages` says, for older tools: both are read, under keys of their own.
  readTree(fieldOf(lock, "dependencies"), "", locked, needed, 0);
  if (packages === undefined && fieldOf(lock, "lockfileVersion") === undefined && locked.length === 0 && entriesOf(lock).length > 2) {
    throw new UnreadableError("is no package-lock.json of a version that is known");
  }
  return { requirements: [], settings: [], locked, needed, ...(declared.size > 0 && { declared }) };
}

function declaredIn(entry: Table): ReadonlyMap<string, string> {
  const pairs = NPM_SECTIONS.flatMap((section) => entriesOf(fieldOf(entry, section)));
  return new Map(pairs.map(([name, spec]) => [name, String(spec)]));
}

function lockedAt(key: string, entry: Table): Locked {
  const shown = key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
  const name = textIn(entry, "name") ?? shown;
  const isLocal = fieldOf(entry, "link") === true || fieldOf(entry, "inBundle") === true;
  return {
    key,
    name,
    version: textIn(entry, "version") ?? "",
    ...(name !== shown && { shownAs: shown }),
    ...whereFrom(entry),
    ...(fieldOf(entry, "hasInstallScript") === true && { runsScripts: true }),
    ...(isLocal && { isLocal }),
  };
}

function whereFrom(entry: Table): Pick<Locked, "source" | "integrity"> {
  const source = textIn(entry, "resolved");
  const integrity = textIn(entry, "integrity")?.split(/\s+/).filter(Boolean) ?? [];
  return { integrity, ...(source !== undefined && { source }) };
}

/** `dependencies` of the first and second version: entries inside entries. */
function readTree(table: unknown, above: string, locked: Locked[], needed: Map<string, string[]>, depth: number): void {
  if (depth > DEEPEST) throw new UnreadableError(`is nested more than ${DEEPEST} levels deep`);
  for (const [shown, value] of entriesOf(table)) {
    const entry = tableIn(value, "package-lock.json");
    const key = `${above}>${shown}`;
    const said = textIn(entry, "version") ?? "";
    const alias = /^npm:(.+)@([^@]+)$/.exec(said);
    // A version that is no version is where the package comes from: a URL or a folder.
    const isPlace = alias === null && !/^v?\d/.test(said);
    locked.push({
      key,
      name: alias?.[1] ?? shown,
      version: isPlace ? "" : (alias?.[2] ?? said),
      ...(alias !== null && { shownAs: shown }),
      ...whereFrom(entry),
      ...(isPlace && { source: said }),
      ...((fieldOf(entry, "bundled") === true || said.startsWith("file:")) && { isLocal: true }),
    });
    for (const [name, spec] of entriesOf(fieldOf(entry, "requires"))) need(needed, name, spec);
    readTree(fieldOf(entry, "dependencies"), key, locked, needed, depth + 1);
  }
}

/** Notes that somebody requires a package. */
export function need(needed: Map<string, string[]>, name: string, spec: unknown): void {
  const specs = needed.get(name) ?? [];
  needed.set(name, specs);
  specs.push(String(spec));
}
