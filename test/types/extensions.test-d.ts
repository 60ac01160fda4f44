import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineExtension, type Bot, type ReviewFinding, type ToolRegistration, type WriteContext } from "../../src/index.ts";

const named = { name: "look", description: "Looks.", parameters: z.object({ path: z.string(), depth: z.number().default(1) }) };
const binding = { name: "bare", description: "Bare.", parameters: { type: "object" } } as const;

describe("what an extension may write", () => {
  it("has the configuration that its schema makes", () => {
    defineExtension({
      name: "deploy",
      config: z.object({ region: z.string(), retries: z.number().default(3) }),
      register(bot) {
        expectTypeOf(bot.config).toEqualTypeOf<{ region: string; retries: number }>();
        // @ts-expect-error there is no such key
        expectTypeOf(bot.config.zone).toBeString();
        // @ts-expect-error it is read-only
        bot.config = { region: "", retries: 1 };
        expectTypeOf(bot.secret("DEPLOY_TOKEN")).toBeString();
        // @ts-expect-error a secret is named, not given
        bot.secret("ghp_0123456789abcdefghij");
        // @ts-expect-error and what the file says is no variable's name before it was looked at
        bot.secret(bot.config.region);
      },
    });
    // @ts-expect-error it must register something
    defineExtension({ name: "empty" });
    // @ts-expect-error a schema is no plain object
    defineExtension({ name: "plain", config: { region: "string" }, register() {} });
  });

  it("has typed arguments, and in a read tool nothing that writes", () => {
    const use = (bot: Bot): void => {
      bot.tool({
        ...named,
        effect: "read",
        async handler({ path, depth }, context) {
          expectTypeOf(depth).toEqualTypeOf<number>();
          await context.files.read(path);
          // @ts-expect-error a read tool submits nothing
          await context.submit({ kind: "commit", message: "x" });
          // @ts-expect-error and writes no file
          await context.writeFile(path, new Uint8Array());
          return "seen";
        },
      });
      bot.tool({
        ...named,
        effect: "write",
        async handler({ path }, context) {
          await context.writeFile(path, new Uint8Array());
          return (await context.submit({ kind: "comment", body: "x" })).verdict;
        },
      });
      // @ts-expect-error there is no such argument
      bot.tool({ ...named, effect: "read", handler: ({ file }) => String(file) });
      // @ts-expect-error a number is no result
      bot.tool({ ...named, effect: "read", handler: () => 7 });
      // @ts-expect-error there is no third effect
      bot.tool({ ...named, effect: "delete", handler: () => "x" });
      // @ts-expect-error it says what it does
      bot.addTool({ ...binding, handler: () => "x" });
      // @ts-expect-error a plain handler that reads submits nothing either
      bot.addTool({ ...binding, effect: "read", handler: (_, { submit }) => String(submit) });
      // @ts-expect-error and writes no file
      bot.addTool({ ...binding, effect: "read", handler: async (_, { writeFile }) => (await writeFile("a", undefined)).verdict });
      bot.addTool({ ...binding, effect: "write", handler: async (_, { writeFile }) => (await writeFile("a", undefined)).verdict });
      // @ts-expect-error a number is no result here either
      bot.addTool({ ...binding, effect: "read", handler: () => 7 });
      // @ts-expect-error nor is a status that there is not
      bot.addTool({ ...binding, effect: "read", handler: () => ({ status: "done", text: "x" }) });
      // @ts-expect-error its parameters are a schema, not its name
      bot.addTool({ ...binding, effect: "read", parameters: "object", handler: () => "x" });
      bot.addAction("tools.register", (tools) => {
        // @ts-expect-error what an action adds is held to its effect as well
        tools.add({ ...binding, effect: "read", handler: (_, { submit }) => String(submit) });
      });
    };
    expectTypeOf(use).toBeFunction();
  });

  it("can ask for nothing that merges, approves, deletes, or goes elsewhere", () => {
    const use = async ({ submit }: WriteContext): Promise<void> => {
      // @ts-expect-error nothing merges
      await submit({ kind: "merge", number: 1 });
      // @ts-expect-error nothing approves
      await submit({ kind: "review", event: "APPROVE" });
      // @ts-expect-error no branch is named
      await submit({ kind: "commit", message: "x", branch: "main" });
      // @ts-expect-error no other repository is named
      await submit({ kind: "comment", body: "x", repository: { owner: "a", name: "b" } });
    };
    expectTypeOf(use).toBeFunction();
  });

  it("hooks into what there is, and answers what it was handed", () => {
    const use = (bot: Bot): void => {
      bot.addFilter("tools.registrations", (tools) => tools.filter(({ effect }) => effect === "read"));
      bot.addFilter("review.findings", (findings, run) => {
        expectTypeOf(findings).toEqualTypeOf<readonly ReviewFinding[]>();
        return run.trigger === "review" ? findings : [];
      });
      // @ts-expect-error there is no such filter
      bot.addFilter("tools.all", (tools) => tools);
      // @ts-expect-error a filter answers its value
      bot.addFilter("prompt.system", () => undefined);
      // @ts-expect-error an action adds tools, not names
      bot.addAction("tools.register", (tools) => tools.add("look"));
      // @ts-expect-error there is no such event
      bot.on("run.paused", () => undefined);
      bot.on("run.finished", ({ outcome }) => void expectTypeOf(outcome).not.toBeAny());
      // @ts-expect-error a path begins with a slash
      bot.addRoute("ping", () => new Response("pong"));
      // @ts-expect-error a route answers a Response
      bot.addRoute("/ping", () => "pong");
      // @ts-expect-error there is no operation that merges, so no rule for one
      bot.addRule({ name: "house", applies: ["merge"], check: () => [] });
      // @ts-expect-error a service can be stopped
      bot.addService({ name: "pump", start() {} });
      // @ts-expect-error there is no such entrypoint
      bot.addService({ name: "pump", on: ["cron"], start() {}, stop() {} });
      // @ts-expect-error a page has a label
      bot.addPage("/fleet", () => new Response(""));
      // @ts-expect-error there is no such action
      bot.addAction("run.during", () => undefined);
      // @ts-expect-error what an event holds is not to be changed
      bot.on("run.started", ({ run }) => void (run.id = "other"));
      // @ts-expect-error a finding says why
      bot.addRule({ name: "house", applies: ["commit"], check: () => [{ rule: "house", severity: "block", fix: "Wait." }] });
    };
    expectTypeOf(use).toBeFunction();
  });

  it("wraps one handler by one, and cannot rename a tool", () => {
    const use = (bot: Bot): void => {
      bot.addToolWrapper((next, tool) => {
        // @ts-expect-error a wrapper is told of its tool, not handed it
        tool.name = "other";
        // @ts-expect-error the handler is what it was handed as `next`
        expectTypeOf(tool.handler).toBeFunction();
        return next;
      });
      // @ts-expect-error a handler comes back
      bot.addToolWrapper(() => undefined);
      // @ts-expect-error not a list of them
      bot.addToolWrapper((next) => [next]);
      // @ts-expect-error what a wrapped tool answers is a result, not a bare text
      bot.addToolWrapper(() => async () => "fine");
      // @ts-expect-error people are asked about a tool
      bot.addToolWrapper((next, _, approve) => (approve({ detail: "x" }), next));
      // @ts-expect-error a deriver answers tools with what they replace
      bot.addToolDeriver((tools: readonly ToolRegistration[]) => tools);
    };
    expectTypeOf(use).toBeFunction();
  });
});
