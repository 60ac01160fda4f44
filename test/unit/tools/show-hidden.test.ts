import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restoreHidden, showHidden } from "../../../src/tools/show-hidden.ts";
import { showPath } from "../../../src/tools/show-path.ts";

const text = fc
  .array(fc.constantFrom("a", "é", "🍎", "\u200b", "\u202e", "\u{e0041}", "\u200d", "\n", "\ufeff"), { maxLength: 20 })
  .map((list) => list.join(""));

describe("showHidden", () => {
  it.each([
    ["plain text", "a\r\n\tb é 語 🍎", "a\r\n\tb é 語 🍎"],
    ["direction", "a\u202eb\u2066c", "a⟦U+202E⟧b⟦U+2066⟧c"],
    ["zero width", "adm\u200bin", "adm⟦U+200B⟧in"],
    ["tag characters", "x\u{e0041}", "x⟦U+E0041⟧"],
    ["controls", "a\u0008b\u001b[0m", "a⟦U+0008⟧b⟦U+001B⟧[0m"],
    ["joined emoji", "👨‍👩‍👧", "👨‍👩‍👧"],
    ["a joiner that joins nothing", "a\u200db", "a⟦U+200D⟧b"],
  ])("shows %s", (_, given, shown) => {
    expect(showHidden(given)).toBe(shown);
  });

  it("changes nothing twice, and can be taken back against the text itself", () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = showHidden(given);
        expect(showHidden(shown)).toBe(shown);
        expect(restoreHidden(shown, given)).toBe(given);
      }),
    );
  });
});

describe("restoreHidden", () => {
  it.each([
    ["a character that the file does not hold", "⟦U+202E⟧", "a\u200b", "⟦U+202E⟧"],
    ["a character that shows", "⟦U+0041⟧", "A", "⟦U+0041⟧"],
    ["a number that is no character", "⟦U+FFFFFF⟧", "\u200b", "⟦U+FFFFFF⟧"],
    ["another spelling", "⟦U+0200B⟧", "\u200b", "⟦U+0200B⟧"],
  ])("leaves %s as text", (_, given, file, expected) => {
    expect(restoreHidden(given, file)).toBe(expected);
  });
});

describe("showPath", () => {
  it.each([
    ["src/a b [c].ts", "src/a b [c].ts"],
    ["-dash", "-dash"],
    [" lead", '" lead"'],
    ["a\nb", '"a\\nb"'],
    ['a"b', 'a"b'],
    ['"a"', '"\\"a\\""'],
    ["a\u200bb", '"a\u200bb"'],
  ])("shows %j as %s", (path, shown) => {
    expect(showPath(path)).toBe(shown);
  });
});
