import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteMatches, lineAt } from "../../../../src/tools/repo/byte-matches.ts";

/** Few different bytes, so that matches and near matches are common. */
const bytes = (maxLength: number) => fc.array(fc.constantFrom(0x61, 0x62, 0x0a), { maxLength }).map((list) => Uint8Array.from(list));

function naive(haystack: Uint8Array, needle: Uint8Array): readonly number[] {
  const found: number[] = [];
  if (needle.length === 0) return found;
  for (let at = 0; at + needle.length <= haystack.length; at++)
    if (needle.every((byte, index) => haystack[at + index] === byte)) found.push(at);
  return found;
}

describe("byteMatches", () => {
  it("finds what comparing at every offset finds", () => {
    fc.assert(
      fc.property(bytes(40), bytes(5), (haystack, needle) => {
        expect(byteMatches(haystack, needle)).toEqual(naive(haystack, needle));
      }),
    );
  });

  it.each([
    ["overlapping ones", "aaaa", "aa", [0, 1, 2]],
    ["none of an empty text", "abc", "", []],
    ["none of a longer text", "ab", "abc", []],
    ["one after a false start", "aabaabaaab", "aabaaab", [3]],
  ])("finds %s", (_, haystack, needle, expected) => {
    expect(byteMatches(Buffer.from(haystack), Buffer.from(needle))).toEqual(expected);
  });

  it("stops at its limit", () => {
    expect(byteMatches(Buffer.from("aaaa"), Buffer.from("a"), 2)).toEqual([0, 1]);
  });

  it("needs no more than linear time for what defeats other searches", () => {
    const file = Buffer.alloc(4_000_000, "a");
    expect(byteMatches(file, Buffer.from(`b${"a".repeat(200_000)}`))).toEqual([]);
    expect(byteMatches(file, Buffer.from(`${"a".repeat(200_000)}b`))).toEqual([]);
  });
});

describe("lineAt", () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [4, 3],
  ])("says that offset %i is on line %i", (offset, line) => {
    expect(lineAt(Buffer.from("a\nb\nc"), offset)).toBe(line);
  });
});
