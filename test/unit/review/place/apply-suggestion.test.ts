import { expect, test } from "vitest";
import { applySuggestion } from "../../../../src/review/place/apply-suggestion.ts";

const lines = (first: number, last = first) => ({ first, last });

test.each([
  ["a line", "a\nb\nc\n", lines(2), "B", "a\nB\nc\n"],
  ["several by one", "a\nb\nc\n", lines(1, 2), "x", "x\nc\n"],
  ["one by several", "a\nb\n", lines(1), "x\ny", "x\ny\nb\n"],
  ["nothing", "a\nb\nc\n", lines(2), "", "a\nc\n"],
  ["the last one of a file without a line end", "a\nb", lines(2), "B", "a\nB"],
  ["a line whose end has a carriage return", "a\r\nb\r\n", lines(1), "x\ny", "x\r\ny\r\nb\r\n"],
  ["the same, from a text that has them as well", "a\r\nb\r\n", lines(1), "x\r\ny", "x\r\ny\r\nb\r\n"],
])("puts a suggestion in place of %s", (_, text, span, suggestion, expected) => {
  expect(applySuggestion(text, span, suggestion)).toBe(expected);
});

test.each([lines(0), lines(3), lines(2, 1), lines(2, 3)])("does not apply to lines that the file has not: %o", (span) => {
  expect(applySuggestion("a\nb\n", span, "x")).toBeUndefined();
});
