import { describe, expect, it } from "vitest";
import { nearest } from "../../../src/text/nearest.ts";

describe("nearest", () => {
  it.each([
    ["a letter too few", "reviw", "review"],
    ["two letters swapped", "hlep", "help"],
    ["two letters swapped, and a longer name as near by letters", "modle", "model"],
    ["another case", "STOP", "stop"],
    ["nothing alike", "banana", undefined],
  ])("answers what a word was meant to be: %s", (_, word, expected) => {
    expect(nearest(word, ["review", "stop", "help", "models", "model"])).toBe(expected);
  });
});
