import type { Operation } from "../../../src/core/operation.ts";
import type { Decision } from "../../../src/core/result.ts";
import type { GateOptions } from "../../../src/gate/create-gate.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import { commit, run, write } from "../../unit/gate/fixtures.ts";
import type { MacroContext } from "./expand.ts";
import { expand } from "./expand.ts";
import { MANIFEST } from "./manifest.ts";

/** A hash as npm writes it: no archive has it. */
const hashOf = (letter: string): string => `sha512-${letter.repeat(86)}==`;

/** An entry of package-lock.json for a package from npm's registry. */
const entry = (name: string, version: string, letter: string, more: object = {}): object => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`,
  integrity: hashOf(letter),
  ...more,
});

const { name, version, dependencies, devDependencies } = JSON.parse(MANIFEST) as Record<string, object>;
const PACKAGES: Readonly<Record<string, object>> = {
  "": { name, version, dependencies, devDependencies },
  "node_modules/@acme-internal/util": entry("@acme-internal/util", "1.4.2", "U"),
  "node_modules/lodash": entry("lodash", "4.17.21", "L"),
  "node_modules/loose-envify": entry("loose-envify", "1.4.0", "E"),
  "node_modules/react": entry("react", "18.2.0", "R", { dependencies: { "loose-envify": "^1.1.0" } }),
  "node_modules/semver": entry("semver", "7.5.4", "S"),
  "node_modules/vitest": entry("vitest", "1.6.0", "V", { dev: true }),
};
const lock = (packages: Readonly<Record<string, object>>): string =>
  `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
/** The lock with one entry changed. */
const relocked = (path: string, more: object): string => lock({ ...PACKAGES, [path]: { ...PACKAGES[path], ...more } });

const PNPM = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      lodash:
        specifier: 4.17.21
        version: 4.17.21

packages:

  lodash@4.17.21:
    resolution: {integrity: ${hashOf("L")}}

snapshots:

  lodash@4.17.21: {}
`;
const YARN = `# yarn lockfile v1


lodash@4.17.21:
  version "4.17.21"
  resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"
  integrity ${hashOf("L")}
`;

const BASE: Readonly<Record<string, string>> = {
  "package.json": MANIFEST,
  "package-lock.json": lock(PACKAGES),
  "pnpm-lock.yaml": PNPM,
  "yarn.lock": YARN,
};
type Edits = Readonly<Record<string, string>>;

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

/** What a gate must know of the base that these rows build on. */
export const lockSources: Pick<GateOptions, "basePaths" | "baseFile"> = {
  basePaths: () => [...Object.keys(BASE), "README.md", ...Array.from({ length: 19 }, (_, index) => `src/${index}.ts`)],
  baseFile: (_, path) => (BASE[path] === undefined ? undefined : Buffer.from(BASE[path])),
};

/** Shows such a row to both doors: file by file, and as one commit. Undefined for other rows. */
export async function playLocks(id: string, gate: Gate, context: MacroContext): Promise<readonly Decision[] | undefined> {
  const edits = EDITS[id]?.(context);
  if (edits === undefined) return undefined;
  const decisions: Decision[] = [];
  for (const [path, after] of Object.entries(edits)) decisions.push(await gate.judgeWrite(write(path, after, BASE[path]), run));
  const sides = Object.fromEntries(Object.entries(edits).map(([path, after]) => [path, { before: BASE[path] ?? "", after }]));
  const whole: Operation = commit(sides);
  return [...decisions, (await gate.judge(whole, run)).decision];
}
