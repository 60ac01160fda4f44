import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { ExtensionHost } from "../../../src/extensions/host.ts";
import { secretReader } from "../../../src/extensions/secret.ts";
import { extension, folderOf, listening, load, tool } from "./modules.ts";

describe("a module is found", () => {
  const files = {
    "one two.mjs": extension("by-url", tool("from_url")),
    "relative.mjs": extension("by-path", tool("from_path")),
    "folder/package.json": '{"name":"x","type":"module","exports":{".":{"import":"./lib/main.js"}}}',
    "folder/lib/main.js": extension("by-folder", tool("from_folder")),
    "shelf/named/package.json": '{"main":"./index.mjs"}',
    "shelf/named/index.mjs": extension("by-name", tool("from_name")),
    "shelf/node_modules/@acme/deep/package.json": '{"exports":"./index.mjs"}',
    "shelf/node_modules/@acme/deep/index.mjs": extension("by-scope", tool("from_scope")),
  };
  test("by file URL, by path, as a folder, and by package name in a search path", async () => {
    const folder = folderOf(files);
    const modules = [pathToFileURL(join(folder, "one two.mjs")).href, "./relative.mjs", join(folder, "folder"), "named", "@acme/deep"];
    const host = await load(folder, modules, { searchPaths: ["shelf"] });
    expect(host.tools().map(({ name, owner }) => [name, owner])).toEqual([
      ["from_url", "by-url"],
      ["from_path", "by-path"],
      ["from_folder", "by-folder"],
      ["from_name", "by-name"],
      ["from_scope", "by-scope"],
    ]);
  });

  test("once, however often it is named", async () => {
    const folder = folderOf(files);
    expect((await load(folder, ["./relative.mjs", "./relative.mjs"])).tools()).toHaveLength(1);
  });
});

describe("what is wrong with a module", () => {
  const rows: readonly (readonly [what: string, source: string, why: RegExp])[] = [
    ["throws", extension("bad", "throw new Error('no token in DEPLOY_TOKEN')"), /bad: no token in DEPLOY_TOKEN/],
    ["rejects", extension("bad", "return Promise.reject(new Error('no answer'))"), /bad: no answer/],
    ["has no default export", "export const x = 1", /default export is no extension/],
    ["cannot be parsed", "export default {{{", /the-module\.mjs cannot be loaded/],
    ["has no name of its own", extension("Not Kebab"), /its name is "Not Kebab"/],
    ["has no register", "export default { name: 'half' }", /half has no register/],
    ["takes the name of a built-in tool", extension("bad", tool("read_file")), /there is a tool named read_file already/],
    ["names a tool twice", extension("bad", tool("twice") + tool("twice")), /there is a tool named twice already/],
    ["names a tool as no model can", extension("bad", tool("Not-Snake")), /cannot be named "Not-Snake"/],
    [
      "gives no schema",
      extension("bad", "bot.addTool({ name: 'bare', description: 'x', effect: 'read', handler: () => 'x' })"),
      /bare needs parameters/,
    ],
    [
      "gives the schema of no object",
      extension("bad", "bot.addTool({ name: 'bare', description: 'x', parameters: { type: 'string' }, effect: 'read', handler() {} })"),
      /bare needs parameters/,
    ],
    [
      "has an unknown effect",
      extension("bad", "bot.addTool({ name: 'odd', description: 'x', parameters: {}, effect: 'both', handler() {} })"),
      /odd needs an effect/,
    ],
    ["hooks into nothing", extension("bad", "bot.addFilter('tools.registration', (x) => x)"), /no filter "tools\.registration"/],
    [
      "takes the name of a rule",
      extension("bad", "bot.addRule({ name: 'secrets', applies: ['commit'], check: () => [] })"),
      /gate rule named secrets already/,
    ],
    ["serves no path", extension("bad", "bot.addRoute('ping', () => {})"), /"ping" is no path/],
    [
      "has a service that does not start",
      extension("bad", "bot.addService({ name: 'pump', start() { throw new Error('dry') }, stop() {} })"),
      /its service did not start: dry/,
    ],
  ];
  test.each(rows)("stops the start and is named: one that %s", async (_, source, why) => {
    const folder = folderOf({ "the-module.mjs": source });
    await expect(load(folder, ["./the-module.mjs"])).rejects.toThrow(why);
  });

  test.each(rows)("is left out whole with on_error skip, and said: one that %s", async (_, source, why) => {
    const folder = folderOf({ "the-module.mjs": source, "fine.mjs": extension("fine", tool("works")) });
    const log = listening();
    const host = await load(folder, ["./the-module.mjs", "./fine.mjs"], { onError: "skip", log });
    expect(host.tools().map(({ name }) => name)).toEqual(["works"]);
    expect([host.rules, host.routes]).toEqual([[], []]);
    expect(log.warnings.join("\n")).toMatch(why);
  });

  it("that is nowhere is named in one line", async () => {
    const failed = await load(folderOf({}), ["./not-there.mjs"]).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: "The extension ./not-there.mjs cannot be loaded: it is not there." });
  });

  it("and keeps the first of two extensions of one name", async () => {
    const folder = folderOf({ "a.mjs": extension("same", tool("one")), "b.mjs": extension("same", tool("two")) });
    await expect(load(folder, ["./a.mjs", "./b.mjs"])).rejects.toThrow(/another extension is named same/);
  });

  it("stops what other extensions had started", async () => {
    const folder = folderOf({
      "a.mjs": extension(
        "first",
        "bot.addService({ name: 'pump', start() { globalThis.pump = 'on' }, stop() { globalThis.pump = 'off' } })",
      ),
      "b.mjs": extension("second", "bot.addService({ name: 'dry', start() { throw new Error('dry') }, stop() {} })"),
    });
    await expect(load(folder, ["./a.mjs", "./b.mjs"])).rejects.toThrow(/dry/);
    expect((globalThis as { pump?: string }).pump).toBe("off");
  });
});

describe("an extension's own configuration", () => {
  const zod = `import { createRequire } from "node:module"; const { z } = createRequire(${JSON.stringify(import.meta.url)})("zod");\n`;
  const source =
    zod +
    extension(
      "deploy",
      tool("where", "bot.config.region + ' ' + bot.config.retries"),
      "config: z.object({ region: z.string(), retries: z.number().default(3) }),",
    );
  it("is checked by its schema, also one of another copy of zod, and gets its defaults", async () => {
    const host = await load(folderOf({ "a.mjs": source }), ["./a.mjs"], { config: { deploy: { region: "eu-1" } } });
    expect(await host.tools()[0]?.handler({}, {} as never)).toEqual({ status: "ok", text: "eu-1 3" });
  });
  it.each([
    ["a wrong type", { region: "eu", retries: "many" }, /extensions\.config\.deploy\.retries: /],
    ["a missing key", {}, /extensions\.config\.deploy\.region: /],
  ])("names extension and key of %s", async (_, value, why) => {
    await expect(load(folderOf({ "a.mjs": source }), ["./a.mjs"], { config: { deploy: value } })).rejects.toThrow(why);
  });
});

describe("an extension's secrets", () => {
  const asking = (variable: unknown): Promise<ExtensionHost> =>
    load(
      folderOf({
        "a.mjs": extension("deploy", `const token = bot.secret(${JSON.stringify(variable)}); ${tool("length", "String(token.length)")}`),
      }),
      ["./a.mjs"],
    );

  it("come from the environment, by the variable's name", async () => {
    expect(await (await asking("ACME_TOKEN")).tools()[0]?.handler({}, {} as never)).toEqual({ status: "ok", text: "16" });
  });

  it("stop the start where the variable is not set, and say its name", async () => {
    await expect(asking("OTHER_TOKEN")).rejects.toThrow("deploy: the environment variable OTHER_TOKEN is not set");
  });

  it.each(["ghp_abcdef0123456789", "", null, 7])("are not taken by value, and not repeated: %j", async (value) => {
    const fault = await asking(value).catch((error: Error) => error.message);
    expect(fault).toMatch(/by the name of an environment variable, such as DEPLOY_TOKEN/);
    expect(fault).not.toContain("ghp_");
  });

  it("are held from then on", () => {
    const held: string[] = [];
    secretReader({ variables: { ACME_TOKEN: "acme-token-value" }, hold: (value) => held.push(value) })("ACME_TOKEN");
    expect(held).toEqual(["acme-token-value"]);
  });
});

describe("what is registered", () => {
  it("is over once register has ended", async () => {
    const folder = folderOf({ "a.mjs": extension("late", `globalThis.later = bot; ${tool("soon")}`) });
    await load(folder, ["./a.mjs"]);
    const { later } = globalThis as unknown as { readonly later: { addRoute(path: string, handler: () => void): void } };
    expect(() => later.addRoute("/x", () => undefined)).toThrow(/only while its register\(\) is at work/);
  });

  it("serves pages in the app alone, and runs services where they belong", async () => {
    const body =
      "bot.addRoute('/ping', () => new Response('pong')); bot.addService({ name: 'here', on: ['worker'], start() { globalThis.here = bot.entrypoint }, stop() {} })";
    const folder = folderOf({ "a.mjs": extension("both", body) });
    expect((await load(folder, ["./a.mjs"], { entrypoint: "worker" })).routes).toEqual([]);
    expect((globalThis as { here?: string }).here).toBe("worker");
  });

  it("can be a tool of the running instance, whose name must be free", async () => {
    const host = await load(folderOf({ "a.mjs": extension("fine", tool("works")) }), ["./a.mjs"]);
    const binding = { name: "embedded", description: "x", parameters: {}, effect: "read", handler: () => "y" } as const;
    const remove = host.addTool(binding);
    expect(host.tools().map(({ name }) => name)).toEqual(["works", "embedded"]);
    for (const name of ["embedded", "works", "read_file"]) expect(() => host.addTool({ ...binding, name })).toThrow(/already/);
    remove();
    expect(host.tools()).toHaveLength(1);
  });
});
