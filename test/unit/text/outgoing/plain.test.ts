import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanAndBound } from "../../../../src/text/outgoing/bound-clean.ts";
import { cleanOutgoing } from "../../../../src/text/outgoing/clean.ts";
import { findDirective, withoutDirectives } from "../../../../src/text/outgoing/directives.ts";
import { cleanPlain } from "../../../../src/text/outgoing/plain.ts";
import { PIECES, policy } from "./fixtures.ts";

const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));

describe("a title or a message", () => {
  it.each<[string, string, string]>([
    ["a person", "Ask @octocat and @Mona", "Ask `@octocat` and @Mona"],
    ["a package", "Bump @types/node@20 to 21", "Bump `@types/node@20` to 21"],
    ["a lone backtick", "a ` @octocat", "a ' `@octocat`"],
    ["an issue", "Make sum add, fixes #77", "Make sum add, fixes `#77`"],
    ["an issue in code, where it counts too", "Add `fixes #77` and `closes GH-5`", "Add `fixes 77` and `closes GH 5`"],
    ["an address", "See https://evil.test/a and www.evil.test", "See `evil.test/a` and `evil.test`"],
    ["hidden text", "Fix\u200b it<!-- x -->", "Fix it"],
  ])("makes %s inert", (_, text, expected) => {
    expect(cleanPlain(text, policy).text).toBe(expected);
    expect(cleanPlain(expected, policy)).toEqual({ text: expected, removed: [] });
  });

  it.each([
    "fix: handle € and “quotes” (#12)",
    "Fix a < b\n\nBecause `@decorator` stands there; see https://github.com/acme/app/pull/3.\n\nRefs #4",
    "Add a.b@example.com",
  ])("comes out as it went in when it is honest: %j", (text) => {
    expect(cleanPlain(text, policy)).toEqual({ text, removed: [] });
  });

  it("comes out of a second cleaning as it went in", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = cleanPlain(text, policy).text;
        expect(cleanPlain(cleaned, policy).text).toBe(cleaned);
        expect(cleaned).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?#\d/i);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("orders in a message", () => {
  it.each([
    "fix\n\n[skip ci]",
    "[ci skip] fix",
    "fix [no ci]",
    "fix ***NO_CI***",
    "fix\n\n\nskip-checks: true",
    "feat!: x\n\nRelease-As: 99.0.0",
    "x\n\nBEGIN_COMMIT_OVERRIDE\nfeat: y\nEND_COMMIT_OVERRIDE",
    "fix\n\nCo-authored-by: x <a@evil.test>",
    "fix\n\nSigned-off-by: Mona <mona@example.com>",
    "fix\n  reviewed-by: x",
  ])("are found, and can be read without being obeyed: %j", (text) => {
    expect(findDirective(text)).toBeDefined();
    expect(findDirective(withoutDirectives(text))).toBeUndefined();
  });

  it.each([
    "Add a [skip link] to the header",
    "Document how to skip CI",
    "feat!: x\n\nBREAKING CHANGE: y",
    "Order by: name\n\nRefs: #4",
    "Let the release be named as: x",
  ])("are not seen in honest words: %j", (text) => {
    expect(findDirective(text)).toBeUndefined();
    expect(withoutDirectives(text)).toBe(text);
  });
});

describe("a long text", () => {
  it("is cut to its limit with a note and stays clean, where code that the cut opens comes to life too", () => {
    const text = `${"a ".repeat(100)}\`${"@octocat fixes #1 https://evil.test ".repeat(400)}\``;
    const { text: cut } = cleanAndBound(text, policy, 4000, "the rest");
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4000);
    expect(cut).toMatch(/\[cut: \d+ characters, the rest\]/);
    expect(cleanOutgoing(cut, policy).text).toBe(cut);
  });

  it("fits and is clean, whatever it is", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 60, max: 400 }), (piece, limit) => {
        const { text } = cleanAndBound(piece.repeat(20), policy, limit, "more");
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        expect(cleanOutgoing(text, policy).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("is left alone when it fits", () => {
    expect(cleanAndBound("It adds now.", policy, 100, "more")).toEqual({ text: "It adds now.", removed: [] });
  });
});
