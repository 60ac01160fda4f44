import { expect, test } from "vitest";
import { counted, span } from "../../../src/web/words.ts";

test.each([
  { milliseconds: -5000, says: "0 s" },
  { milliseconds: 400, says: "0 s" },
  { milliseconds: 59_400, says: "59 s" },
  { milliseconds: 59_600, says: "1 min" },
  { milliseconds: 3_599_000, says: "59 min" },
  { milliseconds: 3_600_000, says: "1 h" },
  { milliseconds: 86_399_000, says: "23 h" },
  { milliseconds: 86_400_000 * 1200, says: "1,200 d" },
])("$milliseconds ms are $says", ({ milliseconds, says }) => {
  expect(span(milliseconds)).toBe(says);
});

test.each([
  { value: 0, says: "0 tokens" },
  { value: 1, says: "1 token" },
  { value: 1_234_567, says: "1,234,567 tokens" },
])("$value is $says", ({ value, says }) => {
  expect(counted(value, "token")).toBe(says);
});
