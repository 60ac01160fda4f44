import { expect, test } from "vitest";
import { instructionsFor } from "../../../../src/review/read/instructions-for.ts";

const paths = { "**/*.ts": "Types.", "docs/**": "Plain words.", ".github/**": "Pin actions." };
test.each<[string, readonly string[], readonly string[]]>([
  ["those of its files, at the root too", ["a.ts"], ["Types."]],
  ["those of hidden folders", [".github/workflows/ci.yml"], ["Pin actions."]],
  ["those of any of them", ["x/y.ts", "docs/a.md"], ["Types.", "Plain words."]],
  ["none where nothing matches", ["a.py"], []],
])("of the instructions by path a review is told %s", (_, changed, expected) => {
  const found = instructionsFor({ all: "Be brief.", paths }, changed);
  expect(Object.values(found.paths)).toEqual(expected);
  expect(found.all).toBe("Be brief.");
});
