import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONGEST_SCANNED, openFenceAtEnd, scanMarkdown, type SegmentKind } from "../../../src/text/blocks.ts";

/** What of the text is of this kind, each stretch trimmed; quoted ones with `>` in front. */
function stretches(text: string, kind: SegmentKind): string[] {
  return scanMarkdown(text)
    .filter((segment) => segment.kind === kind)
    .map(({ quoted, start, end }) => `${quoted ? ">" : ""}${text.slice(start, end).trim()}`)
    .filter((stretch) => stretch !== "");
}

describe("scanMarkdown", () => {
  it.each<[string, SegmentKind, string, string[]]>([
    ["a fence with its lines", "code-block", "a\n```js\nb\n```\nc", ["```js\nb\n```"]],
    ["a fence that a shorter one inside does not end", "code-block", "~~~~\nb\n~~~\n```\nc\n~~~~\nd", ["~~~~\nb\n~~~\n```\nc\n~~~~"]],
    ["a fence that ends with the text", "code-block", "a\n\n```\nb\n\nc", ["```\nb\n\nc"]],
    ["a fence with carriage returns", "code-block", "~~~\r\na\r\n~~~\r\nb", ["~~~\r\na\r\n~~~"]],
    ["a fence in a list, which ends with it", "code-block", "- a\n\n  ```\n  b\n\nc", ["```\n  b"]],
    ["indented code", "code-block", "a\n\n    b\n\tc\n\nd", ["b\n\tc"]],
    ["no code where an indented line goes on with a paragraph", "code-block", "a\n    b", []],
    ["a code span", "code-span", "a `b` c", ["`b`"]],
    ["a code span over lines", "code-span", "a `b\nc` d", ["`b\nc`"]],
    ["a code span with backticks in it", "code-span", "a `` b ` c `` d", ["`` b ` c ``"]],
    ["no code span over a paragraph's end", "code-span", "a `b\n\nc` d", []],
    ["no code span that is escaped", "code-span", "a \\`b` c", []],
    ["a code span before a tag that starts inside it", "code-span", '`<a title="`">`', ['`<a title="`']],
    ["no code span over a table's cells", "code-span", "| a | b |\n|---|---|\n| `c | d` |", []],
    ["code spans in table cells", "code-span", "| a | b |\n|---|---|\n| `c` | `d\\|e` |", ["`c`", "`d\\|e`"]],
    ["a comment", "comment", "a <!-- b\nc --> d", ["<!-- b\nc -->"]],
    ["a comment block over blank lines", "comment", "a\n<!--\n\nb\n\n-->\nc", ["<!--\n\nb\n\n-->"]],
    ["a comment nobody closed as far as the text goes", "comment", "- <!-- a\n\nb\n\n`c`", ["<!-- a\n\nb\n\n`c`"]],
    ["no comment that a paragraph opens and does not close", "comment", "a <!-- b\n\nc", []],
    ["tags", "html", 'a <b class="c>d">e</b> f', ['<b class="c>d">', "</b>"]],
    ["all that a code element holds", "html", "a <code>b</code> c", ["<code>b</code>"]],
    [
      "all that a quote element holds, over blocks",
      "html",
      "<blockquote>\n\na\n\n</blockquote>\n\nb",
      ["<blockquote>", "a", "</blockquote>"],
    ],
    ["a link with its words and title", "link", "a [b](c 'd') e", ["[b](c 'd')"]],
    ["an image with its alternative text", "link", "a ![b](<c d>) e", ["![b](<c d>)"]],
    ["an image inside a link", "link", "[![a](b)](c) d", ["[![a](b)](c)"]],
    ["links by reference", "link", "[a] [b][A] [c][] [d]\n\n[a]: x\n[c]: y", ["[a]", "[b][A]", "[c][]"]],
    ["no link without a definition", "link", "[a] [b](c", []],
    ["an address in angle brackets", "link", "a <https://b.c/d> e", ["<https://b.c/d>"]],
    ["bare addresses", "link", "a https://b.c/d www.e.f ssh://g@h/i", ["https://b.c/d", "www.e.f", "ssh://g@h/i"]],
    ["an e-mail address", "link", "a b@c.de f", ["b@c.de"]],
    ["running text of paragraphs, headings and lists", "prose", "# a\n\n- b\n- c\n\n1. d", ["# a", "- b\n- c", "1. d"]],
    ["text in folded HTML", "prose", "<details>\n<summary>a</summary>\nb\n\nc\n</details>", ["a", "b", "c"]],
    ["a quote", "prose", "> a\n\nb", [">> a", "b"]],
    ["a quote's lazy lines", "prose", "> a\nb\n\nc", [">> a\nb", "c"]],
    ["a quote in a list in a quote", "prose", "> - > a\n\nb", [">> - > a", "b"]],
    ["cells that a table shows, and none beyond its columns", "prose", "- | a |\n  |---|\n  | b | c |", ["a", "b"]],
    ["no prose in a link definition", "prose", '[a]: b "c"', []],
  ])("finds %s", (_, kind, text, expected) => {
    expect(stretches(text, kind)).toEqual(expected);
  });

  it("covers every text from its beginning to its end, without gaps and overlaps", () => {
    const piece = fc.constantFrom(
      "a",
      "`",
      "``",
      "```\n",
      "~~~\n",
      "> ",
      "- ",
      "    ",
      "\n",
      "\r\n",
      "<!--",
      "-->",
      "<b>",
      "</b>",
      "<code>",
      "[",
      "](",
      ")",
      "|",
      "|-|\n",
      "@",
      "\\",
      "🍎",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const segments = scanMarkdown(text);
        expect(segments.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
        expect(segments.every(({ start, end }) => start < end)).toBe(true);
      }),
    );
  });

  it.each([
    "*a_ ",
    "> ",
    "`",
    "[",
    "![",
    "](",
    "[](",
    "- ",
    "- a\n",
    "1. ",
    "a|\n-|\n",
    "|-|\n",
    "<!--",
    "<?",
    "<![CDATA[",
    "<!a",
    "<a b='",
    "<a ",
    '[a](b "',
    "[a]: <b\n",
    "<code>",
    "a@",
    "a.",
    "`` ` ",
    "> - ",
    "\n",
    "\\",
  ])("comes to an end on 64 KB of %j", (unit) => {
    const text = unit.repeat(Math.ceil(65_536 / unit.length));
    expect(scanMarkdown(text).at(-1)?.end).toBe(text.length);
  });

  it("finds no prose in a text that is too long to be read", () => {
    expect(scanMarkdown("a ".repeat(LONGEST_SCANNED)).map(({ kind }) => kind)).toEqual(["other"]);
  });

  it("finds no prose that is nested too deep to be read", () => {
    expect(stretches(`${"- ".repeat(500)}a`, "prose")).toEqual([]);
  });
});

describe("openFenceAtEnd", () => {
  it.each([
    ["is open", "a\n```js\nb", "```"],
    ["is longer than what stands in it", "~~~~\n~~~", "~~~~"],
    ["has only begun", "```", "```"],
  ])("names a fence that %s", (_, text, markup) => {
    expect(openFenceAtEnd(text)?.markup).toBe(markup);
  });

  it.each([
    ["is closed", "```\na\n```"],
    ["is closed by a longer one", "```\na\n`````  \n"],
    ["is part of a list, which ends by itself", "- ```\n  a"],
    ["was closed before the last paragraph", "```\na\n```\n\nb"],
    ["never was", ""],
  ])("names none when it %s", (_, text) => {
    expect(openFenceAtEnd(text)).toBeUndefined();
  });
});
