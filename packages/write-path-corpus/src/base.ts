import { MANIFEST } from "./manifest.ts";

/** A hash as npm writes it: no archive has it. */
export const hashOf = (letter: string): string => `sha512-${letter.repeat(86)}==`;

/** An entry of package-lock.json for a package from npm's registry. */
export const entry = (name: string, version: string, letter: string, more: object = {}): object => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`,
  integrity: hashOf(letter),
  ...more,
});

export const { name, version, dependencies, devDependencies } = JSON.parse(MANIFEST) as Record<string, object>;
export const PACKAGES: Readonly<Record<string, object>> = {
  "": { name, version, dependencies, devDependencies },
  "node_modules/@acme-internal/util": entry("@acme-internal/util", "1.4.2", "U"),
  "node_modules/lodash": entry("lodash", "4.17.21", "L"),
  "node_modules/loose-envify": entry("loose-envify", "1.4.0", "E"),
  "node_modules/react": entry("react", "18.2.0", "R", { dependencies: { "loose-envify": "^1.1.0" } }),
  "node_modules/semver": entry("semver", "7.5.4", "S"),
  "node_modules/vitest": entry("vitest", "1.6.0", "V", { dev: true }),
};
export const lock = (packages: Readonly<Record<string, object>>): string =>
  `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;

export const PNPM = `lockfileVersion: '9.0'

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
export const YARN = `# yarn lockfile v1


lodash@4.17.21:
  version "4.17.21"
  resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"
  integrity ${hashOf("L")}
`;

/** The files of the base that rows build on, by their paths. */
export const BASE: Readonly<Record<string, string>> = {
  "package.json": MANIFEST,
  "package-lock.json": lock(PACKAGES),
  "pnpm-lock.yaml": PNPM,
  "yarn.lock": YARN,
};
