import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import type { Decision } from "../../../../src/core/result.ts";
import { AttemptError } from "../../../../src/core/errors.ts";
import { ok, renderToolResult } from "../../../../src/core/result.ts";
import type { Bot, ToolBinding } from "../../../../src/extensions/api.ts";
import { openDraft } from "../../../../src/extensions/draft.ts";
import { createHost } from "../../../../src/extensions/host.ts";
import { defineTool } from "../../../../src/tools/define-tool.ts";
import { assembleTools, type AssembleOptions } from "../../../../src/tools/extended/assemble.ts";
import type { ExtensionPorts, WriteContext } from "../../../../src/tools/tool.ts";
import { listening } from "../../extensions/modules.ts";
import { contextFor, folderWorkspace } from "../folder-workspace.ts";

const RUN = { id: "run-1", repository: { owner: "acme", name: "widgets" }, trigger: "mention" } as const;
const path = z.string().describe("A path.");
const built = (name: string, effect: "read" | "write" = "read", priority = 10) =>
  defineTool({
    name,
    description: `${name}.`,
    effect,
    priority,
    parameters: z.object({ path: path.optional() }),
    handler: (args) => ok(`${name} ${args.path ?? ""}`.trim()),
  });
const BUILT_IN = [built("look"), built("seek"), built("change", "write"), built("last", "read", 70)];
const binding = (name: string, more: Partial<ToolBinding> = {}): ToolBinding => ({
  name,
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  effect: "read",
  handler: () => `${name} ran`,
  ...more,
});

async function assemble(register: (bot: Bot) => void, options: Partial<AssembleOptions> = {}) {
  const log = listening();
  const { bot, draft, close } = openDraft("acme", {}, "app");
  register(bot);
  close();
  const extensions = createHost({ entrypoint: "app", drafts: [draft], builtIn: [], mask: (text) => text, log });
  const tools = await assembleTools({
    of: "tools",
    builtIn: BUILT_IN,
    extensions,
    run: RUN,
    policy: {},
    isOffered: () => true,
    log,
    ...options,
  });
  return {
    log,
    names: tools.map(({ name }) => name),
    tool: (name: string) => tools.find((tool) => tool.name === name),
    async call(name: string, args: unknown = {}, context: WriteContext = contextFor({})) {
      const tool = tools.find((one) => one.name === name);
      return tool === undefined ? "not offered" : renderToolResult(await tool.call(args, context));
    },
  };
}

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

describe("questions to people", () => {
  const asking = (bot: Bot): void =>
    bot.addToolWrapper(
      (next, tool, approve) => async (args, context) =>
        (await approve({ tool: tool.name, detail: "why" })) ? next(args, context) : Promise.reject(new Error("nobody agreed")),
    );
  const withAsk = (ask: ExtensionPorts["ask"]): WriteContext => ({
    ...contextFor({}),
    extension: { ...PORTS, ...(ask === undefined ? {} : { ask }) },
  });

  it("are answered false where nobody can answer, and outside of a call", async () => {
    let kept: ((question: { tool: string; detail: string }) => Promise<boolean>) | undefined;
    const { call } = await assemble((bot) => {
      asking(bot);
      bot.addToolWrapper((next, _, approve) => ((kept = approve), next));
    });
    expect(await call("look")).toBe("[error] nobody agreed");
    expect(await kept?.({ tool: "look", detail: "" })).toBe(false);
  });
  it("name the call that they are about", async () => {
    const asked: unknown[] = [];
    const { call } = await assemble(asking);
    expect(
      await call(
        "look",
        {},
        withAsk((question) => (asked.push(question), Promise.resolve(true))),
      ),
    ).toBe("look");
    expect(asked).toEqual([{ callId: "call-1", tool: "look", detail: "why" }]);
  });
  it("end the attempt while nobody has answered, also where a wrapper catches that", async () => {
    const { call } = await assemble((bot) => {
      bot.addToolWrapper((next) => (args, context) => next(args, context).catch(() => ok("as if nothing were")));
      asking(bot);
    });
    const waits = new AttemptError("It waits.", { code: "waits" });
    await expect(
      call(
        "look",
        {},
        withAsk(() => Promise.reject(waits)),
      ),
    ).rejects.toBe(waits);
  });
  it("are asked for what policy wants approved, derived tools too", async () => {
    const asked: string[] = [];
    const { call } = await assemble((bot) => bot.addToolDeriver(() => [{ tool: binding("derived_one") }]), {
      policy: { approve: ["look", "derived_*"] },
    });
    const context = withAsk(({ tool, detail }) => (asked.push(`${tool} ${detail}`), Promise.resolve(tool === "look")));
    expect(await call("look", { path: "a" }, context)).toBe("look a");
    expect(await call("derived_one", {}, context)).toMatch(/^\[error\] derived_one was not run: nobody who may has agreed/);
    expect(asked).toEqual(['look {"path":"a"}', "derived_one {}"]);
  });
});

describe("a tool of an extension", () => {
  it.each<readonly [what: string, handler: () => unknown, answer: RegExp]>([
    ["a text", () => "Done", /^Done$/],
    ["nothing in a text", () => "", /^\(empty\)$/],
    ["an error by its prefix", () => "[error] not there", /^\[error\] not there$/],
    ["a refusal by its prefix", () => "[blocked] policy: not here", /^\[blocked\] policy: not here$/],
    ["a result", () => ({ status: "blocked", text: "house: no" }), /^\[blocked\] house: no$/],
    ["nothing", () => undefined, /^\[error\] The tool answered nothing/],
    ["a number", () => 7, /^\[error\] The tool answered a value of type number/],
    ["an odd object", () => ({ strange: 1n }), /^\[error\] The tool answered a value of type object/],
    ["half a character", () => "cut \ud83d", /^cut \ufffd$/],
    [
      "an error thrown",
      () => {
        throw new Error("kaput");
      },
      /^\[error\] kaput$/,
    ],
    [
      "a text thrown",
      () => {
        throw "bad luck";
      },
      /^\[error\] bad luck$/,
    ],
  ])("may answer anything: %s", async (_, handler, answer) => {
    const { call } = await assemble((bot) => bot.addTool(binding("odd", { handler: handler as never })));
    expect(await call("odd")).toMatch(answer);
  });

  it("is called with arguments that fit its JSON Schema only", async () => {
    const seen: unknown[] = [];
    const parameters = { type: "object", properties: { where: { type: "string", enum: ["here", "there"] } }, required: ["where"] } as const;
    const { call } = await assemble((bot) => bot.addTool(binding("go", { parameters, handler: (args) => (seen.push(args), "gone") })));
    expect(await call("go", { where: "here" })).toBe("gone");
    for (const args of [{ where: "moon" }, {}, [], "x", null]) expect(await call("go", args)).toMatch(/^\[error\] /);
    expect(seen).toEqual([{ where: "here" }]);
  });

  it("with a zod schema gets defaults and transforms", async () => {
    const { call } = await assemble((bot) =>
      bot.tool({
        name: "add",
        description: "Adds.",
        effect: "read",
        parameters: z.object({ a: z.number(), b: z.number().default(2) }),
        handler: ({ a, b }) => String(a + b),
      }),
    );
    expect([await call("add", { a: 1 }), await call("add", { a: 1, b: 3 })]).toEqual(["3", "4"]);
    expect(await call("add", {})).toMatch(/^\[error\] .*"a"/);
  });

  it("that reads has nothing to write with, and one that writes passes the inner door", async () => {
    const keys: string[][] = [];
    const workspace = folderWorkspace({ "a.txt": "old" });
    const judge = (path: string): Decision => ({ verdict: path === "a.txt" ? "allow" : "block", findings: [] });
    const context = contextFor({ workspace, judge });
    const { call } = await assemble((bot) => {
      bot.addTool(binding("reads", { handler: (_, given) => (keys.push(Object.keys(given)), "seen") }));
      bot.addTool(
        binding("writes", {
          effect: "write",
          async handler(_, { writeFile, files }) {
            const decisions = [await writeFile("a.txt", Buffer.from("new")), await writeFile(".github/x.yml", Buffer.from("new"))];
            return [
              ...decisions.map(({ verdict }) => verdict),
              Buffer.from(await files.read("a.txt")).toString(),
              (await files.list("*.txt")).join(),
            ].join(" ");
          },
        }),
      );
    });
    await call("reads", {}, context);
    expect(keys[0]).not.toContain("submit");
    expect(keys[0]).not.toContain("writeFile");
    expect(await call("writes", {}, context)).toBe("allow block new a.txt");
  });

  it("submits what the run's own publisher brings through the gate, and nothing else", async () => {
    const said: unknown[] = [];
    const publisher = {
      comment: (number: number, body: string) => (
        said.push([number, body]),
        Promise.resolve({ status: "refused", decision: { verdict: "block", findings: [] } } as const)
      ),
    };
    const context: WriteContext = { ...contextFor({ publisher }), extension: { ...PORTS, thread: 7 } };
    const { call } = await assemble((bot) =>
      bot.addTool(
        binding("says", {
          effect: "write",
          handler: async (_, { submit }) =>
            `${(await submit({ kind: "comment", body: "hello" })).verdict} ${(await submit({ kind: "merge" } as never)).verdict}`,
        }),
      ),
    );
    expect(await call("says", {}, context)).toMatch(/^\[error\] .*cannot submit "merge"/);
    expect(said).toEqual([[7, "hello"]]);
  });

  it("keeps its call's rights when a wrapper copies the context, and has none outside of a call", async () => {
    const { call } = await assemble((bot) => {
      bot.addToolWrapper((next) => (args, context) => next(args, { ...context }));
      bot.addToolDeriver((tools) => [{ tool: binding("forges", { handler: (args) => tools[0]!.handler(args, {} as never) }) }]);
    });
    expect(await call("change")).toBe("change");
    expect(await call("forges")).toMatch(/can only be called within a call/);
  });
});

const PORTS: ExtensionPorts = {
  repository: { owner: "acme", name: "widgets", commit: "0".repeat(40) },
  settings: {},
  artifacts: { save: () => Promise.resolve(), load: () => Promise.resolve(undefined) },
  attachments: () => [],
  prompt: () => "",
  log: listening(),
  progress: () => Promise.resolve(),
  respond: () => Promise.resolve({ verdict: "allow", findings: [] }),
};
