import { describe, expect, it, test } from "vitest";
import type { Bot } from "../../../../src/extensions/api.ts";
import type { AssembleOptions } from "../../../../src/tools/extended/assemble.ts";
import type { ToolPolicy } from "../../../../src/tools/extended/policy.ts";
import { assemble, binding } from "./assembled.ts";

describe("the list of a conversation", () => {
  it("is in ascending priority, then by name; actions append, and filters reorder and drop after them", async () => {
    const { names } = await assemble((bot) => {
      bot.addTool(binding("first", { priority: 1 }));
      bot.addTool(binding("at_fifty", { priority: 50 }));
      bot.addAction("tools.register", (tools) => tools.add(binding("appended", { priority: 35 })));
      bot.addFilter("tools.registrations", (tools) => [
        ...tools.filter(({ name }) => name === "at_fifty"),
        ...tools.filter(({ name }) => !["at_fifty", "seek"].includes(name)),
      ]);
    });
    expect(names).toEqual(["at_fifty", "first", "change", "look", "appended", "last"]);
  });

  it("of the research subagent is another one", async () => {
    const register = (bot: Bot): void => {
      bot.addTool(binding("of_the_run"));
      bot.addAction("research.register", (tools) => tools.add(binding("of_research")));
      bot.addFilter("research.registrations", (tools) => tools.filter(({ name }) => name !== "seek"));
    };
    const isOffered: AssembleOptions["isOffered"] = ({ effect }) => effect === "read";
    expect((await assemble(register, { of: "research", isOffered })).names).toEqual(["look", "of_research", "last"]);
    expect((await assemble(register)).names).toEqual(["change", "look", "of_the_run", "seek", "last"]);
  });

  it("leaves out what policy denies or does not allow, whatever a filter adds", async () => {
    const policy = { allow: ["look", "s*", "added"], deny: ["seek"] };
    const { names } = await assemble(
      (bot) => void bot.addFilter("tools.registrations", (tools) => [...tools, { ...tools[0]!, name: "stray" }]),
      { policy },
    );
    expect(names).toEqual(["look", "stray"]);
  });

  it.each<readonly [policy: ToolPolicy, isOffered: boolean]>([
    [{}, false],
    [{ deny: ["look"] }, false],
    [{ allow: ["*"] }, true],
    [{ allow: ["look", "mcp__docs__*"] }, true],
    [{ allow: ["look"] }, false],
    [{ allow: ["!(mcp__*)", "mcp__other__*"] }, false],
    [{ approve: ["mcp__docs__search"] }, true],
    [{ approve: ["mcp__other__*"] }, false],
    [{ approve: ["mcp__*"], deny: ["mcp__docs__*"] }, false],
    [{ allow: ["look"], approve: ["mcp__*"] }, false],
  ])("has a tool of a tool server only where policy says so: with %j %j", async (policy, isOffered) => {
    const { names } = await assemble((bot) => bot.addAction("tools.register", ({ add }) => add(binding("mcp__docs__search"))), { policy });
    expect(names.includes("mcp__docs__search")).toBe(isOffered);
  });

  it("takes no second tool of a name from an action, and says so", async () => {
    const { names, log } = await assemble((bot) => void bot.addAction("tools.register", (tools) => tools.add(binding("look"))));
    expect(names.filter((name) => name === "look")).toHaveLength(1);
    expect(log.warnings.join()).toContain("there is a tool named look already");
  });

  const faults: readonly (readonly [what: string, register: (bot: Bot) => void, why: RegExp])[] = [
    [
      "a filter that answers no list",
      (bot) => void bot.addFilter("tools.registrations", () => "x" as never),
      /tools\.registrations of the extension acme answered something that is no list/,
    ],
    [
      "a filter that names two alike",
      (bot) => void bot.addFilter("tools.registrations", (tools) => [tools[0]!, tools[0]!]),
      /two tools named change/,
    ],
    [
      "a filter that answers no tool",
      (bot) => void bot.addFilter("tools.registrations", () => [{}] as never),
      /answered a list in which a tool cannot be named/,
    ],
    [
      "a deriver that throws",
      (bot) =>
        bot.addToolDeriver(() => {
          throw new Error("no deriver today");
        }),
      /deriver of the extension acme failed: no deriver today/,
    ],
    ["a deriver that answers nothing", (bot) => bot.addToolDeriver((() => undefined) as never), /no list of tools/],
    [
      "a wrapper that throws",
      (bot) =>
        bot.addToolWrapper(() => {
          throw new Error("no wrapper today");
        }),
      /wrapper of change of the extension acme failed: no wrapper today/,
    ],
    ["a wrapper that answers no handler", (bot) => bot.addToolWrapper((() => "x") as never), /no handler/],
  ];
  test.each(faults)("is not made by %s: the run fails", async (_, register, why) => {
    await expect(assemble(register)).rejects.toThrow(why);
  });
});

describe("derivers", () => {
  const shout =
    (replaces: readonly string[] = ["look"]) =>
    (bot: Bot) =>
      bot.addToolDeriver((tools) => [
        {
          tool: binding("shout", {
            handler: async (args, context) => (await tools.find(({ name }) => name === "look")!.handler(args, context)).text.toUpperCase(),
          }),
          replaces,
        },
      ]);
  it("stand where what they replace stood, and can call it", async () => {
    const { names, call } = await assemble(shout());
    expect(names).toEqual(["change", "shout", "seek", "last"]);
    expect(await call("shout")).toBe("LOOK");
  });
  it("replace nothing when policy takes them away", async () => {
    expect((await assemble(shout(), { policy: { deny: ["shout"] } })).names).toEqual(["change", "look", "seek", "last"]);
  });
  it("see the list after filters and policy, and not each other's tools", async () => {
    const seen: string[][] = [];
    const note = (bot: Bot, name: string) =>
      bot.addToolDeriver((tools) => (seen.push(tools.map((tool) => tool.name)), [{ tool: binding(name) }]));
    await assemble((bot) => (note(bot, "one"), note(bot, "two")), { policy: { deny: ["seek"] } });
    expect(seen).toEqual([
      ["change", "look", "last"],
      ["change", "look", "last"],
    ]);
  });
  it("never take a name that is there: the first one stays, and it is said", async () => {
    const { call, log } = await assemble((bot) =>
      bot.addToolDeriver(() => [
        { tool: binding("look") },
        { tool: binding("new_one") },
        { tool: binding("new_one", { handler: () => "second" }) },
      ]),
    );
    expect([await call("look"), await call("new_one")]).toEqual(["look", "new_one ran"]);
    expect(log.warnings).toHaveLength(2);
  });
  it("cannot write from a tool that reads", async () => {
    const { call } = await assemble((bot) =>
      bot.addToolDeriver((tools) => [
        { tool: binding("sly", { handler: (args, context) => tools.find(({ name }) => name === "change")!.handler(args, context) }) },
      ]),
    );
    expect(await call("sly")).toBe("[error] change writes, so a tool that reads cannot call it.");
  });
  it("pass the wrappers of what they call", async () => {
    const seen: string[] = [];
    const { call } = await assemble((bot) => {
      shout()(bot);
      bot.addToolWrapper((next, tool) => (args, context) => (seen.push(tool.name), next(args, context)));
    });
    await call("shout");
    expect(seen).toEqual(["shout", "look"]);
  });
});

describe("wrappers", () => {
  it("see calls in the order in which they were added, and results in the other one; they may change both", async () => {
    const seen: string[] = [];
    const wrap = (bot: Bot, name: string) =>
      bot.addToolWrapper((next) => async (args, context) => {
        seen.push(`${name} in ${JSON.stringify(args)}`);
        const result = await next({ path: `${args["path"] === "x" ? "x" : args["path"] === "xa" ? "xa" : ""}${name}` }, context);
        return { ...result, text: `${result.text} ${name}` };
      });
    const { call } = await assemble((bot) => (wrap(bot, "a"), wrap(bot, "b")));
    expect(await call("look", { path: "x" })).toBe("look xab b a");
    expect(seen).toEqual(['a in {"path":"x"}', 'b in {"path":"xa"}']);
  });
  it("are not asked about arguments that the schema refuses, and what they make of arguments is checked again", async () => {
    const seen: unknown[] = [];
    const { call } = await assemble((bot) =>
      bot.addToolWrapper((next) => (args, context) => (seen.push(args), next({ path: 7 }, context))),
    );
    expect(await call("look", { path: 1 })).toMatch(/^\[error\] Wrong arguments for look/);
    expect(seen).toEqual([]);
    expect(await call("look", {})).toMatch(/^\[error\] Wrong arguments for look: "path" must be a string, not a number/);
  });
  it("that throw, or answer something else, are errors of the call", async () => {
    const { call } = await assemble((bot) =>
      bot.addToolWrapper((next, { name }) =>
        name === "look" ? () => Promise.reject(new Error("says no")) : name === "seek" ? ((() => "text") as never) : next,
      ),
    );
    expect(await call("look")).toBe("[error] says no");
    expect(await call("seek")).toMatch(/^\[error\] A wrapper of seek answered something that is not a result/);
    expect(await call("last")).toBe("last");
  });
});
