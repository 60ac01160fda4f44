import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openExtractor } from "../../../../src/graph/extract/extract.ts";
import { internedStrings } from "../../../../src/graph/extract/own-strings.ts";
import { extractTypeScript } from "../../../../src/graph/extract/typescript.ts";
import { syntaxOf } from "../../../../src/graph/extract/typescript-syntax.ts";
import typescript from "typescript";

test("a name is kept as it is written, whatever it consists of", () => {
  const interned = internedStrings();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(interned(text)).toBe(text);
      expect(interned(Buffer.from(text, "utf16le").toString("utf16le"))).toBe(text);
    }),
  );
  expect(interned("\ud800 alone")).toBe("\ud800 alone");
});

test("giving facts their own strings changes none of them", async () => {
  const text = `
import { Something as other } from "./a-rather-long-specifier"
export * from "../another-long-specifier"
export class ContainerOfThings<ElementOfThings extends other.SomethingLonger> {
  readonly fieldWithALongName: ContainerOfThings<ElementOfThings>["fieldWithALongName"]
  async methodWithALongName(parameterWithALongName: number) {
    return [1].map((n) => this.fieldWithALongName.methodWithALongName(n, { optionWithALongName: () => "ä€𝄞" }))
  }
}
`;
  const found = await openExtractor().extract(Buffer.from(text), "typescript");
  expect(found).toEqual({ ok: true, facts: extractTypeScript(syntaxOf(typescript), text, "typescript") });
});
