import type { Facts, Locked, Setting } from "./facts.ts";
import { need } from "./npm-lock.ts";
import { canonical, entriesOf, fieldAt, fieldOf, isTable, itemsOf, tableIn, textIn } from "./plain-data.ts";
import { pythonName } from "./python-spec.ts";
import { isOwnIndex } from "./requirements.ts";
import { parseJson } from "./strict-json.ts";
import { parseToml } from "./toml.ts";

/** Pipfile.lock. @throws {UnreadableError} */
export function readPipfileLock(text: string): Facts {
  const lock = tableIn(parseJson(text), "Pipfile.lock");
  const locked: Locked[] = [];
  for (const [section, table] of entriesOf(lock)) {
    if (section === "_meta") continue;
    for (const [shown, entry] of entriesOf(table)) {
      const name = pythonName(shown);
      const place = textIn(entry, "git") ?? textIn(entry, "file") ?? textIn(entry, "url");
      const isLocal = textIn(entry, "path") !== undefined;
      locked.push({
        key: `${section} ${name}`,
        name,
        version: (textIn(entry, "version") ?? "").replace(/^=+/, ""),
        integrity: itemsOf(fieldOf(entry, "hashes")).map(String),
        ...(place !== undefined && { source: place }),
        ...(isLocal && { isLocal }),
      });
    }
  }
  return { requirements: [], settings: itemsOf(fieldAt(lock, "_meta", "sources")).flatMap(foreign("_meta.sources")), locked };
}

/** poetry.lock, pdm.lock and uv.lock: lists of `[[package]]`. @throws {UnreadableError} */
export function readPackageList(text: string): Facts {
  const lock = parseToml(text);
  const needed = new Map<string, string[]>();
  const locked: Locked[] = [];
  const counts = new Map<string, number>();
  for (const entry of itemsOf(fieldOf(lock, "package"))) {
    const name = pythonName(textIn(entry, "name") ?? "");
    noteNeeds(entry, needed);
    const version = textIn(entry, "version") ?? "";
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const source = fieldOf(entry, "source");
    const isLocal =
      ["virtual", "editable", "directory"].some((kind) => fieldOf(source, kind) !== undefined) || textIn(source, "type") === "directory";
    const files = [
      ...itemsOf(fieldOf(entry, "files")),
      ...itemsOf(fieldAt(lock, "metadata", "files", textIn(entry, "name") ?? "")),
      ...itemsOf(fieldOf(entry, "wheels")),
      fieldOf(entry, "sdist"),
    ].filter(isTable);
    const foreignFile = files.map((file) => textIn(file, "url")).find((url) => url !== undefined && !isOwnFile(url));
    const path = ["virtual", "editable", "directory", "path"].map((kind) => textIn(source, kind)).find((text) => text !== undefined);
    const place = path ?? (isLocal ? textIn(source, "url") : undefined) ?? placeOf(source) ?? foreignFile;
    locked.push({
      key: count === 1 ? name : `${name} ${count}`,
      name,
      version,
      integrity: files.flatMap((file) => {
        const hash = textIn(file, "hash");
        return hash === undefined ? [] : [hash];
      }),
      ...(place !== undefined && { source: place }),
      ...(isLocal && { isLocal }),
    });
  }
  return { requirements: [], settings: [], locked, needed };
}

function noteNeeds(entry: unknown, needed: Map<string, string[]>): void {
  const dependencies = fieldOf(entry, "dependencies");
  for (const [name, spec] of entriesOf(dependencies)) need(needed, pythonName(name), typeof spec === "string" ? spec : canonical(spec));
  const lists = [
    dependencies,
    ...entriesOf(fieldOf(entry, "optional-dependencies")).map(([, list]) => list),
    ...entriesOf(fieldOf(entry, "dev-dependencies")).map(([, list]) => list),
  ];
  for (const item of lists.flatMap(itemsOf)) {
    // uv writes tables, pdm writes requirements.
    const name = typeof item === "string" ? /^[\w.-]+/.exec(item)?.[0] : textIn(item, "name");
    if (name !== undefined) need(needed, pythonName(name), "");
  }
}

/** Where a package comes from, unless it is the index itself. */
function placeOf(source: unknown): string | undefined {
  const registry = textIn(source, "registry");
  if (registry !== undefined) return isOwnIndex(registry) ? undefined : registry;
  const url = textIn(source, "git") ?? textIn(source, "url");
  if (url === undefined || isOwnIndex(url) || isOwnFile(url)) return undefined;
  return textIn(source, "type") === "git" || fieldOf(source, "git") !== undefined ? `git+${url}` : url;
}

function isOwnFile(url: string): boolean {
  return url.startsWith("https://files.pythonhosted.org/");
}

function foreign(key: string): (value: unknown) => readonly Setting[] {
  return (value) => {
    const url = textIn(value, "url");
    if (url !== undefined && isOwnIndex(url) && fieldOf(value, "verify_ssl") !== false) return [];
    return [{ kind: "source", key, value: canonical(value), why: "it decides where packages come from" }];
  };
}
