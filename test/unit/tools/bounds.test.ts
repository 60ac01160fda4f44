import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, cutAtCharacter, keepLines, shorten } from "../../../src/tools/bounds.ts";

const anyText = fc.array(fc.constantFrom("a", "é", "語", "🍎", "\n"), { maxLength: 60 }).map((list) => list.join(""));
const limit = fc.integer({ min: 1, max: 80 });

describe("cutting texts", () => {
  it("never cuts inside a character", () => {
    fc.assert(
      fc.property(anyText, limit, (text, most) => {
        const bytes = Buffer.from(text);
        const end = cutAtCharacter(bytes, most);
        expect(end).toBeLessThanOrEqual(most);
        expect(end).toBeGreaterThan(Math.min(most, bytes.length) - 4);
        expect(text.startsWith(bytes.toString("utf8", 0, end))).toBe(true);
      }),
    );
  });

  it("keeps whole lines and counts them", () => {
    fc.assert(
      fc.property(anyText, limit, (text, most) => {
        const kept = keepLines(text, most);
        expect(text.startsWith(kept.text)).toBe(true);
        expect(Buffer.byteLength(kept.text)).toBeLessThanOrEqual(most);
        expect(kept.total).toBe(countLines(Buffer.from(text)));
        if (kept.text !== text && kept.shown > 0) expect(kept.text.endsWith("\n")).toBe(true);
        if (kept.shown > 0) expect(kept.shown).toBe(countLines(Buffer.from(kept.text)));
      }),
    );
  });

  it("shortens to whole characters", () => {
    fc.assert(
      fc.property(anyText, limit, (text, most) => {
        const short = shorten(text, most);
        expect(short.isWellFormed()).toBe(true);
        expect(short.length).toBeLessThanOrEqual(most + 1);
      }),
    );
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
  ])("counts the lines of %j as %i", (text, lines) => {
    expect(countLines(Buffer.from(text))).toBe(lines);
  });
});
