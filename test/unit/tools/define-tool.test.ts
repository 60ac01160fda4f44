import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SallyportError, StaleAttemptError } from "../../../src/core/errors.ts";
import { failed, ok } from "../../../src/core/result.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { text } from "../../../src/tools/tool-arguments.ts";
import { answerOf, contextFor, folderWorkspace } from "./folder-workspace.ts";

const parameters = z.object({
  path: text(20, "A path."),
  count: z.int().min(1).max(9).optional().describe("How many."),
  deep: z.boolean().default(false).describe("Whether."),
});

function echo(handler: (args: z.output<typeof parameters>) => ReturnType<typeof ok> = (args) => ok(JSON.stringify(args))) {
  return defineTool({ name: "echo", description: "Says it again.", effect: "read", parameters, handler });
}

describe("defineTool", () => {
  it("describes its arguments as a closed JSON Schema object", () => {
    expect(echo().parameters).toEqual({
      type: "object",
      properties: {
        path: { type: "string", maxLength: 20, description: "A path." },
        count: { type: "integer", minimum: 1, maximum: 9, description: "How many." },
        deep: { type: "boolean", default: false, description: "Whether." },
      },
      required: ["path"],
      additionalProperties: false,
    });
  });

  it("refuses an argument without a description, and a name that no API takes", () => {
    const spec = {
      name: "bare",
      description: "",
      effect: "read",
      parameters: z.object({ path: z.string() }),
      handler: () => ok(""),
    } as const;
    expect(() => defineTool(spec)).toThrow(SallyportError);
    expect(() => defineTool({ ...spec, name: "no spaces", parameters: z.object({}) })).toThrow(/cannot be named "no spaces"/);
  });

  it.each([
    ["all arguments", { path: "a", count: 2, deep: true }, '{"path":"a","count":2,"deep":true}'],
    ["defaults", { path: "a" }, '{"path":"a","deep":false}'],
    ["null for what is optional", { path: "a", count: null, deep: null }, '{"path":"a","deep":false}'],
  ])("hands on %s", async (_, args, expected) => {
    expect(await answerOf(echo(), args, contextFor({}))).toBe(expected);
  });

  it.each([
    ["no object but a list", [], /one JSON object, not a list/],
    ["no object but null", null, /one JSON object, not null/],
    ["no object but a text", "a.txt", /one JSON object, not a string/],
    ["a missing argument", {}, /"path" is missing \(a string is needed\)/],
    ["null for what is needed", { path: null }, /"path" must be a string, not null/],
    ["a list for a text", { path: ["a"] }, /"path" must be a string, not a list \(\["a"\]\)/],
    ["a text for a number", { path: "a", count: "2" }, /"count" must be a number, not a string \("2"\)/],
    ["a fraction", { path: "a", count: 1.5 }, /"count" must be an integer, not a number \(1.5\)/],
    ["a number that is too small", { path: "a", count: 0 }, /"count" must be at least 1, not 0/],
    ["a number that is too great", { path: "a", count: 10 }, /"count" must be at most 9, not 10/],
    ["a text that is too long", { path: "a".repeat(21) }, /"path" is too long: 21 characters, the limit is 20/],
    ["half a surrogate pair", { path: "a\ud83d" }, /"path" holds half of a surrogate pair/],
    ["an argument with a typing slip", { paths: "a" }, /"paths" is no argument of it \(did you mean "path"\?\)/],
    ["an argument named like a member of every object", { path: "a", constructor: 1 }, /"constructor" is no argument of it/],
  ])("answers %s with what was expected and what came", async (_, args, expected) => {
    const answer = await answerOf(echo(), args, contextFor({}));
    expect(answer).toMatch(/^\[error\] /);
    expect(answer).toMatch(expected);
    expect(answer).toContain("It is called as echo(path: string, count?: integer, deep?: boolean).");
  });

  it("names every wrong argument at once, and quotes little of a long one", async () => {
    const answer = await answerOf(echo(), { path: 1, count: "x".repeat(100_000), other: true }, contextFor({}));
    expect(answer).toMatch(/"path".*"count".*"other"/);
    expect(answer.length).toBeLessThan(1000);
  });

  it("answers what a handler throws without its stack and without paths of the host", async () => {
    const workspace = folderWorkspace();
    const tool = echo(() => {
      throw new Error(
        `ENOENT: open '${workspace.directory}/src/a.ts', not '/home/someone/.npmrc' but src/app/b.ts\n    at file:///usr/lib/x.js:1`,
      );
    });
    const answer = await answerOf(tool, { path: "a" }, contextFor({ workspace }));
    expect(answer).toBe("[error] ENOENT: open 'src/a.ts', not '(a path of the host)' but src/app/b.ts");
  });

  it("adds the hint of the product's own errors", async () => {
    const tool = echo(() => {
      throw new SallyportError("It is full.", { code: "full", hint: "Make room." });
    });
    expect(await answerOf(tool, { path: "a" }, contextFor({}))).toBe("[error] It is full. Make room.");
  });

  it.each([
    ["a lost attempt", new StaleAttemptError("run-1", 1)],
    ["an abort", new DOMException("stopped", "AbortError")],
  ])("throws %s on", async (_, error) => {
    const tool = echo(() => {
      throw error;
    });
    await expect(tool.call({ path: "a" }, contextFor({}))).rejects.toBe(error);
  });

  it("throws whatever comes once the run was aborted", async () => {
    const tool = echo(() => {
      throw new Error("socket closed");
    });
    await expect(tool.call({ path: "a" }, contextFor({ signal: AbortSignal.abort() }))).rejects.toThrow("socket closed");
  });

  it("answers well-formed text in which hidden characters are named", async () => {
    expect(
      await answerOf(
        echo(() => ok("half \ud83d and a\u202eb")),
        { path: "a" },
        contextFor({}),
      ),
    ).toBe("half \ufffd and a⟦U+202E⟧b");
  });

  it("hands a read tool a context that cannot write", async () => {
    const seen: string[] = [];
    const tool = defineTool({
      name: "peek",
      description: "",
      effect: "read",
      parameters: z.object({}),
      handler: (_, context) => {
        seen.push(...Object.keys(context));
        return failed("");
      },
    });
    await tool.call({}, contextFor({}));
    expect(seen.toSorted()).toEqual(["callId", "github", "run", "signal", "workspace"]);
  });
});
