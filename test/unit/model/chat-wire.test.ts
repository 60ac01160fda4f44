import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/core/conversation.ts";
import { toChatMessages, toChatTools } from "../../../src/model/chat-wire.ts";
import { strictProblem } from "./strict.ts";

const assistant = (text: string, ...calls: readonly [string, string, string][]): Message => {
  return { role: "assistant", text, calls: calls.map(([id, name, args]) => ({ id, name, arguments: args })) };
};
const result = (callId: string, text: string): Message => ({ role: "tool", callId, text });

describe("messages on the wire", () => {
  it("keep what is valid as it is", () => {
    const messages = [assistant("Reading.", ["c1", "read_file", '{ "path": "a" }']), result("c1", "alpha")];
    expect(toChatMessages(messages)).toEqual([
      {
        role: "assistant",
        content: "Reading.",
        tool_calls: [{ id: "c1", type: "function", function: { name: "read_file", arguments: '{ "path": "a" }' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "alpha" },
    ]);
  });

  it("have no empty content but null beside calls", () => {
    const contents = toChatMessages([
      { role: "system", text: "" },
      { role: "user", text: " \n" },
      assistant(""),
      assistant(" ", ["c", "x", "{}"]),
      result("c", ""),
    ]).map(({ content }) => content);
    expect(contents).toEqual(["(no text)", "(no text)", "(no text)", null, "(no text)"]);
  });

  it.each([
    ["not JSON", '{"a":', "{}"],
    ["a list", "[1]", "{}"],
    ["nothing", "", "{}"],
    ["half a surrogate pair behind an escape", '{"a":"\\ud800"}', '{"a":"\uFFFD"}'],
    ["half a surrogate pair", '{"a":"\uD800"}', '{"a":"\uFFFD"}'],
    ["a whole pair behind escapes", '{"a":"\\ud83d\\ude00"}', '{"a":"😀"}'],
  ])("have past arguments that are well-formed JSON objects: %s", (_name, raw, expected) => {
    expect(toChatMessages([assistant("", ["c", "x", raw])])[0]).toMatchObject({ tool_calls: [{ function: { arguments: expected } }] });
  });

  it("shorten long ids on both sides alike, and keep those apart that begin alike", () => {
    const [one, other] = [`call_${"z".repeat(66)}`, `call_${"z".repeat(65)}y`];
    const wire = toChatMessages([assistant("", [one, "x", "{}"], [other, "x", "{}"]), result(one, "1"), result(other, "2")]);
    const ids = wire.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : []));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length <= 40)).toBe(true);
    expect(wire.slice(1)).toMatchObject([{ tool_call_id: ids[0] }, { tool_call_id: ids[1] }]);
  });

  it("are valid for a strict server, whatever the model wrote", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const turn = fc.record({
      text,
      calls: fc.array(fc.record({ id: text, name: text, arguments: fc.oneof(text, fc.json()) }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), text, (turns, said) => {
        const seen = new Set<string>();
        const messages: Message[] = [{ role: "user", text: said }];
        for (const { text, calls } of turns) {
          // The loop sees to it that ids are unique; what they look like is the wire's business.
          const own = calls.filter(({ id }) => !seen.has(id) && seen.add(id));
          messages.push({ role: "assistant", text, calls: own }, ...own.map(({ id }) => result(id, text)), { role: "user", text: said });
        }
        expect(strictProblem(toChatMessages(messages))).toBeUndefined();
      }),
    );
  });

  it("are the same bytes each time", () => {
    const messages = [assistant("", ["x".repeat(99), "sp ace", "{}"]), result("x".repeat(99), "1")];
    expect(JSON.stringify(toChatMessages(messages))).toBe(JSON.stringify(toChatMessages(messages)));
  });

  it("have their tools as functions", () => {
    const parameters = { type: "object", properties: {} };
    expect(toChatTools([{ name: "grep", description: "Finds.", parameters }])).toEqual([
      { type: "function", function: { name: "grep", description: "Finds.", parameters } },
    ]);
  });
});
