import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../../../src/graph/query/context.ts";
import { packOf, tokensOf } from "../../../../src/graph/query/pack.ts";
import { draw } from "./hand-made.ts";

describe("a pack", () => {
  it("never has more tokens than its budget, whatever is put into it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.tuple(fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom(0.5, 1))),
        fc.string({ maxLength: 200 }),
        (budget, pieces, last) => {
          const pack = packOf(budget);
          const taken = pieces.filter(([piece, share]) => pack.add(piece, share)).map(([piece]) => piece);
          pack.close(last);
          expect(tokensOf(pack.text())).toBeLessThanOrEqual(budget);
          expect(pack.text().startsWith(taken.join("\n\n"))).toBe(true);
        },
      ),
    );
  });
});

describe("a context", () => {
  const symbols = Array.from({ length: 60 }, (_, id) => ({ at: `src/${id}.ts`, name: `f${id}`, lines: [1, 6] as const }));
  const asked = draw(
    symbols,
    symbols.slice(1).map((_, id) => [id + 1, "call", 0] as const),
  );
  const read = (path: string) =>
    Promise.resolve(Array.from({ length: 6 }, (_, line) => `${path} line ${line} ${"words ".repeat(8)}`).join("\n"));

  it("keeps to its budget and fills it: a larger one holds more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 20, max: 9000 }), async (budgetTokens) => {
        const { text } = await contextOf(asked, { symbols: [0], budgetTokens, read });
        expect(tokensOf(text)).toBeLessThanOrEqual(budgetTokens);
      }),
      { numRuns: 40 },
    );
    const [small, large] = await Promise.all([400, 4000].map((budgetTokens) => contextOf(asked, { symbols: [0], budgetTokens, read })));
    expect(small?.text).toContain("src/0.ts line 5");
    expect(small?.text).toMatch(/\[\d+ of 60 symbols nearby are shown; a larger budget_tokens shows more\]$/);
    expect(tokensOf(large?.text ?? "")).toBeGreaterThan(3000);
    expect(large?.text).toContain("calls f0 at line");
  });

  it("begins with what is asked for, also where others are used more", async () => {
    const { text } = await contextOf(asked, { symbols: [7], budgetTokens: 1000, read });
    expect(text).toMatch(/^src\/7\.ts:1-6 function f7 — asked for\n/);
  });

  it("goes on without the text of a file that cannot be read", async () => {
    const { text } = await contextOf(asked, { symbols: [0], budgetTokens: 500, read: () => Promise.resolve(undefined) });
    expect(text).toMatch(/^src\/0\.ts:1-6 function f0 — asked for\n\nsrc\//);
  });

  it("shows what the repository leans on most where nothing is asked for", async () => {
    const { text } = await contextOf(asked, { symbols: [], budgetTokens: 300, read });
    expect(text).toContain("function f0");
  });
});
