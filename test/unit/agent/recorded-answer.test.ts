import * as fc from "fast-check";
import { expect, it } from "vitest";
import { recordAnswer } from "../../../src/agent/recorded-answer.ts";
import { answer, call } from "./doubles.ts";

it("calls are recorded in the order in which the model made them, whole or not", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (wholes) => {
      const made = wholes.map((isWhole, at) => ({ isWhole, at, call: call(`tool_${at}`, isWhole ? {} : "{oh", `c${at}`) }));
      const calls = made.filter(({ isWhole }) => isWhole).map((one) => one.call);
      const broken = made.filter(({ isWhole }) => !isWhole).map((one) => ({ call: one.call, why: "half", at: one.at }));
      const recorded = recordAnswer(answer({ calls, broken }), new Set());
      expect(recorded.message.calls.map(({ name }) => name)).toEqual(made.map((one) => one.call.name));
      expect([...recorded.broken.keys()]).toEqual(broken.map((one) => one.call.id));
    }),
  );
});

it("no more than 256 calls are taken, and the first that was dropped says how many", () => {
  const calls = Array.from({ length: 300 }, (_, at) => call("look", {}, `c${at}`));
  const { message, broken } = recordAnswer(answer({ calls }), new Set());
  expect(message.calls).toHaveLength(257);
  expect([...broken]).toEqual([["c256", expect.stringContaining("this one and 43 after it were dropped")]]);
});
