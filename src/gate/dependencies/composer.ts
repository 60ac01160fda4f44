import type { Facts, Locked, Requirement, Setting } from "./facts.ts";
import { need } from "./npm-lock.ts";
import { versions } from "./npm-spec.ts";
import { canonical, entriesOf, fieldOf, itemsOf, tableIn, textIn } from "./plain-data.ts";
import { parseJson } from "./strict-json.ts";

const READ: ReadonlySet<string> = new Set(["require", "require-dev", "repositories", "scripts"]);
/** Keys that tell people something and decide nothing. Source: https://getcomposer.org/doc/04-schema.md */
const HARMLESS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "version",
  "keywords",
  "homepage",
  "readme",
  "time",
  "license",
  "authors",
  "support",
  "funding",
  "suggest",
  "$schema",
  "_comment",
  "abandoned",
  "scripts-descriptions",
]);
/** Events that composer runs scripts on without being asked for them by name. */
const EVENT =
  /^(pre|post)-(install|update|status|archive|autoload|root|create|package|operations|pool|file|command|dependencies)|^init$|^command$/;
const OWN_HOSTS = /^https:\/\/(api\.github\.com|codeload\.github\.com|github\.com|repo\.packagist\.org|gitlab\.com|bitbucket\.org)\//;

/** composer.json. @throws {UnreadableError} */
export function readComposerManifest(text: string): Facts {
  const manifest = tableIn(parseJson(text), "composer.json");
  const requirements = ["require", "require-dev"].flatMap((section) =>
    entriesOf(fieldOf(manifest, section)).flatMap(([name, spec]): Requirement[] => {
      // `php` and `ext-…` are what the machine has.
      if (!name.includes("/")) return [];
      const text = String(spec);
      return [
        {
          name: name.toLowerCase(),
          section,
          spec: text,
          wanted: versions(text.replaceAll(/\s*,\s*/g, " ").replaceAll(/(?<!\|)\|(?!\|)/g, "||")) ?? {
            kind: "registry",
            isOpen: /dev-|^\*$/.test(text),
          },
        },
      ];
    }),
  );
  const repositories = fieldOf(manifest, "repositories");
  const listed = Array.isArray(repositories)
    ? itemsOf(repositories)
    : entriesOf(repositories).map(([key, value]) => (value === false ? key : value));
  const settings: Setting[] = [
    ...listed.map((value): Setting => ({
      kind: "source",
      key: "repositories",
      value: canonical(value),
      why: "it decides where packages come from",
    })),
    ...entriesOf(fieldOf(manifest, "scripts")).flatMap(([name, value]): Setting[] =>
      EVENT.test(name)
        ? [{ kind: "code", key: `scripts.${name}`, value: canonical(value), why: "composer runs it without being asked" }]
        : [],
    ),
  ];
  const rest = entriesOf(manifest).filter(([key]) => !READ.has(key) && !HARMLESS.has(key));
  return { requirements, settings, locked: [], rest: canonical(Object.fromEntries(rest)) };
}

/** composer.lock. @throws {UnreadableError} */
export function readComposerLock(text: string): Facts {
  const lock = tableIn(parseJson(text), "composer.lock");
  const needed = new Map<string, string[]>();
  const locked = ["packages", "packages-dev"].flatMap((section) =>
    itemsOf(fieldOf(lock, section)).map((entry): Locked => {
      const name = (textIn(entry, "name") ?? "").toLowerCase();
      for (const [required, spec] of entriesOf(fieldOf(entry, "require"))) need(needed, required.toLowerCase(), spec);
      const [dist, origin] = [fieldOf(entry, "dist"), fieldOf(entry, "source")];
      const urls = [textIn(dist, "url"), textIn(origin, "url")].filter((url) => url !== undefined);
      const isLocal = textIn(dist, "type") === "path";
      const foreign = urls.find((url) => !OWN_HOSTS.test(url));
      return {
        key: `${section} ${name}`,
        name,
        version: (textIn(entry, "version") ?? "").replace(/^v(?=\d)/, ""),
        integrity: [textIn(dist, "shasum"), textIn(dist, "reference"), textIn(origin, "reference"), ...urls].filter(
          (part) => part !== undefined && part !== "",
        ) as string[],
        ...(foreign !== undefined && !isLocal && { source: foreign }),
        ...(isLocal && { isLocal }),
      };
    }),
  );
  return { requirements: [], settings: [], locked, needed };
}
