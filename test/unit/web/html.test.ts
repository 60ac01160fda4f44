import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { html, markupOf, webLink, type Part } from "../../../src/web/html.ts";

const REFERENCES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#96;": "`" };
const unescape = (markup: string): string => markup.replace(/&(?:amp|lt|gt|quot|#39|#96);/g, (reference) => REFERENCES[reference] ?? "");

describe("a template", () => {
  test("lets no text of any kind out of its place, and loses none of it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "`", "&", "=", " ", "a", "/", "amp;", "\u0000", "💥") }),
        (text) => {
          const markup = markupOf(html`<a title="${text}">${text}</a>`);
          const [, inAttribute = "?", inElement = "?"] = /^<a title="([^"<>]*)">([^<>]*)<\/a>$/.exec(markup) ?? [];
          expect(unescape(inAttribute)).toBe(text);
          expect(unescape(inElement)).toBe(text);
        },
      ),
    );
  });

  test.each<{ name: string; part: Part; markup: string }>([
    { name: "a script", part: "<script>alert(1)</script>", markup: "&lt;script&gt;alert(1)&lt;/script&gt;" },
    { name: "what closes an attribute", part: `" onmouseover='x'`, markup: "&quot; onmouseover=&#39;x&#39;" },
    { name: "what is escaped already", part: "&lt;b&gt;", markup: "&amp;lt;b&amp;gt;" },
    { name: "a number", part: 12, markup: "12" },
    { name: "nothing", part: undefined, markup: "" },
    { name: "markup of another template", part: html`<b>${"<"}</b>`, markup: "<b>&lt;</b>" },
    { name: "a list of both", part: ["<", [html`<i>`, 3], undefined], markup: "&lt;<i>3" },
    { name: "a replacement pattern", part: "$& $1 $$", markup: "$&amp; $1 $$" },
  ])("shows $name as it should", ({ part, markup }) => {
    expect(markupOf(html`[${part}]`)).toBe(`[${markup}]`);
  });

  test("takes no data for markup, whatever its members are called", () => {
    const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>","toString":"<b>"}') as Part;
    expect(markupOf(html`${forged}`)).not.toContain("<b>");
  });
});

describe("a link to another site", () => {
  test.each([
    { name: "an address of the web", url: "https://github.com/octo/cart/pull/1?a=1&b=2", isLink: true },
    { name: "one without encryption", url: "http://git.example/x", isLink: true },
    { name: "one that holds what looks like a handler", url: "https://git.example/ onclick='x'", isLink: true },
    { name: "a script", url: "javascript:alert(1)", isLink: false },
    { name: "a script behind a line end", url: "java\nscript:alert(1)", isLink: false },
    { name: "a script behind blanks and in capitals", url: "  JavaScript:alert(1)", isLink: false },
    { name: "data", url: "data:text/html,<script>alert(1)</script>", isLink: false },
    { name: "a path", url: "/sallyport", isLink: false },
    { name: "no address", url: "not an address", isLink: false },
  ])("is made for $name: $isLink", ({ url, isLink }) => {
    const markup = markupOf(webLink(url, "words <"));
    expect(markup.includes("<a ")).toBe(isLink);
    expect(markup).toContain("words &lt;");
    if (isLink) expect(markup).toBe(`<a href="${markupOf(new URL(url).href)}" rel="noreferrer">words &lt;</a>`);
    expect(markup).not.toMatch(/\son/);
  });
});
