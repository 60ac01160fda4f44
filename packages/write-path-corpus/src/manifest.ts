/** The package.json of the base that rows build on. */
export const MANIFEST = `${JSON.stringify(
  {
    name: "app",
    version: "1.2.3",
    private: true,
    scripts: { build: "node build.mjs" },
    dependencies: { lodash: "4.17.21", react: "^18.2.0", semver: "^7.5.0", "@acme-internal/util": "^1.4.0" },
    devDependencies: { vitest: "1.6.0" },
  },
  null,
  2,
)}\n`;
