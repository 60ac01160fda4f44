import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { scanMarkdown } from "../../../src/text/blocks.ts";

const library = new MarkdownIt({ html: true });
// No unclosed `<!--` or `<?`, and no links by reference: after the first of those the library gives up on all that follow, and a reference it
// looks for behind an inline link that failed, neither of which the rules ask for.
const MARKUP = [
  "`",
  "``",
  "```",
  "`` ` ``",
  "\\",
  "<b>",
  "</b>",
  "<b c='",
  '<b c="d">',
  "<!-- x -->",
  "<?y?>",
  "[",
  "]",
  "](a)",
  "](<a b>)",
  "](a 'b')",
  "](a (b",
  "![",
  "<http://a>",
  "(",
  ")",
  "'",
  '"',
  "\n",
  "\n\n",
  "> ",
  "- ",
  "    ",
  "| ",
  "|-|\n",
  "# ",
  "~~~\n",
  "```\n",
  "*",
  "_",
  "\t",
  "1. ",
  "===\n",
  "  \n",
  "\r\n",
  "&amp;",
  "<",
];
/** A word that says which it is. */
const MARK = /X\d+X/g;

/** The words that the library shows as running text, quotes and links aside; undefined when raw HTML blocks, which it passes on unread, hold some. */
function shownByTheLibrary(text: string): string[] | undefined {
  const shown: string[] = [];
  let quotes = 0;
  for (const block of library.parse(text, {})) {
    if (block.type === "html_block") return undefined;
    if (block.type === "blockquote_open") quotes += 1;
    if (block.type === "blockquote_close") quotes -= 1;
    let links = 0;
    for (const piece of quotes > 0 ? [] : (block.children ?? [])) {
      if (piece.type === "link_open") links += 1;
      if (piece.type === "link_close") links -= 1;
      if (piece.type === "text" && links === 0) shown.push(...(piece.content.match(MARK) ?? []));
    }
  }
  return shown;
}

it("agrees with the library's own inline rules on what is running text", () => {
  const pieces = fc.array(fc.tuple(fc.constantFrom(...MARKUP), fc.boolean()), { minLength: 3, maxLength: 16 });
  fc.assert(
    fc.property(pieces, (chosen) => {
      const text = chosen.map(([markup, isMarked], at) => (isMarked ? `${markup}X${at}X` : markup)).join("");
      const expected = shownByTheLibrary(text);
      fc.pre(expected !== undefined);
      const prose = scanMarkdown(text).filter(({ kind, quoted }) => kind === "prose" && !quoted);
      expect(prose.flatMap(({ start, end }) => text.slice(start, end).match(MARK) ?? [])).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
});
