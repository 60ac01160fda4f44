import { BASE, devDependencies, dependencies, entry, hashOf, lock, name, PACKAGES, PNPM, version, YARN } from "./base.ts";
import { expand } from "./expand.ts";
import type { MacroContext } from "./expand.ts";
import { MANIFEST } from "./manifest.ts";

/** Whole files after the change, by their paths. */
export type Edits = Readonly<Record<string, string>>;

/** The lock with one entry changed. */
const relocked = (path: string, more: object): string => lock({ ...PACKAGES, [path]: { ...PACKAGES[path], ...more } });

/** What the rows say in words only, by their ids. */
const EDITS: Readonly<Record<string, (context: MacroContext) => Edits>> = {
  "deps-016": () => ({ "package-lock.json": relocked("node_modules/lodash", { resolved: "https://evil.test/x.tgz" }) }),
  "deps-017": () => ({ "package-lock.json": relocked("node_modules/lodash", { integrity: hashOf("X") }) }),
  "deps-018": () => ({ "package-lock.json": relocked("node_modules/loose-envify", { hasInstallScript: true }) }),
  "deps-020": () => ({ "pnpm-lock.yaml": PNPM.replace("}\n\nsnapshots", ", tarball: http://evil.test/x.tgz}\n\nsnapshots") }),
  "deps-021": () => ({ "yarn.lock": YARN.replace('resolved "https:', 'resolved "http:') }),
  "secret-006": (context) => ({ "package-lock.json": relocked("", { note: expand("{{fake:ghp}}", context) }) }),
  "ok-deps-002": () => {
    const bumped = { ...devDependencies, vitest: "1.6.1" };
    return {
      "package.json": `${JSON.stringify({ ...(JSON.parse(MANIFEST) as object), devDependencies: bumped }, null, 2)}\n`,
      "package-lock.json": lock({
        ...PACKAGES,
        "": { name, version, dependencies, devDependencies: bumped },
        "node_modules/vitest": entry("vitest", "1.6.1", "W", { dev: true }),
      }),
    };
  },
};

/** The files of a row that says them in words. Undefined for other rows. */
export const editsOf = (id: string, context: MacroContext): Edits | undefined => EDITS[id]?.(context);

/** The base's JSON with one value set, as in `{{base}} + dependencies.x="1"`. Undefined for what is said in words only. */
function builtOn(path: string, raw: string): string | undefined {
  const base = BASE[path];
  const set = /^\{\{base\}\} \+ ([a-zA-Z]+)(?:\.([\w-]+)|\["([^"]+)"\])?(?:=| )("(?:[^"\\]|\\.)*")$/.exec(raw);
  if (base === undefined || set === null) return undefined;
  const [, key = "", plain, quoted, value = ""] = set;
  const manifest = JSON.parse(base) as Record<string, unknown>;
  const inner = plain ?? quoted;
  if (inner === undefined) manifest[key] = JSON.parse(value) as unknown;
  else manifest[key] = { ...(manifest[key] as object | undefined), [inner]: JSON.parse(value) as unknown };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The bytes that a row writes to a path: UTF-8, but for the row that is about another encoding. @throws {TypeError} for words that nobody has explained. */
export function contentOf(id: string, path: string, raw: string, context: MacroContext): Uint8Array {
  const text = raw.startsWith("{{base}}") ? builtOn(path, raw) : expand(raw, context);
  if (text === undefined) throw new TypeError(`Nobody has said what the row ${id} writes.`);
  return Buffer.from(text, id === "secret-008" ? "latin1" : "utf8");
}
