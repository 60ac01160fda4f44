import { describe, expect, it } from "vitest";
import type { Entry } from "./npm-world.ts";
import { depend, judge, lock, LOCK, manifest, MANIFEST, registry } from "./npm-world.ts";
import { hash, json, verdictOf } from "./supply-chain.ts";

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

  it.each<[string, Entry]>([
    ["a folder of the repository", { resolved: "packages/evil", link: true, version: "4.17.21" }],
    ["a part of another package", { version: "4.17.21", inBundle: true }],
  ])("asks about a package that becomes %s", async (_, entry) => {
    expect(
      verdictOf(
        await judge({
          "package-lock.json": lock((packages) => {
            packages["node_modules/lodash"] = entry;
          }),
        }),
      ),
    ).toBe("ask");
  });

  it("says when a new lockfile has no hashes", async () => {
    const bare = lock((packages) => {
      for (const entry of Object.values(packages)) delete entry["integrity"];
    });
    const findings = await judge({ "package-lock.json": bare }, { "package.json": MANIFEST });
    expect(findings.filter(({ rule, severity }) => rule === "lockfiles" && severity === "warn")).toHaveLength(1);
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
