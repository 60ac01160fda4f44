import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pictureReferences } from "../../../src/text/picture-references.ts";

const A = "https://github.com/user-attachments/assets/aaa";
const B = "https://github.com/user-attachments/assets/bbb";

describe("the pictures that a text shows", () => {
  it.each([
    ["an image", `see ![it](${A})`, [A]],
    ["an image with a title and pointed brackets", `![it](<${A}> "title") ![x]( ${B} 'y')`, [A, B]],
    ["an element", `<img width="10" alt="x" src="${A}" />`, [A]],
    ["an element in single quotes, in none, and over lines", `<img\n src='${A}'><IMG SRC=${B}>`, [A, B]],
    ["an address with an ampersand as HTML writes it", `<img src="${A}?a=1&amp;b=2">`, [`${A}?a=1&b=2`]],
    ["a reference", `![it][1] and ![two]\n\n[1]: ${A}\n[two]: <${B}> "t"\n`, [A, B]],
    ["the same twice", `![a](${A}) <img src="${A}">`, [A]],
    ["two in their order", `<img src="${B}"> ![a](${A})`, [B, A]],
    ["an image in a link", `[![a](${A})](https://x.test)`, [A]],
    ["an image in a quote and in a list", `> ![a](${A})\n\n- ![b](${B})\n`, [A, B]],
  ])("are told of %s", (_, text, expected) => {
    expect(pictureReferences(text)).toEqual(expected);
  });

  it.each([
    ["a link", `[it](${A})`],
    ["code", `\`![it](${A})\` and\n\n\`\`\`\n![it](${A})\n<img src="${A}">\n\`\`\`\n`],
    ["a comment", `<!-- ![it](${A}) <img src="${A}"> -->`],
    ["a path of the repository", "![it](docs/a.png) <img src=docs/a.png>"],
    ["data and files", "![it](data:image/png;base64,AAAA) <img src='file:///etc/passwd'>"],
    ["an element that is none", `<image src="${A}"> <a href="${A}">`],
  ])("are none in %s", (_, text) => {
    expect(pictureReferences(text)).toEqual([]);
  });

  it("are all addresses of the web, of any text", () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom("![", "](", "]", "[", ")", "<img ", "src=", '"', "https://x.test/a", "\n", "`", "<!--", "-->", "]: "),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const address of pictureReferences(parts.join(""))) expect(address).toMatch(/^https?:\/\/./i);
      }),
    );
  });

  it.each(["![", "<img ", "![a](https://", "[a]: ", '<img src="https://'])(
    "are looked for in %j over and over in the test's time",
    (part) => {
      expect(pictureReferences(part.repeat(Math.floor(65_000 / part.length)))).toBeInstanceOf(Array);
    },
  );
});
