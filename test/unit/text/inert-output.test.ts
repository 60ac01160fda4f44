import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inertOutput } from "../../../src/text/inert-output.ts";

test.each([
  ["colours", "\u001b[31mred", String.raw`\u001b[31mred`],
  ["the C1 form of them", "\u009b31mred", String.raw`\u009b31mred`],
  ["a title of the window", "\u001b]0;x\u0007", String.raw`\u001b]0;x\u0007`],
  ["a line that is written over", "good\rbad", String.raw`good\u000dbad`],
  ["another direction", "a\u202eb", String.raw`a\u202eb`],
  ["hidden tags", "a\u{e0041}", String.raw`a\udb40\udc41`],
  ["lines, tabs and other scripts", "a\n\tb – 中 👩‍💻 كتاب", "a\n\tb – 中 👩‍💻 كتاب"],
])("%s come to a terminal as they can be read", (_, text, expected) => {
  expect(inertOutput(text)).toBe(expected);
});

test("JSON stays the same JSON", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom("\u009b", "\u202e", "\u{e0041}", "\\", '"', "\u007f", "\n"), fc.string()),
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.dictionary(text, text), (value) => {
      expect(JSON.parse(inertOutput(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
