import { parseBlockYaml } from "./block-yaml.ts";
import type { Facts, Locked, Setting } from "./facts.ts";
import { need } from "./npm-lock.ts";
import { NPM_SECTIONS } from "./npm-manifest.ts";
import { readNpmSpec } from "./npm-spec.ts";
import { canonical, entriesOf, fieldOf, tableIn, textIn } from "./plain-data.ts";

/** pnpm-lock.yaml, versions 5 to 9. Source: https://github.com/pnpm/spec/tree/master/lockfile @throws {UnreadableError} */
export function readPnpmLock(text: string): Facts {
  const lock = tableIn(parseBlockYaml(text), "pnpm-lock.yaml");
  const needed = new Map<string, string[]>();
  const declared = new Map<string, ReadonlyMap<string, string>>();
  const importers = fieldOf(lock, "importers");
  const roots = importers === undefined ? [[".", lock] as const] : entriesOf(importers);
  for (const [folder, importer] of roots) {
    const direct = new Map<string, string>();
    for (const section of NPM_SECTIONS) {
      for (const [name, value] of entriesOf(fieldOf(importer, section))) {
        // Since version 6 each has its specifier beside it; before, they stood in a table of their own.
        const spec = textIn(value, "specifier") ?? textIn(fieldOf(importer, "specifiers"), name);
        if (spec !== undefined) direct.set(name, spec);
        need(needed, name, spec ?? "");
        const { name: real } = splitName(textIn(value, "version") ?? (typeof value === "string" ? value : ""));
        if (real !== "") need(needed, real, spec ?? "");
      }
    }
    declared.set(folder === "." ? "" : folder, direct);
  }
  const locked: Locked[] = [];
  for (const part of ["packages", "snapshots"]) {
    for (const [key, value] of entriesOf(fieldOf(lock, part))) {
      for (const section of ["dependencies", "optionalDependencies"]) {
        for (const [name, to] of entriesOf(fieldOf(value, section))) {
          need(needed, name, to);
          const { name: real } = splitName(String(to));
          if (real !== "") need(needed, real, to);
        }
      }
      if (part === "packages") locked.push(lockedAt(key, value));
    }
  }
  return { requirements: overrides(lock), settings: settingsIn(lock), locked, needed, declared };
}

function lockedAt(key: string, entry: unknown): Locked {
  const { name, version } = splitName(key.replace(/^\//, ""));
  const resolution = fieldOf(entry, "resolution");
  const repo = textIn(resolution, "repo");
  const source = textIn(resolution, "tarball") ?? (repo === undefined ? undefined : `git+${repo}`);
  const integrity = textIn(resolution, "integrity");
  const isLocal = /@(file|link):/.test(key) && source === undefined;
  return {
    key,
    name: textIn(entry, "name") ?? name,
    version: textIn(entry, "version") ?? version,
    integrity: integrity === undefined ? [] : [integrity],
    ...(source !== undefined && { source }),
    ...(source === undefined && /@(https?|git\+|git|ssh):/.test(key) && { source: key.slice(key.indexOf("@", 1) + 1) }),
    ...(textIn(entry, "requiresBuild") === "true" && { runsScripts: true }),
    ...(isLocal && { isLocal }),
  };
}

/** `/a/1.0.0`, `/@s/a@1.0.0(peer@2.0.0)` and `a@1.0.0_peer@2.0.0` as name and version. */
function splitName(text: string): { readonly name: string; readonly version: string } {
  const bare = text.replace(/\(.*$/, "");
  const match = /^((?:@[^/@]+\/)?[^/@]+)[@/](\d[^_/]*|[a-z+]+:.*)/i.exec(bare);
  return { name: match?.[1] ?? "", version: match?.[2] ?? "" };
}

function overrides(lock: unknown): Facts["requirements"] {
  return entriesOf(fieldOf(lock, "overrides")).map(([key, value]) => {
    const spec = String(value);
    const last = key.split(">").at(-1) ?? key;
    const at = last.indexOf("@", 1);
    const name = at < 0 ? last : last.slice(0, at);
    const { wanted, alias } = readNpmSpec(name, spec.replace(/^\$.*|^-$/, ""));
    return { name: alias ?? name, section: "overrides", spec, wanted, ...(alias !== undefined && { shownAs: name }) };
  });
}

function settingsIn(lock: unknown): readonly Setting[] {
  return ["patchedDependencies", "onlyBuiltDependencies", "pnpmfileChecksum"].flatMap((key): Setting[] => {
    const value = fieldOf(lock, key);
    return value === undefined
      ? []
      : [{ kind: "note", key, value: canonical(value), why: "it changes the code of installed packages, or which of it runs" }];
  });
}
