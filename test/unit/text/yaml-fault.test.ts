import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { YAML_OPTIONS, yamlFault } from "../../../src/text/yaml-fault.ts";

const faultOf = (text: string) => yamlFault(parseDocument(text, YAML_OPTIONS));

test.each([
  ["a good text", "a: 1\nb: [1, {c: 2}]\n", undefined],
  ["an empty text", "", undefined],
  ["a key that comes twice", "a: 1\nb: 2\na: 3\n", { at: 10, why: "Map keys must be unique" }],
  ["one further in", "a: {b: 1, b: 2}\n", { at: 10, why: "Map keys must be unique" }],
  ["the same key in two places", "a: {b: 1}\nc: {b: 1}\n", undefined],
  ["a number and its text", "1: a\n'1': b\n", undefined],
  ["what is broken before it", "a: [1\nb: 2\nb: 3\n", { at: 6, why: expect.stringContaining("Flow sequence") }],
])("%s is told for what it is", (_, text, fault) => {
  const found = faultOf(text);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ why: fault.why });
  if (typeof fault?.why === "string") expect(found?.at).toBe(fault.at);
});

test("more aliases than anybody writes are refused before they are followed", () => {
  const text = `a: &a 1\nb: [${"*a,".repeat(1001)}]\n`;
  expect(faultOf(text)).toMatchObject({ isCostly: true });
  expect(faultOf(`a: &a 1\nb: [${"*a,".repeat(1000)}]\n`)).toBeUndefined();
});

test("tens of thousands of keys are looked through once", { timeout: 30_000 }, () => {
  const keys = Array.from({ length: 40_000 }, (_, at) => `k${at}: `);
  expect(faultOf(keys.join("\n"))).toBeUndefined();
  expect(faultOf([...keys, "k0: "].join("\n"))).toMatchObject({ why: "Map keys must be unique" });
});

test("finds the same texts faulty as the parser that compares each key with each", () => {
  const key = fc.constantFrom("a", "b", "1", "'1'", "~", "null", "true", "[a]", "{a: 1}");
  const map = fc.array(key, { maxLength: 5 }).map((keys) => `{${keys.map((one) => `${one}: x`).join(", ")}}`);
  fc.assert(
    fc.property(fc.array(map, { maxLength: 3 }), (maps) => {
      const text = `[${maps.join(", ")}]`;
      const strict = parseDocument(text, { prettyErrors: false }).errors.length > 0;
      expect(faultOf(text) !== undefined).toBe(strict);
    }),
  );
});
