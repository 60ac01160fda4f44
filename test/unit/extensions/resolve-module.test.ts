import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, test } from "vitest";
import { resolveModule } from "../../../src/extensions/resolve-module.ts";
import { folderOf } from "./modules.ts";

const PACKAGES: Readonly<Record<string, object>> = {
  conditions: {
    exports: { ".": { types: "./index.d.ts", require: "./index.cjs", import: "./in/import.mjs", default: "./in/default.mjs" } },
  },
  "node-first": { exports: { node: "./in/node.mjs", default: "./in/default.mjs" } },
  nested: { exports: { ".": { browser: "./in/no.mjs", default: { require: "./index.cjs", default: "./in/default.mjs" } } } },
  list: { exports: [{ browser: "./in/no.mjs" }, "./in/default.mjs"] },
  "main-only": { main: "in/main" },
  "main-folder": { main: "./in" },
  "main-gone": { main: "./gone.js" },
  bare: {},
  "only-types": { exports: { types: "./index.d.ts" } },
  "exports-gone": { exports: "./gone.mjs", main: "./index.js" },
};
const INSIDE = ["in/import.mjs", "in/default.mjs", "in/node.mjs", "in/no.mjs", "in/main.js", "in/index.js", "index.js", "index.cjs"];

describe("the entry of a package", () => {
  test.each([
    ["conditions", "in/import.mjs"],
    ["node-first", "in/node.mjs"],
    ["nested", "in/default.mjs"],
    ["list", "in/default.mjs"],
    ["main-only", "in/main.js"],
    ["main-folder", "in/index.js"],
    ["main-gone", "index.js"],
    ["bare", "index.js"],
    ["only-types", "index.js"],
    ["exports-gone", undefined],
  ])("%s is %s", (name, entry) => {
    const folder = folderOf({
      [`node_modules/${name}/package.json`]: JSON.stringify(PACKAGES[name]),
      ...Object.fromEntries(INSIDE.map((path) => [`node_modules/${name}/${path}`, ""])),
    });
    const found = resolveModule(name, { folder, searchPaths: [] });
    expect(found).toBe(entry === undefined ? undefined : pathToFileURL(join(folder, "node_modules", name, entry)).href);
  });
});

describe("a name", () => {
  const named = (files: Readonly<Record<string, string>>, specifier: string, searchPaths: readonly string[] = []) => {
    const folder = folderOf(files);
    const found = resolveModule(specifier, { folder, searchPaths });
    return found?.replace(pathToFileURL(folder).href, "");
  };
  const packageAt = (path: string) => ({ [`${path}/package.json`]: '{"main":"main.js"}', [`${path}/main.js`]: "" });

  it("is looked for in the search paths in their order, then in node_modules", () => {
    const everywhere = { ...packageAt("one/x"), ...packageAt("two/node_modules/x"), ...packageAt("node_modules/x") };
    expect(named(everywhere, "x", ["two", "one"])).toBe("/two/node_modules/x/main.js");
    expect(named(everywhere, "x", ["none", "one"])).toBe("/one/x/main.js");
    expect(named(everywhere, "x")).toBe("/node_modules/x/main.js");
  });

  it("may be that of a file of the working folder, or of a package whose name ends like one", () => {
    expect(named({ "plain.mjs": "" }, "plain.mjs")).toBe("/plain.mjs");
    expect(named({ "plain.js": "", ...packageAt("node_modules/plain.js") }, "plain.js")).toBe("/node_modules/plain.js/main.js");
  });

  it.each([
    ["a folder without a package", { "lib/x.txt": "" }, "./lib"],
    ["a folder that is named like a file", { "lib.mjs/x.txt": "" }, "./lib.mjs"],
    ["a file that is not there", {}, "./gone.mjs"],
    ["no URL", {}, "file://%"],
    ["a URL that leads nowhere", {}, "file:///nowhere/at/all.mjs"],
    ["a package that is nowhere", {}, "@acme/gone"],
    ["a package without an entry", { "node_modules/empty/package.json": "{}" }, "empty"],
    ["nothing", {}, ""],
  ])("of %s leads nowhere", (_, files, specifier) => {
    expect(named(files, specifier)).toBeUndefined();
  });
});
