import { edited, hash, json, judgeChange } from "./supply-chain.ts";

export interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [key: string]: unknown;
}
export type Entry = Record<string, unknown>;
export interface Lock {
  packages: Record<string, Entry>;
}

export const MANIFEST = json({
  name: "app",
  version: "1.2.3",
  scripts: { build: "tsc" },
  dependencies: { lodash: "4.17.21", react: "^18.2.0", "@acme-internal/util": "^1.4.0" },
  devDependencies: { vitest: "1.6.0", ts7: "npm:typescript@7.0.2" },
});
export const registry = (name: string, version: string, letter: string, more: Entry = {}): Entry => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`,
  integrity: hash(letter),
  ...more,
});
export const LOCK = json({
  name: "app",
  lockfileVersion: 3,
  packages: {
    "": {
      name: "app",
      version: "1.2.3",
      dependencies: { lodash: "4.17.21", react: "^18.2.0", "@acme-internal/util": "^1.4.0" },
      devDependencies: { vitest: "1.6.0", ts7: "npm:typescript@7.0.2" },
    },
    "node_modules/lodash": registry("lodash", "4.17.21", "A"),
    "node_modules/react": registry("react", "18.2.0", "B", { dependencies: { "loose-envify": "^1.1.0" } }),
    "node_modules/loose-envify": registry("loose-envify", "1.4.0", "C"),
    "node_modules/@acme-internal/util": {
      version: "1.4.2",
      resolved: "https://npm.acme.test/@acme-internal/util/-/util-1.4.2.tgz",
      integrity: hash("E"),
    },
    "node_modules/vitest": registry("vitest", "1.6.0", "F", { dev: true, hasInstallScript: true }),
    "node_modules/ts7": registry("typescript", "7.0.2", "G", { name: "typescript", dev: true }),
  },
});
export const manifest = (change: (value: Manifest) => void): string => edited(MANIFEST, change as never);
export const lock = (change: (packages: Record<string, Entry>) => void): string =>
  edited(LOCK, ((value: Lock) => change(value.packages)) as never);
export const depend = (name: string, spec: string): string => manifest(({ dependencies }) => void (dependencies[name] = spec));
const base = { "package.json": MANIFEST, "package-lock.json": LOCK };
export const judge = (change: Readonly<Record<string, string | undefined>>, at: Readonly<Record<string, string>> = base) =>
  judgeChange({ base: at, change });
