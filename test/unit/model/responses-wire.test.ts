import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/core/conversation.ts";
import { toResponsesInput, toResponsesTools } from "../../../src/model/responses-wire.ts";
import { readRequest } from "../../../src/testing/model/request.ts";
import { problemIn } from "../../../src/testing/model/strictness.ts";

const assistant = (text: string, ...calls: readonly [string, string, string][]): Message => {
  return { role: "assistant", text, calls: calls.map(([id, name, args]) => ({ id, name, arguments: args })) };
};
const result = (callId: string, text: string): Message => ({ role: "tool", callId, text });

describe("a conversation as input of a response", () => {
  it("is items in their order, each call answered by its id", () => {
    const messages: Message[] = [
      { role: "system", text: "Work." },
      { role: "user", text: "Fix it." },
      assistant("Reading.", ["c1", "read_file", '{ "path": "a" }']),
      result("c1", "alpha"),
    ];
    expect(toResponsesInput(messages)).toEqual([
      { role: "system", content: "Work." },
      { role: "user", content: "Fix it." },
      { role: "assistant", content: "Reading." },
      { type: "function_call", call_id: "c1", name: "read_file", arguments: '{ "path": "a" }' },
      { type: "function_call_output", call_id: "c1", output: "alpha" },
    ]);
  });

  it("has each reasoning directly before what it led to", () => {
    const seal = (encrypted_content: string) => ({ type: "reasoning", summary: [], encrypted_content });
    const items = [0, 1, 2, 9].map((before) => ({ before, item: seal(`r${before}`) }));
    const message = assistant("Both.", ["a", "x", "{}"], ["b", "y", "{}"]) as Extract<Message, { role: "assistant" }>;
    const input = toResponsesInput([{ ...message, opaque: { of: "m", items } }], { images: true, opaqueOf: "m" });
    const order = input.map((item) => ("encrypted_content" in item ? item.encrypted_content : "call_id" in item ? item.call_id : "text"));
    expect(order).toEqual(["r0", "text", "r1", "a", "r2", "b"]);
    expect(toResponsesInput([{ ...message, opaque: { of: "other", items } }], { images: true, opaqueOf: "m" })).toHaveLength(3);
  });

  it("is valid for a strict server, whatever the model wrote, and the same bytes each time", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 }).filter((value) => !value.includes("\0"));
    const turn = fc.record({
      text,
      calls: fc.array(fc.record({ id: text, name: text, arguments: fc.oneof(text, fc.json()) }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), text, (turns, said) => {
        const seen = new Set<string>();
        const messages: Message[] = [{ role: "user", text: said }];
        for (const { text, calls } of turns) {
          const own = calls.filter(({ id }) => !seen.has(id) && seen.add(id));
          messages.push({ role: "assistant", text, calls: own }, ...own.map(({ id }) => result(id, text)), { role: "user", text: said });
        }
        const input = toResponsesInput(messages);
        const body = { model: "m", input: JSON.parse(JSON.stringify(input)) as unknown };
        expect(problemIn(readRequest(body, undefined, "responses"), new Set())).toBeUndefined();
        expect(JSON.stringify(toResponsesInput(messages))).toBe(JSON.stringify(input));
      }),
    );
  });

  it("has its tools as functions that are not strict", () => {
    const parameters = { type: "object", properties: {} };
    expect(toResponsesTools([{ name: "grep", description: "Finds.", parameters }])).toEqual([
      { type: "function", name: "grep", description: "Finds.", parameters, strict: false },
    ]);
  });
});
