import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AttemptError } from "../../../../src/core/errors.ts";
import { type Decision, ok } from "../../../../src/core/result.ts";
import type { Bot, WriteContext as Writing } from "../../../../src/extensions/api.ts";
import type { ExtensionPorts, WriteContext } from "../../../../src/tools/tool.ts";
import { contextFor, folderWorkspace } from "../folder-workspace.ts";
import { assemble, binding, PORTS } from "./assembled.ts";

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
          async handler(_, { writeFile, files }: Writing) {
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
          handler: async (_, { submit }: Writing) =>
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
