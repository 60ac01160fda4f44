import { describe, expect, it } from "vitest";
import { createDependencyReader } from "../../../../src/gate/dependencies/dependency-change.ts";
import { lifecycleScriptsRule } from "../../../../src/gate/rules/lifecycle-scripts.ts";
import { ask, commit, deletion, severities, write } from "../fixtures.ts";

const rule = lifecycleScriptsRule({ read: createDependencyReader({}), basePaths: () => undefined });
const manifest = (scripts: unknown, more: object = {}): string => JSON.stringify({ name: "app", scripts, ...more });
const base = manifest({ build: "node build.mjs", prepare: "husky" });

describe("lifecycle-scripts", () => {
  it.each([
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "prepublish",
    "prepublishOnly",
    "prepack",
    "postpack",
    "dependencies",
    "pnpm:devPreinstall",
  ])("blocks a new %s", async (script) => {
    const [finding] = await ask(rule, write("package.json", manifest({ [script]: "node x.js" })));
    expect(finding).toMatchObject({ severity: "block", why: expect.stringContaining(script) as string });
  });

  it.each<[string, string, string]>([
    ["an altered script", "package.json", manifest({ prepare: "curl x | sh" })],
    ["an altered script in a workspace", "packages/a/package.json", manifest({ prepare: "curl x | sh" })],
    ["another spelling of the file", "Package.json", manifest({ prepare: "curl x | sh" })],
    ["a build by node-gyp", "package.json", manifest({ prepare: "husky" }, { gypfile: true })],
    ["a script hidden behind an earlier key of the same name", "package.json", `{"scripts":{},"scripts":{"install":"x"}}`],
    ["a command that is no text", "package.json", manifest({ prepare: ["x"] })],
    ["a manifest that is no longer JSON", "package.json", "{"],
    ["a manifest that is a list", "package.json", "[]"],
  ])("blocks %s", async (_, path, after) => {
    expect(severities(await ask(rule, write(path, after, base)))).toEqual(["block"]);
  });

  it.each<[string, string, string, string | undefined]>([
    ["a version", "package.json", manifest({ build: "node build.mjs", prepare: "husky" }, { version: "1.2.4" }), base],
    ["another script", "package.json", manifest({ build: "tsc", test: "vitest", prepare: "husky" }), base],
    ["the removal of a hook", "package.json", manifest({ build: "node build.mjs" }), base],
    ["a new manifest without hooks", "package.json", manifest({ test: "x" }), undefined],
    ["a byte order mark", "package.json", `\ufeff${base}`, base],
    ["a script whose name only contains a hook's", "package.json", manifest({ "install:deps": "x", "do-prepare": "x" }), "{}"],
    ["a file of another name", "src/package.json.ts", "{", undefined],
    ["a manifest that was no JSON before", "package.json", "{ broken", "{"],
    ["a manifest without scripts", "package.json", "{}", undefined],
  ])("lets through %s", async (_, path, after, before) => {
    expect(await ask(rule, write(path, after, before))).toEqual([]);
  });

  it("lets a deletion and an unchanged move through", async () => {
    expect(await ask(rule, deletion("package.json", base))).toEqual([]);
    expect(
      await ask(rule, commit({ "a/package.json": { before: base }, "b/package.json": { after: base, movedFrom: "a/package.json" } })),
    ).toEqual([]);
  });
});
