import { describe, expect, it } from "vitest";
import { edited, hash, json, judgeChange, verdictOf } from "./supply-chain.ts";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [key: string]: unknown;
}
type Entry = Record<string, unknown>;
interface Lock {
  packages: Record<string, Entry>;
}

const MANIFEST = json({
  name: "app",
  version: "1.2.3",
  scripts: { build: "tsc" },
  dependencies: { lodash: "4.17.21", react: "^18.2.0", "@acme-internal/util": "^1.4.0" },
  devDependencies: { vitest: "1.6.0", ts7: "npm:typescript@7.0.2" },
});
const registry = (name: string, version: string, letter: string, more: Entry = {}): Entry => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`,
  integrity: hash(letter),
  ...more,
});
const LOCK = json({
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
const manifest = (change: (value: Manifest) => void): string => edited(MANIFEST, change as never);
const lock = (change: (packages: Record<string, Entry>) => void): string =>
  edited(LOCK, ((value: Lock) => change(value.packages)) as never);
const depend = (name: string, spec: string): string => manifest(({ dependencies }) => void (dependencies[name] = spec));
const base = { "package.json": MANIFEST, "package-lock.json": LOCK };
const judge = (change: Readonly<Record<string, string | undefined>>, at: Readonly<Record<string, string>> = base) =>
  judgeChange({ base: at, change });

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

describe("package-lock.json", () => {
  const set = (key: string, values: Entry): string => lock((packages) => void Object.assign(packages[key] ?? {}, values));

  it.each<[string, string, string]>([
    ["an address on another host", set("node_modules/lodash", { resolved: "https://evil.test/x.tgz" }), "registries"],
    [
      "a plain http address",
      set("node_modules/lodash", { resolved: "http://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz" }),
      "registries",
    ],
    [
      "an address with a user name",
      set("node_modules/lodash", { resolved: "https://registry.npmjs.org@evil.test/lodash/-/lodash-4.17.21.tgz" }),
      "registries",
    ],
    ["a git repository", set("node_modules/lodash", { resolved: "git+ssh://git@github.com/evil/lodash.git#aaaa" }), "registries"],
    [
      "another package's address",
      set("node_modules/lodash", { resolved: "https://registry.npmjs.org/lodahs/-/lodahs-4.17.21.tgz" }),
      "lockfiles",
    ],
    [
      "another version's address",
      set("node_modules/lodash", { resolved: "https://registry.npmjs.org/lodash/-/lodash-4.17.20.tgz" }),
      "lockfiles",
    ],
    ["another hash", set("node_modules/lodash", { integrity: hash("Z") }), "lockfiles"],
    ["one hash more", set("node_modules/lodash", { integrity: `${hash("A")} ${hash("Z")}` }), "lockfiles"],
    ["a weaker hash", set("node_modules/lodash", { integrity: "sha1-aaaaaaaaaaaaaaaaaaaaaaaaaaa=" }), "lockfiles"],
    ["a hash left out", lock((packages) => void delete packages["node_modules/lodash"]?.["integrity"]), "lockfiles"],
    [
      "a new version without a hash",
      lock((packages) => {
        packages["node_modules/lodash"] = { version: "4.17.22" };
      }),
      "lockfiles",
    ],
    ["an install script on a version that had none", set("node_modules/loose-envify", { hasInstallScript: true }), "lifecycle-scripts"],
    [
      "a private package from the public registry",
      set("node_modules/@acme-internal/util", {
        version: "1.5.0",
        resolved: "https://registry.npmjs.org/@acme-internal/util/-/util-1.5.0.tgz",
        integrity: hash("H"),
      }),
      "registries",
    ],
    [
      "a package that nobody requires",
      lock((packages) => {
        packages["node_modules/evil"] = registry("evil", "1.0.0", "H");
      }),
      "lockfiles",
    ],
    [
      "a package under another's name",
      lock((packages) => {
        packages["node_modules/lodash"] = registry("evil", "4.17.21", "H", { name: "evil" });
      }),
      "lockfiles",
    ],
    [
      "a requirement that the manifest does not have",
      lock((packages) => {
        Object.assign(packages[""] ?? {}, {
          dependencies: { lodash: "4.17.21", react: "^18.2.0", "@acme-internal/util": "^1.4.0", evil: "1.0.0" },
        });
        packages["node_modules/evil"] = registry("evil", "1.0.0", "H");
      }),
      "lockfiles",
    ],
    [
      "a version that the manifest does not allow",
      lock((packages) => {
        packages["node_modules/react"] = registry("react", "19.0.0", "H", { dependencies: { "loose-envify": "^1.1.0" } });
      }),
      "lockfiles",
    ],
    [
      "a key that stands twice",
      LOCK.replace('"node_modules/lodash": {', '"node_modules/lodash": {}, "node_modules/lodash": {'),
      "manifests",
    ],
  ])("blocks %s", async (_, after, rule) => {
    const findings = await judge({ "package-lock.json": after });
    expect(findings.filter(({ severity }) => severity === "block").map((one) => one.rule)).toContain(rule);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      "an update of both files",
      {
        "package.json": manifest(({ devDependencies }) => void (devDependencies["vitest"] = "1.6.1")),
        "package-lock.json": lock((packages) => {
          Object.assign(packages[""] ?? {}, { devDependencies: { vitest: "1.6.1", ts7: "npm:typescript@7.0.2" } });
          packages["node_modules/vitest"] = registry("vitest", "1.6.1", "H", { dev: true, hasInstallScript: true });
        }),
      },
    ],
    [
      "an update inside the range",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/react"] = registry("react", "18.3.1", "H", { dependencies: { "loose-envify": "^1.1.0" } });
        }),
      },
    ],
    [
      "an update of what another package requires",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/loose-envify"] = registry("loose-envify", "1.4.1", "H");
        }),
      },
    ],
    [
      "a package that an updated one requires",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/react"] = registry("react", "18.3.1", "H", { dependencies: { "js-tokens": "^4.0.0" } });
          packages["node_modules/js-tokens"] = registry("js-tokens", "4.0.0", "I");
          delete packages["node_modules/loose-envify"];
        }),
      },
    ],
    [
      "a second name that another package asks for",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/react"] = registry("react", "18.3.1", "H", {
            dependencies: { "string-width-cjs": "npm:string-width@^4.2.0" },
          });
          packages["node_modules/string-width-cjs"] = registry("string-width", "4.2.3", "I", { name: "string-width" });
        }),
      },
    ],
    [
      "another private version from where it came before",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/@acme-internal/util"] = {
            version: "1.5.0",
            resolved: "https://npm.acme.test/@acme-internal/util/-/util-1.5.0.tgz",
            integrity: hash("H"),
          };
        }),
      },
    ],
    [
      "the same package at another place",
      {
        "package-lock.json": lock((packages) => {
          packages["node_modules/react/node_modules/loose-envify"] = packages["node_modules/loose-envify"] ?? {};
        }),
      },
    ],
    [
      "addresses left out",
      {
        "package-lock.json": lock((packages) => {
          for (const entry of Object.values(packages)) delete entry["resolved"];
        }),
      },
    ],
  ])("lets through %s", async (_, change) => {
    expect((await judge(change)).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it("shows a new package that runs a script when it is installed", async () => {
    const change = {
      "package.json": depend("esbuild", "0.20.0"),
      "package-lock.json": lock((packages) => {
        Object.assign(packages[""]?.["dependencies"] ?? {}, { esbuild: "0.20.0" });
        packages["node_modules/esbuild"] = registry("esbuild", "0.20.0", "H", { hasInstallScript: true });
      }),
    };
    const findings = await judge(change);
    expect(verdictOf(findings)).toBe("warn");
    expect(findings).toContainEqual(expect.objectContaining({ rule: "lifecycle-scripts", severity: "warn" }));
  });

  it("says that a deleted lockfile pins nothing any more", async () => {
    expect(verdictOf(await judge({ "package-lock.json": undefined }))).toBe("warn");
  });

  it.each([1, 2])("reads version %i, where entries stand in entries", async (version) => {
    const tree = json({
      lockfileVersion: version,
      dependencies: {
        a: {
          version: "1.0.0",
          resolved: "https://registry.npmjs.org/a/-/a-1.0.0.tgz",
          integrity: hash("A"),
          requires: { b: "^1" },
          dependencies: { b: { version: "1.0.0", integrity: hash("B") } },
        },
      },
    });
    const swapped = tree.replace(hash("B"), hash("Z"));
    expect(await judge({ "package-lock.json": swapped }, { "package-lock.json": tree })).toMatchObject([
      { rule: "lockfiles", severity: "block" },
    ]);
  });
});
