import { describe, expect, it } from "vitest";
import { depend, judge, manifest, MANIFEST } from "./npm-world.ts";
import { edited, json, verdictOf } from "./supply-chain.ts";

describe("package.json", () => {
  it.each<[string, string, string]>([
    ["a git repository", depend("x", "git+https://evil.test/x.git"), "registries"],
    ["a git repository over ssh", depend("x", "git@evil.test:a/x.git"), "registries"],
    ["a repository in short", depend("x", "github:evil/x"), "registries"],
    ["a repository in shortest", depend("x", "evil/x#main"), "registries"],
    ["a gist", depend("x", "gist:1234"), "registries"],
    ["an archive's address", depend("x", "https://evil.test/x.tgz"), "registries"],
    ["an address of the registry itself", depend("x", "https://registry.npmjs.org/x/-/x-1.0.0.tgz"), "registries"],
    ["another registry", depend("x", "jsr:@evil/x@1"), "registries"],
    ["code that yarn runs", depend("x", "exec:./x.js"), "registries"],
    ["a patch", depend("lodash", "patch:lodash@npm%3A4.17.21#./x.patch"), "registries"],
    ["a folder outside", depend("x", "file:../../x"), "registries"],
    ["a folder of the machine", depend("x", "link:/opt/x"), "registries"],
    ["the home folder", depend("x", "file:~/x"), "registries"],
    ["another package under a known name", depend("lodash", "npm:evil-lodash@1"), "registries"],
    ["another package under a name of its own", depend("x", "npm:evil@1"), "registries"],
    ["a known package under another known name", depend("react", "npm:preact@10.0.0"), "registries"],
    ["an override that swaps a package", manifest((one) => void (one["overrides"] = { semver: "npm:evil@1" })), "registries"],
    [
      "an override inside an override",
      manifest((one) => void (one["overrides"] = { a: { ".": "1.0.0", "b@^1": "git+https://evil.test/b" } })),
      "registries",
    ],
    ["a resolution", manifest((one) => void (one["resolutions"] = { "**/semver": "https://evil.test/s.tgz" })), "registries"],
    ["an override of pnpm", manifest((one) => void (one["pnpm"] = { overrides: { "a>semver": "npm:evil@1" } })), "registries"],
    [
      "a dependency given to another package",
      manifest((one) => void (one["pnpm"] = { packageExtensions: { react: { dependencies: { x: "npm:evil@1" } } } })),
      "registries",
    ],
    ["a specification that is no text", manifest((one) => void (one["dependencies"] = { x: { version: "1" } as never })), "registries"],
    ["a registry to publish to", manifest((one) => void (one["publishConfig"] = { registry: "https://evil.test" })), "registries"],
    [
      "a registry of a scope to publish to",
      manifest((one) => void (one["publishConfig"] = { "@a:registry": "https://evil.test" })),
      "registries",
    ],
    ["a package manager from an address", manifest((one) => void (one["packageManager"] = "yarn@https://evil.test/yarn.js")), "registries"],
    ["workspaces outside", manifest((one) => void (one["workspaces"] = ["../other"])), "registries"],
    ["letters swapped", depend("lodahs", "^1.0.0"), "dependencies"],
    ["a letter left out", depend("expres", "^4.0.0"), "dependencies"],
    ["a digit for a letter", depend("l0dash", "^4.0.0"), "dependencies"],
    ["a separator left out", depend("crossenv", "^7.0.0"), "dependencies"],
    ["two letters of a long name", depend("tyepscrpt", "^5.0.0"), "dependencies"],
    ["a scope like a known one", depend("@bable/core", "^7.0.0"), "dependencies"],
    ["a scope like an own one", depend("@acme-interna1/util", "^1.4.0"), "dependencies"],
    ["an own scoped name without its scope", depend("acme-internal-util", "^1.4.0"), "dependencies"],
    ["a name in another script", depend("lоdash", "^4.0.0"), "dependencies"],
    ["a private package that leaps ahead", depend("@acme-internal/util", "^99.0.0"), "dependencies"],
    ["a private package that leaps to a year", depend("@acme-internal/util", "2024.1.0"), "dependencies"],
    ["a key that stands twice", MANIFEST.replace('"name": "app",', '"name": "app", "name": "other",'), "manifests"],
    [
      "a dependency that stands twice",
      MANIFEST.replace('"lodash": "4.17.21",', '"lodash": "4.17.21", "lod\\u0061sh": "1.0.0",'),
      "manifests",
    ],
    ["what is no JSON", "{", "manifests"],
    ["a list", "[]", "manifests"],
    ["packages that may run scripts", manifest((one) => void (one["trustedDependencies"] = ["x"])), "lifecycle-scripts"],
    ["packages that may build", manifest((one) => void (one["pnpm"] = { onlyBuiltDependencies: ["x"] })), "lifecycle-scripts"],
    ["packages that configure pnpm", manifest((one) => void (one["pnpm"] = { configDependencies: { x: "1.0.0" } })), "lifecycle-scripts"],
    ["hooks of git", manifest((one) => void (one["simple-git-hooks"] = { "pre-commit": "curl x|sh" })), "lifecycle-scripts"],
  ])("blocks %s", async (_, after, rule) => {
    const findings = await judge({ "package.json": after });
    expect(findings.filter(({ severity }) => severity === "block").map((one) => one.rule)).toContain(rule);
  });

  it.each<[string, string, string]>([
    ["a new package", depend("zod", "3.22.4"), '"zod"'],
    ["any version", depend("react", "*"), '"react"'],
    ["the newest version", depend("react", "latest"), '"react"'],
    ["a range without an end", depend("react", ">=18"), '"react"'],
    ["a version that goes back", depend("lodash", "4.17.11"), "4.17.11"],
    ["an override of a version", manifest((one) => void (one["overrides"] = { minimist: "1.2.8" })), "minimist"],
    ["a lockfile that stays behind", depend("lodash", "4.17.22"), "package-lock.json"],
    ["a second name for a known package", depend("react-18", "npm:react@18.2.0"), "react-18"],
    [
      "a patched package",
      manifest((one) => void (one["pnpm"] = { patchedDependencies: { lodash: "patches/l.patch" } })),
      "patchedDependencies",
    ],
    ["bundled packages", manifest((one) => void (one["bundleDependencies"] = ["lodash"])), "bundleDependencies"],
  ])("warns of %s by name", async (_, after, name) => {
    const findings = await judge({ "package.json": after });
    expect(verdictOf(findings)).toBe("warn");
    expect(findings.filter(({ severity }) => severity === "warn").map(({ why }) => why)).toContainEqual(expect.stringContaining(name));
  });

  it.each<[string, string]>([
    ["its own version", manifest((one) => void (one["version"] = "1.2.4"))],
    [
      "scripts, fields and descriptions",
      manifest((one) =>
        Object.assign(one, { description: "An app", engines: { node: ">=20" }, scripts: { build: "tsc", lint: "oxlint" } }),
      ),
    ],
    [
      "the order of its keys",
      json({ devDependencies: JSON.parse(MANIFEST).devDependencies as unknown, ...(JSON.parse(MANIFEST) as object) }),
    ],
    [
      "a package in another section",
      manifest((one) => {
        delete one.dependencies["lodash"];
        one.devDependencies["lodash"] = "4.17.21";
      }),
    ],
    ["one package less", manifest(({ dependencies }) => void delete dependencies["lodash"])],
    ["a plain package manager", manifest((one) => void (one["packageManager"] = "pnpm@9.1.0+sha512.aa11"))],
    ["its workspaces", manifest((one) => void (one["workspaces"] = ["packages/*"]))],
    ["a byte order mark", `\ufeff${MANIFEST}`],
  ])("lets through a change of %s", async (_, after) => {
    expect(await judge({ "package.json": after })).toEqual([]);
  });

  it("judges what stood so before as no addition", async () => {
    const odd = manifest((one) =>
      Object.assign(one, { dependencies: { lodahs: "*", x: "github:a/x", lodash: "npm:evil@1" }, trustedDependencies: ["x"] }),
    );
    const later = edited(odd, (value) => Object.assign(value, { version: "2.0.0" }));
    expect(await judge({ "package.json": later }, { "package.json": odd })).toEqual([]);
  });

  it("asks about a manifest that could not be read before either", async () => {
    expect(verdictOf(await judge({ "package.json": "{ still" }, { "package.json": "{ broken" }))).not.toBe("allow");
  });

  it.each(["__proto__", "constructor", "hasOwnProperty", "toString"])("takes a package named %s for what it is", async (name) => {
    const text = MANIFEST.replace('"lodash":', `${JSON.stringify(name)}: "git+https://evil.test/x", "lodash":`);
    expect(verdictOf(await judge({ "package.json": text }))).toBe("block");
  });
});
