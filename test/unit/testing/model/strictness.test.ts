import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRequest } from "../../../../src/testing/model/request.ts";
import { problemIn } from "../../../../src/testing/model/strictness.ts";

const USER = { role: "user", content: "Hello" };
const made = (id: string, fields: { name?: string; arguments?: string } = {}) => ({
  id,
  type: "function",
  function: { name: "grep", arguments: "{}", ...fields },
});
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => made(id)) });
const result = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const tool = (name: string, parameters: object = { type: "object", properties: {} }) => ({
  type: "function",
  function: { name, parameters },
});
const problem = (fields: object, issued = new Set<string>()) =>
  problemIn(readRequest({ model: "m", messages: [USER], ...fields }, undefined), issued);

describe("a strict server takes", () => {
  it.each([
    { name: "a system's message and a user's", fields: { messages: [{ role: "system", content: "Be good." }, USER] } },
    { name: "two calls answered in another order", fields: { messages: [USER, calls("a", "b"), result("b"), result("a")] } },
    { name: "content in parts", fields: { messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] } },
    { name: "tools of different names", fields: { tools: [tool("grep"), tool("read_file")] } },
    { name: "characters outside the basic plane", fields: { messages: [{ role: "user", content: "😀" }] } },
  ])("$name", ({ fields }) => {
    expect(problem(fields)).toBeUndefined();
  });

  it("a long call id only when the model gave it itself", () => {
    const long = "c".repeat(41);
    const fields = { messages: [USER, calls(long), result(long)] };
    expect(problem(fields)).toContain("invalid call id");
    expect(problem(fields, new Set([long]))).toBeUndefined();
  });
});

describe("a strict server refuses", () => {
  const answered = (fields: object) => [USER, { role: "assistant", content: null, tool_calls: [made("a", fields)] }, result("a")];
  it.each([
    { name: "no model", fields: { model: "" }, says: "no model" },
    { name: "no messages", fields: { messages: [] }, says: "no message beside the system's" },
    { name: "only a system's message", fields: { messages: [{ role: "system", content: "x" }] }, says: "no message beside the system's" },
    { name: "an unknown role", fields: { messages: [{ role: "robot", content: "x" }] }, says: "unknown role" },
    { name: "half of a surrogate pair", fields: { messages: [{ role: "user", content: "\ud83d" }] }, says: "surrogate" },
    { name: "a null character", fields: { messages: [{ role: "user", content: "a\0b" }] }, says: "null character" },
    { name: "empty content", fields: { messages: [{ role: "user", content: "" }] }, says: "empty content" },
    { name: "an empty part", fields: { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }, says: "empty content" },
    { name: "an empty result", fields: { messages: [USER, calls("a"), result("a", "")] }, says: "empty content" },
    { name: "an answer without content and calls", fields: { messages: [USER, { role: "assistant", content: null }] }, says: "no content" },
    {
      name: "empty content beside calls",
      fields: { messages: [USER, { ...calls("a"), content: "" }, result("a")] },
      says: "empty content",
    },
    { name: "a call without a result at the end", fields: { messages: [USER, calls("a")] }, says: "the call a has no result" },
    {
      name: "a call without a result in between",
      fields: { messages: [USER, calls("a", "b"), result("a"), USER] },
      says: "the call b has no result",
    },
    { name: "a result twice", fields: { messages: [USER, calls("a"), result("a"), result("a")] }, says: "answered already" },
    { name: "a result of no call", fields: { messages: [USER, result("a")] }, says: "answers call a" },
    { name: "a late result", fields: { messages: [USER, calls("a"), result("a"), USER, result("a")] }, says: "answers call a" },
    { name: "an id twice in a message", fields: { messages: [USER, calls("a", "a"), result("a")] }, says: "call id a twice" },
    {
      name: "an id twice in a conversation",
      fields: { messages: [USER, calls("a"), result("a"), calls("a"), result("a")] },
      says: "call id a twice",
    },
    { name: "an empty id", fields: { messages: [USER, calls(""), result("")] }, says: "invalid call id" },
    { name: "an invalid name in a call", fields: { messages: answered({ name: "no spaces" }) }, says: "invalid name" },
    { name: "arguments that are cut off", fields: { messages: answered({ arguments: '{"a' }) }, says: "no JSON object" },
    { name: "arguments that are a list", fields: { messages: answered({ arguments: "[]" }) }, says: "no JSON object" },
    { name: "arguments that are null", fields: { messages: answered({ arguments: "null" }) }, says: "no JSON object" },
    { name: "no arguments", fields: { messages: answered({ arguments: "" }) }, says: "no JSON object" },
    { name: "calls of a user", fields: { messages: [{ ...calls("a"), role: "user", content: "x" }, result("a")] }, says: "makes calls" },
    { name: "two tools of one name", fields: { tools: [tool("grep"), tool("grep")] }, says: "same name" },
    { name: "an invalid tool name", fields: { tools: [tool("no.dots")] }, says: "invalid" },
    { name: "a tool name that is too long", fields: { tools: [tool("a".repeat(65))] }, says: "invalid" },
    { name: "parameters that are no object", fields: { tools: [tool("grep", { type: "string" })] }, says: "no object schema" },
    { name: "no parameters", fields: { tools: [{ type: "function", function: { name: "grep" } }] }, says: "no object schema" },
  ])("$name", ({ fields, says }) => {
    expect(problem(fields)).toContain(says);
  });

  const sealed = { type: "reasoning", summary: [], encrypted_content: "s" };
  const made2 = { type: "function_call", call_id: "a", name: "grep", arguments: "{}" };
  const answered2 = { type: "function_call_output", call_id: "a", output: "ok" };
  it.each([
    { name: "a call without a result", input: [USER, made2], says: "the call a has no result" },
    { name: "a result of no call", input: [USER, answered2], says: "answers call a" },
    { name: "a result twice", input: [USER, made2, answered2, answered2], says: "answered already" },
    { name: "an empty result", input: [USER, made2, { ...answered2, output: "" }], says: "empty content" },
    { name: "arguments that are cut off", input: [USER, { ...made2, arguments: '{"a' }, answered2], says: "no JSON object" },
    { name: "reasoning that led to nothing", input: [USER, sealed], says: "unknown role" },
    { name: "reasoning before a person's words", input: [sealed, USER], says: "led to nothing" },
    { name: "reasoning of another model", input: [USER, sealed, made2, answered2], says: "not this model's" },
    { name: "an unknown item", input: [USER, { type: "poem", content: "x" }], says: "unknown role" },
    { name: "no input", input: [], says: "no message" },
  ])("$name, over responses", ({ input, says }) => {
    expect(problemIn(readRequest({ model: "m", input }, undefined, "responses"), new Set())).toContain(says);
  });

  it("a request that builds on a response, since none is kept", () => {
    const body = { model: "m", input: "Hi", previous_response_id: "resp_1" };
    expect(problemIn(readRequest(body, undefined, "responses"), new Set())).toContain("none is kept");
  });

  it("says something about any body rather than failing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, tools) => {
        expect(["string", "undefined"]).toContain(typeof problem({ messages, tools }));
        const responses = readRequest({ model: "m", input: messages, tools }, undefined, "responses");
        expect(["string", "undefined"]).toContain(typeof problemIn(responses, new Set()));
      }),
    );
  });
});
