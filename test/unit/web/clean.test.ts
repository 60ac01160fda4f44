import { describe, expect, test } from "vitest";
import { holdSecrets } from "../../../src/core/secrets.ts";
import { cleanAll, cleanWith, cut, oneLine } from "../../../src/web/clean.ts";

const SECRET = "s3cret-value-0123456789";
const clean = cleanWith(holdSecrets([SECRET]).mask);

describe("a text of a run", () => {
  test.each([
    { name: "a secret", text: `key ${SECRET}!`, shown: "key ***!" },
    { name: "a secret broken up by a character of no width", text: `key s3cret-\u200bvalue-0123456789!`, shown: "key ***!" },
    { name: "a change of direction", text: "abc\u202etxt.exe", shown: "abctxt.exe" },
    { name: "a terminal's colours", text: "\u001b[31mred", shown: "[31mred" },
    { name: "line ends and tabs", text: "a\n\tb\r\n", shown: "a\n\tb\r\n" },
  ])("is shown without harm when it holds $name", ({ text, shown }) => {
    expect(clean(text)).toBe(shown);
  });

  test("is cleaned wherever it stands in a value; what is no text stays", () => {
    const at = new Date();
    const value = { at, list: [SECRET, 1, null, { [SECRET]: { deep: `\u202e${SECRET}` } }], yes: true, none: undefined };
    expect(cleanAll(value, clean)).toEqual({ at, list: ["***", 1, null, { "***": { deep: "***" } }], yes: true, none: undefined });
  });

  test.each([
    { name: "a text that fits", text: "abc", limit: 3, shown: "abc", left: 0 },
    { name: "a longer one", text: "abcd", limit: 3, shown: "abc", left: 1 },
    { name: "one with a pair at the cut", text: "ab💥c", limit: 3, shown: "ab", left: 3 },
  ])("$name is cut between characters, and what is left is counted", ({ text, limit, shown, left }) => {
    expect(cut(text, limit)).toEqual({ shown, left });
  });

  test("becomes one line with an ellipsis where something is missing", () => {
    expect(oneLine(" a\n\n  b ", 9)).toBe("a b");
    expect(oneLine("one two three", 8)).toBe("one two…");
  });
});
