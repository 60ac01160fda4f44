import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openFenceAtEnd, scanMarkdown } from "../../../src/text/blocks.ts";
import { boundText } from "../../../src/text/bound.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const last = (text: string): string => text.split("\n").at(-1) ?? "";
const count = (text: string, part: string): number => text.split(part).length - 1;

describe("boundText", () => {
  it("leaves a text alone that fits to the byte", () => {
    expect(boundText("über", 5, "the rest")).toBe("über");
  });

  it("says how much was cut and what it was", () => {
    const bounded = boundText("a".repeat(1000), 100, "the rest is on the run's page");
    expect(last(bounded)).toBe(`[cut: ${1000 - count(bounded.split("\n")[0] ?? "", "a")} characters, the rest is on the run's page]`);
    // The note's count is measured at its longest, so a byte may stay free.
    expect([99, 100]).toContain(bytes(bounded));
  });

  it.each([
    ["an emoji of four bytes", "🍎"],
    ["a family joined of many", "👨‍👩‍👧‍👦"],
    ["a letter with its accent", "e\u0301"],
    ["three bytes a letter", "漢"],
  ])("cuts between whole characters: %s", (_, character) => {
    for (let limit = 60; limit < 90; limit += 1) {
      const [head = ""] = boundText(character.repeat(50), limit, "the rest").split("\n");
      expect(head).toBe(character.repeat(head.length / character.length));
    }
  });

  it.each([
    ["a fence", `before\n\n\`\`\`js\n${"line\n".repeat(200)}\`\`\`\n`, "```\n\n[cut:"],
    ["a long fence with a shorter inside", `~~~~~\n~~~\n${"line\n".repeat(200)}~~~~~\n`, "~~~~~\n\n[cut:"],
    ["folded details", `<details>\n<summary>log</summary>\n\n${"word ".repeat(200)}\n</details>`, "</details>\n\n[cut:"],
    ["a fence in details", `<details>\n\n\`\`\`\n${"line\n".repeat(200)}\`\`\`\n</details>`, "```\n\n</details>\n\n[cut:"],
    ["details in details", `<details>\n\n<details>\n\n${"word ".repeat(200)}</details></details>`, "</details></details>\n\n[cut:"],
    ["a summary", `<details>\n<summary>${"word ".repeat(200)}</summary></details>`, "</summary></details>\n\n[cut:"],
  ])("closes %s that the cut goes through", (_, text, end) => {
    const bounded = boundText(text, 300, "more");
    expect(bounded).toContain(end);
    expect(bytes(bounded)).toBeLessThanOrEqual(300);
  });

  it("drops a comment that the cut goes through", () => {
    const bounded = boundText(`words\n\n<!-- ${"hidden ".repeat(100)} -->`, 120, "more");
    expect(bounded).toMatch(/^words\n\n\[cut: \d+ characters, more\]$/);
  });

  it("drops a tag that the cut goes through", () => {
    for (let limit = 60; limit < 80; limit += 1)
      expect(boundText(`${"w".repeat(25)} <details open class="x">${"a".repeat(100)}`, limit, "more")).not.toMatch(/<[^>]*\n/);
  });

  it("closes nothing that is only named in code", () => {
    expect(boundText(`\`<details>\` ${"word ".repeat(100)}`, 200, "more")).not.toContain("</details>");
  });

  it("refuses a limit that its own note does not fit into", () => {
    expect(() => boundText("a".repeat(100), 10, "the rest")).toThrow(RangeError);
  });

  it("keeps the limit, the beginning and the balance of whatever it is given", () => {
    const piece = fc.constantFrom(
      "word ",
      "🍎",
      "漢",
      "\n",
      "\n\n",
      "```\n",
      "~~~~\n",
      "> ",
      "- ",
      "<details>\n",
      "</details>\n",
      "<!--",
      "-->",
      "`",
      "<b",
      ">",
      "<pre>\n",
      "<code>",
      "</code>",
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 30, maxLength: 120 }), fc.integer({ min: 40, max: 200 }), (pieces, limit) => {
        const text = pieces.join("");
        const bounded = boundText(text, limit, "more");
        expect(bytes(bounded)).toBeLessThanOrEqual(limit);
        expect(bounded.isWellFormed()).toBe(true);
        if (bounded === text) return;
        expect(openFenceAtEnd(bounded)).toBeUndefined();
        const { kind, quoted } = scanMarkdown(bounded).at(-1) ?? {};
        expect([kind, quoted]).toEqual(["prose", false]);
      }),
      { numRuns: 1000 },
    );
  });
});
