import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it, test } from "vitest";
import type { GraphSymbol } from "../../../../src/graph/graph.ts";
import type { ChangeGlance, TouchedSymbol } from "../../../../src/graph/query/change-glance.ts";
import { showReach } from "../../../../src/runs/gate-check/show-reach.ts";

const markdown = new MarkdownIt({ html: true, linkify: true });

let ids = 0;
const symbol = (qualified: string, path: string, more: Partial<GraphSymbol> = {}): GraphSymbol => ({
  id: (ids += 1),
  name: qualified,
  qualified,
  kind: "function",
  path,
  line: 3,
  endLine: 4,
  isExported: true,
  isTest: false,
  parent: undefined,
  fact: 0,
  ...more,
});
const touched = (more: Partial<TouchedSymbol> = {}): TouchedSymbol => ({
  symbol: symbol("sum", "src/sum.ts"),
  how: "changed",
  callers: [],
  callerCount: 0,
  callerFiles: 0,
  tests: [],
  testCount: 0,
  ...more,
});
const glance = (symbols: readonly TouchedSymbol[], count = symbols.length): ChangeGlance => ({ symbols, count });
const picture = (text: string): readonly string[] =>
  (/```mermaid\ngraph LR\n([\s\S]*?)\n?```/.exec(text)?.[1] ?? "").split("\n").filter(Boolean);

describe("how far a change reaches", () => {
  test.each([
    ["nothing, where nothing is looked up", undefined, /^$/],
    ["that it follows, where it is being looked up", "late", /is being looked up, and follows here/],
    ["that nothing is known, where there is no graph", "unknown", /nothing is said of how far/],
    ["that nobody can use it, where no public symbol is touched", glance([]), /nothing that other code may use/],
  ] as const)("is told as %s", (_, given, said) => {
    expect(showReach(given)).toMatch(said);
  });

  it("names each symbol with its place, who uses it and which tests come to it", () => {
    const callers = [symbol("total", "src/box.ts")];
    const tests = [symbol("test/sum.test.ts", "test/sum.test.ts", { kind: "module" })];
    const one = touched({ callers, callerCount: 7, callerFiles: 2, tests, testCount: 1 });
    expect(showReach(glance([one]))).toContain(
      "- `sum` changed, `src/sum.ts:3`: used in 7 places of 2 files (`total` …); reached by 1 test (`test/sum.test.ts`)",
    );
  });

  it("says what no test reaches, and counts nothing removed among it", () => {
    const said = showReach(glance([touched(), touched({ symbol: symbol("gone", "src/gone.ts"), how: "removed" })]));
    expect(said).toContain("It touches 2 public symbols; no test reaches 1 of them.");
    expect(said).toContain("- `sum` changed, `src/sum.ts:3`: nothing else uses it; **no test reaches it**");
    expect(said).toContain("- `gone` removed, `src/gone.ts:3`: nothing else uses it\n");
  });

  it("draws users and tests towards what they use, and nothing towards itself", () => {
    const self = symbol("sum", "src/sum.ts");
    const one = touched({ symbol: self, callers: [self, symbol("total", "src/box.ts")], tests: [symbol("adds", "test/a.test.ts")] });
    expect(picture(showReach(glance([one])))).toEqual(['  n0[["sum"]]', '  n1["total"]', '  n2(["adds"])', "  n1 --> n0", "  n2 --> n0"]);
  });

  it("stays short, however much there is", () => {
    const many = (n: number) => Array.from({ length: n }, (_, at) => symbol(`caller${at}`, `src/${at}.ts`));
    const all = Array.from({ length: 60 }, (_, at) =>
      touched({ symbol: symbol(`f${at}`, `src/f${at}.ts`), callers: many(5), callerCount: 1e9, callerFiles: 1e6 }),
    );
    const said = showReach(glance(all, 123_456));
    expect(said).toContain("It touches 123456 public symbols; no test reaches 60 of them. Looked at: 60 of 123456.");
    expect(said).toContain("- and 40 more");
    expect(picture(said).filter((line) => line.includes("["))).not.toHaveLength(0);
    expect(picture(said).filter((line) => line.includes("[")).length).toBeLessThanOrEqual(40);
  });

  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom(
      "`",
      "``` \n# x",
      '"]; click n0 "javascript:alert(1)"',
      "<img src=x>",
      "@maria",
      "[a](https://evil.example)",
      "\u202e",
      "\ud800",
      "--> n0",
      "%%{init: {}}%%",
      "https://evil.example",
    ),
  );
  it("holds no word of a symbol's or a file's name that could act, in text or picture", () => {
    const any = fc.record({ qualified: hostile, path: hostile, kind: fc.constantFrom("function" as const, "module" as const) });
    const check = fc.property(
      any,
      fc.array(any, { maxLength: 5 }),
      fc.constantFrom("added" as const, "changed" as const, "removed" as const),
      (own, others, how) => {
        const made = others.map(({ qualified, path, kind }) => symbol(qualified, path, { kind }));
        const one = touched({
          symbol: symbol(own.qualified, own.path),
          how,
          callers: made,
          callerCount: made.length,
          callerFiles: 1,
          tests: made,
          testCount: made.length,
        });
        const said = showReach(glance([one]));
        const tokens = markdown.parse(said, {}).flatMap((token) => [token, ...(token.children ?? [])]);
        const kinds = new Set(tokens.map(({ type }) => type));
        for (const type of ["html_block", "html_inline", "link_open", "image", "code_block"]) expect(kinds).not.toContain(type);
        expect(tokens.filter(({ type }) => type === "fence")).toHaveLength(1);
        expect(tokens.filter(({ type }) => type === "heading_open")).toHaveLength(1);
        expect(tokens.filter(({ type }) => type === "list_item_open")).toHaveLength(1);
        for (const line of picture(said))
          expect(line).toMatch(/^ {2}n\d+ --> n\d+$|^ {2}n\d+(?:\[\[|\[|\(\[)"[\p{L}\p{N}_$./ ?…-]{0,60}"(?:\]\]|\]|\]\))$/u);
        expect(said.isWellFormed()).toBe(true);
      },
    );
    fc.assert(check);
  });
});
