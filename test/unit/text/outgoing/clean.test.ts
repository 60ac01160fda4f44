import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { cleanOutgoing } from "../../../../src/text/outgoing/clean.ts";
import type { Removed } from "../../../../src/text/outgoing/policy.ts";
import { PIECES, policy } from "./fixtures.ts";

const clean = (text: string): string => cleanOutgoing(text, policy).text;

describe("what a text calls, closes or moves", () => {
  it.each<[string, string, string]>([
    ["a person", "ping @octocat", "ping `@octocat`"],
    ["a person after punctuation and in emphasis", "(@octocat) _@octocat_ **@octocat**", "(`@octocat`) _`@octocat`_ **`@octocat`**"],
    ["a team", "cc @acme/security-team.", "cc `@acme/security-team`."],
    ["a person behind a lone backtick", "see `@octocat now", "see \\` `@octocat` now"],
    ["a person next to code", "`a`@octocat`b`", "`a` `@octocat` `b`"],
    ["a person behind a backtick of an earlier paragraph", "a `b\n\n@octocat` c", "a `b\n\n`@octocat` \\` c"],
    ["a person as an entity", "&#64;octocat &commat;octocat", "`@octocat` `@octocat`"],
    ["a person behind a backslash", "\\@octocat", "`@octocat`"],
    ["a person split by what nobody sees", "@\u200boctocat @&#8203;octocat @<!-- x -->octocat", "`@octocat` `@octocat` `@octocat`"],
    ["a person with a wide sign", "＠octocat", "`＠octocat`"],
    ["people in a row", "@a@b@c", "`@a@b@c`"],
    ["a person in a cell", "| a |\n|---|\n| @octocat |", "| a |\n|---|\n| `@octocat` |"],
    [
      "a person in a folded part's title",
      "<details><summary>@octocat</summary>\n\na\n</details>",
      "<details><summary><code>@octocat</code></summary>\n\na\n</details>",
    ],
    ["a person in a link's words", "[@octocat](https://github.com/octocat)", "[`@octocat`](https://github.com/octocat)"],
    ["a person in what only looks like a link", "a](@octocat) b", "a] (`@octocat`) b"],
    ["a person who asked, as somebody else", "@Mona/team @Mona-2", "`@Mona/team` `@Mona-2`"],
    ["a bot, which reads the source too", "@dependabot merge", "`dependabot` merge"],
    ["an issue", "fixes #1, Closes: #2, resolved GH-3", "fixes `#1`, Closes: `#2`, resolved `GH-3`"],
    [
      "an issue by repository and address",
      "closes acme/app#1, fix https://github.com/acme/app/issues/2",
      "closes `acme/app#1`, fix `https://github.com/acme/app/issues/2`",
    ],
    ["an issue behind emphasis and on the next line", "**Fixes** **#1**\nresolves\n#2", "**Fixes** **`#1`**\nresolves\n`#2`"],
    ["an issue behind a link", "closes [it](https://github.com/acme/app/pull/4)", "closes it (`https://github.com/acme/app/pull/4`)"],
    ["an issue of another repository", "see nodejs/node#1", "see `nodejs/node#1`"],
    ["an issue of another repository by its page", "https://github.com/nodejs/node/issues/1", "`https://github.com/nodejs/node/issues/1`"],
    ["slash commands", "LGTM\n/approve\n  /lgtm cancel", "LGTM\n`/approve`\n  `/lgtm` cancel"],
    ["older commands", "bors r+\n!merge\nRetest this please", "`bors r+`\n`!merge`\n`Retest this please`"],
    ["a command behind a comment", "<!-- x -->/merge", "`/merge`"],
    ["a command behind an odd line end", "a\u2028/merge", "a /merge"],
    ["a command in a code span's second line", "`a\n/merge`", "`a /merge`"],
    ["a command in code, which stays the same inside a quote", "```\n/approve\n\na\n```\nb", "> ```\n> /approve\n> \n> a\n> ```\nb"],
    ["a command in a list's code", "- ```\n  /lgtm\n  ```", "- > ```\n  > /lgtm\n  > ```"],
  ])("makes %s inert", (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });
});

describe("a link to this server's own pages", () => {
  const own = { ...policy, approvals: "https://bot.example.net/sallyport/approvals/" };
  const APPROVAL = "https://bot.example.net/sallyport/approvals/kodim-pabuf";
  const clean = (text: string): string => cleanOutgoing(text, own).text;

  it("stays where it is, to the letter, one approval's page", () => {
    for (const text of [APPROVAL, `[its page](${APPROVAL})`, `<${APPROVAL}>`]) expect(clean(text)).toBe(text);
    expect(cleanOutgoing(APPROVAL, policy).text).toBe(`\`${APPROVAL}\``);
  });

  it.each([
    `${APPROVAL}?to=https`,
    `${APPROVAL}#x`,
    `${APPROVAL}/x`,
    `${APPROVAL}x`,
    APPROVAL.replace("approvals/", "runs/"),
    APPROVAL.replace("https:", "http:"),
    APPROVAL.replace("bot.", "bot@"),
    APPROVAL.replace("kodim", "../aa"),
    APPROVAL.replace("example.net/", "example.net:8443/"),
  ])("does not stay as %s", (address) => {
    expect(clean(`[x](${address})`)).toBe(`x (\`${address}\`)`);
  });
});

describe("where a text leads", () => {
  it.each<[string, string, string]>([
    ["a link", "[x](https://evil.test/a)", "x (`https://evil.test/a`)"],
    ["a link whose words are its address", "[https://evil.test](https://evil.test)", "`https://evil.test`"],
    ["a link with a name before its host", "[x](https://github.com@evil.test/?d=1)", "x (`https://github.com@evil.test/?d=1`)"],
    ["a link with backslashes", "[x](https:\\\\evil.test) https:\\\\evil.test", "x (`https:\\evil.test`) `https:\\evil.test`"],
    ["a link without a scheme", "[x](//evil.test) [y](/\\evil.test)", "x (`//evil.test`) y (`/\\evil.test`)"],
    [
      "a link with another scheme",
      "[x](javascript:alert(1)) [y](data:text/html,a) <vbscript:a>",
      "x (`javascript:alert(1)`) y (`data:text/html,a`) &lt;vbscript:a>",
    ],
    ["a link with an entity in its scheme", "[x](java&#115;cript:alert)", "x (`javascript:alert`)"],
    ["a host with letters of another script", "see https://g\u0456thub.com/acme", "see `https://g\u0456thub.com/acme`"],
    [
      "a host that only begins like ours",
      "https://github.com.evil.test https://github.comevil.test",
      "`https://github.com.evil.test` `https://github.comevil.test`",
    ],
    ["another port and another scheme", "https://github.com:8443 http://github.com", "`https://github.com:8443` `http://github.com`"],
    ["an address in numbers", "http://0x7f.1/ http://2130706433", "`http://0x7f.1/` `http://2130706433`"],
    ["an address that GitHub links by itself", "www.evil.test/?d=1 1https://evil.test", "`www.evil.test/?d=1` 1`https://evil.test`"],
    ["an address that runs into code", "https://github.com/a`b @octocat`", "`https://github.com/a` `b @octocat`"],
    ["an address that takes in an escape", "https://github.com/a\\<b x=y>", "`https://github.com/a`\\<b x=y>"],
    ["an address in angle brackets", "<https://evil.test>", "`https://evil.test`"],
    ["an address inside an address", "https://github.com/login?to=https://evil.test", "`https://github.com/login?to=https://evil.test`"],
    ["a definition", "[x][r]\n\n[r]: https://evil.test/a", "[x][r]\n\n[r]\\: `https://evil.test/a`"],
    ["a definition over two lines of a quote", "> [r]:\n> //evil.test\n\n[r]", "> [r]\\:\n> `//evil.test`\n\n[r]"],
    [
      "an image",
      "![alt](https://evil.test/a.png) ![b](https://github.com/b.png)",
      "alt (`https://evil.test/a.png`) b (`https://github.com/b.png`)",
    ],
    ["an image in a link", "[![b](https://a.test/b)](https://evil.test)", "b (`https://a.test/b`) (`https://evil.test`)"],
    ["an image by reference", "![x][r]\n\n[r]: https://github.com/a.png", "!\\[x][r]\n\n[r]: https://github.com/a.png"],
    ["an image as HTML", '<img src="https://evil.test/a.png">', '&lt;img src="`https://evil.test/a.png`">'],
    [
      "a picture",
      '<picture><source srcset="https://evil.test/a"></picture>',
      '&lt;picture>&lt;source srcset="`https://evil.test/a`">&lt;/picture>',
    ],
    ["a link as HTML", '<a href="//evil.test">x</a>', '&lt;a href="`//evil.test`">x&lt;/a>'],
    ["a drawing with links", '```mermaid\nclick A "https://evil.test"\n```', '```text\nclick A "https://evil.test"\n```'],
    ["a title", 'a [x](https://github.com/acme "words")', "a [x](https://github.com/acme)"],
  ])("leads nowhere by %s", (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });
});

describe("what a text hides or leaves open", () => {
  it.each<[string, string, string]>([
    ["a comment", "a <!-- bot:state --> b", "a  b"],
    ["a comment that another one's end makes", "a<!-<!-- x -->- y -->b", "ab"],
    ["a direction, written out or not", "a\u202eb&#8238;c", "abc"],
    ["an attribute", '<b onclick="x">a</b> <details open>\n\nb\n\n</details>', "<b>a</b> <details>\n\nb\n\n</details>"],
    ["an element that does things", "<script>a</script> <div style='x'>b</div>", "&lt;script>a&lt;/script> &lt;div style='x'>b&lt;/div>"],
    ["the product's marker in code", "`<!-- sallyport run=a -->`", "`<! -- sallyport run=a -->`"],
    ["an open fence", "a\n```js\nb", "a\n```js\nb\n```"],
    ["an open element", "<details><summary>a</summary>\n\nb", "<details><summary>a</summary>\n\nb\n\n</details>"],
    ["elements that cross", "a <b>b <i>c</b> d", "a <b>b <i>c</i></b> d"],
    ["an end without its beginning", "a</details>b", "a&lt;/details>b"],
  ])("shows, closes or takes out %s", (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });
});

describe("an honest text", () => {
  it.each([
    "Thanks @Mona, fixed in #12. See acme/app#3 and the bug fixes (#4).",
    "See https://github.com/acme/app/blob/main/README.md#L10, https://docs.example.com/a(b) and (https://a.example.org).",
    "[docs](docs/a.md) [part](#part) [up](../../issues/5) [run](https://github.com/acme/app/actions/runs/1)",
    "[a]\n\n[a]: https://github.com/acme/app",
    "a < b && c > d; Map<string, number>; x | y; #include <stdio.h>; C# and #fff",
    "Run `npm ci && npm test`, then `@octocat`, `fixes #1` and `https://evil.test`.",
    "Say ``` in prose.\n```suggestion\nfix();\n```\ntail",
    "````md\n```js\n@decorator\n// fixes #1 https://evil.test <img src=x>\n```\n````\nend",
    "```css\n@media print { a { color: #fff } }\n```\n\n    @indented\n    /usr/bin/env\n\nb",
    "| a | b |\n|---|---|\n| `x` | **y** |\n\n- [ ] one\n- [x] two\n\n1. three\n\n> four",
    "Mail a.b@example.com or <a@b.cd>; `foo@latest`, foo@latest, user@host:path",
    "<details>\n<summary>More</summary>\n\n- **a**\n\n</details>\n\n<sub>x</sub> <kbd>Ctrl</kbd><br>",
    "```mermaid\ngraph TD\n  A --> B\n```",
    "Emoji 👩‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿, نص عربي, and $a_b$ stay",
    "",
  ])("comes out as it went in: %j", (text) => {
    expect(cleanOutgoing(text, policy)).toEqual({ text, removed: [] });
  });

  it("says what was made inert, each kind once", () => {
    const { removed } = cleanOutgoing("@a @b fixes #1 [x](https://evil.test)\n/merge", policy);
    expect(new Set(removed)).toEqual(
      new Set<Removed>(["mentions", "closing words", "links to hosts that are not listed", "commands to bots"]),
    );
  });

  it("is shown as it is written, in a quote, where nothing in it can be told apart", () => {
    const { text, removed } = cleanOutgoing(`${"> ".repeat(20_000)}@octocat`, policy);
    expect(text).toMatch(/^> ```text\n> (?:> )+@octocat\n> ```$/);
    expect(removed).toContain("Markdown that cannot be read");
  });
});

const renderer = new MarkdownIt({ html: true, linkify: true });
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add("//", null);
/** What GitHub would act on in the rendered text, read from the HTML of a whole parser. */
function alive(markdown: string): readonly string[] {
  const html = renderer.render(markdown).replace(/<pre>[\s\S]*?<\/pre>|<code[\s\S]*?<\/code>/g, "\u0000");
  const targets = [...html.matchAll(/<[a-z][^<>]*? (?:href|src)="([^"]*)"/g)].map(([, target = ""]) => target.replaceAll("&amp;", "&"));
  const leaving = targets.filter((target) => {
    const url = URL.canParse(target, "https://github.com/acme/app/") ? new URL(target, "https://github.com/acme/app/") : undefined;
    return url !== undefined && url.protocol !== "mailto:" && !/^(?:github\.com|docs\.example\.com|[\w.-]+\.example\.org)$/.test(url.host);
  });
  const words = html
    .replace(/<a [^>]*>[\s\S]*?<\/a>/g, "\u0000")
    .replace(/<[^>]*>/g, "\u0000")
    .replace(/&(?:lt|gt|quot|amp);/g, "|");
  return [
    ...leaving,
    ...[...words.matchAll(/(?<![a-z0-9])@(?!Mona_*(?![\w-]|\/\w))[a-z\d][\w-]*/gi)].map(([mention]) => mention),
    ...[...words.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?(?:#|GH-)\d+/gi)].map(
      ([closing]) => closing,
    ),
    ...[...html.matchAll(/<(?:img|script|div|iframe|style|picture|a [^>]*\son\w+=)|<!--/gi)].map(([tag]) => tag),
  ];
}

describe("any text", () => {
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));

  it("holds nothing alive once it is cleaned, and comes out of a second cleaning as it went in", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = clean(text);
        expect(alive(cleaned)).toEqual([]);
        expect(cleanOutgoing(cleaned, policy)).toEqual({ text: cleaned, removed: [] });
      }),
      { numRuns: 2000 },
    );
  });

  it("is one text for all who are allowed nothing more: only whom they may mention differs", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const others = cleanOutgoing(text, { ...policy, logins: [] }).text;
        if (!/mona/i.test(text)) expect(others).toBe(clean(text));
      }),
    );
  });

  it.each([
    "*a_ ",
    "> ",
    "> @a",
    "[",
    "](",
    "![a](",
    "`@a",
    "<a ",
    "<b>",
    "@a\n\n",
    "fixes #1 ",
    "[a]:",
    "<!--",
    "&#64;a ",
    "```\n/merge\n",
    "|@a|\n|-|\n",
  ])("of 64 KB of %j is cleaned to the end", (piece) => {
    const cleaned = clean(piece.repeat(65_536 / piece.length));
    expect(clean(cleaned)).toBe(cleaned);
  });
});
