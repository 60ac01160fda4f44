import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMention } from "../../../src/triggers/mention.ts";

const request = (text: string): string | undefined => {
  const mention = findMention(text, "sallyport");
  return mention.mentioned ? mention.request : undefined;
};

describe("findMention", () => {
  it.each([
    ["at the beginning", "@sallyport fix it"],
    ["in another case", "@SallyPort please triage"],
    ["in the middle", "I wonder, @sallyport what is this?"],
    ["at the end, with a full stop", "Fix it, @sallyport."],
    ["with an ellipsis", "@sallyport..."],
    ["with a colon, a comma, a question mark", "@sallyport: now, @sallyport, @sallyport?"],
    ["with a possessive", "@sallyport's turn"],
    ["with the suffix of a bot", "@sallyport[bot] go"],
    ["in brackets", "(@sallyport)"],
    ["in quotation marks", '"@sallyport"'],
    ["behind a sentence without a blank", "Done.@sallyport go"],
    ["behind a dash that is no word's", "-@sallyport go"],
    ["in emphasis", "**@sallyport** go"],
    ["in emphasis of underscores", "_@sallyport_ go"],
    ["at the end of emphasis of underscores", "_please, @sallyport_"],
    ["struck out or not", "~~@sallyport~~"],
    ["in a heading", "## @sallyport go"],
    ["in a list", "- [ ] @sallyport go"],
    ["in a table", "| a |\n|---|\n| @sallyport go |"],
    ["between Chinese letters", "请@sallyport修复"],
    ["before a Korean particle", "@sallyport에게"],
    ["behind an emoji with its selector", "❤️@sallyport"],
    ["behind an invisible character", "\u200b@sallyport go"],
    ["after a fence", "```\n@sallyport stop\n```\n@sallyport what is this?"],
    ["after a comment", "<!-- @sallyport stop -->\n\n@sallyport what is this?"],
    ["on the line of a comment", "<!-- a --> @sallyport go"],
    ["after a code span", "`a` @sallyport go"],
    ["after a quote", "> a\n\n@sallyport go"],
    ["in folded HTML", "<details>\n<summary>log</summary>\n\n@sallyport go\n</details>"],
    ["in an HTML element that is no code", "<b>@sallyport</b> go"],
    ["behind a backtick that opens nothing", "it's ` odd, @sallyport"],
    ["indented inside a list, which is no code", "- a\n\n    @sallyport go"],
    ["on an indented line that goes on with a paragraph", "a\n    @sallyport go"],
    ["after a longer handle", "@sallyport-bot and @sallyport"],
    ["on a line of its own with carriage returns", "a\r\n@sallyport go\r\n"],
    ["after a link", "[a](b) @sallyport go"],
    ["after the generic type of a sentence", "a Promise<void> @sallyport"],
  ])("finds one %s", (_, text) => {
    expect(request(text)).toBeDefined();
  });

  it.each([
    ["a fence", "For the docs:\n```text\n@sallyport fix the build\n```\nThat is how you call it."],
    [
      "a tilde fence with carriage returns and a shorter fence inside",
      "Example:\r\n~~~~\r\n@sallyport retry\r\n```\r\n@sallyport again\r\n~~~~\r\n",
    ],
    ["a fence nobody closed", "Look:\n```\n@sallyport fix it"],
    ["a fence in a list", "- like so:\n\n  ```sh\n  @sallyport fix it\n  ```\n"],
    ["a fence in a quote's lazy neighbourhood", "> ```\n> @sallyport\n> ```"],
    ["a fence whose info string holds it", "```@sallyport\na\n```"],
    ["indented code", "Write this:\n\n    @sallyport fix it\n\nand wait."],
    ["code indented by a tab", "a\n\n\t@sallyport go"],
    ["a code span", "A maintainer can write `@sallyport review` here later."],
    ["a code span with a backtick inside", "Type ``a ` @sallyport fix it`` to start."],
    ["a code span over two lines", "Type `please\n@sallyport fix it` to start."],
    ["a code element", "Type <code>@sallyport go</code>."],
    ["a pre element", "<pre>\n@sallyport go\n</pre>"],
    ["a quote", "> @sallyport please bump the lockfile\n\nThanks, I did that by hand."],
    ["a nested quote", "> > @sallyport fix it\n>\n> I did.\n\nGood."],
    ["a quote's lazy line", "> I wrote\n@sallyport fix it"],
    ["a quote in a list", "- > @sallyport go"],
    ["an alert", "> [!NOTE]\n> @sallyport go"],
    ["a quote of an email client", "On Monday alice wrote:\n>@sallyport go\n>again"],
    ["a quote element", "<blockquote>\n\n@sallyport go\n\n</blockquote>"],
    ["an HTML comment", "Looks fine to me.\n<!-- template note: call @sallyport to review -->"],
    ["a comment over blank lines", "Fine.\n<!--\n\n@sallyport fix it\n\n-->"],
    ["a comment nobody closed", "Fine.\n\n<!--\n\n@sallyport fix it"],
    ["an attribute", '<a title="@sallyport go">a</a>'],
    ["a declaration", "a <?php @sallyport ?>"],
    ["an e-mail address", "Mail pat@sallyport.dev if it breaks."],
    ["an e-mail address without a dot", "Mail pat@sallyport if it breaks."],
    ["an address in angle brackets", "<mailto:a@sallyport>"],
    ["a URL", "https://example.com/@sallyport"],
    ["a URL after punctuation", "https://example.com/,@sallyport"],
    ["a www address", "www.example.com/@sallyport"],
    ["an ssh address", "ssh://git@sallyport/a"],
    ["a link's destination", "[a](https://b.c/@sallyport)"],
    ["a link's title", '[a](b "@sallyport go")'],
    ["a link's words", "by [@sallyport](https://github.com/apps/sallyport)"],
    ["an image's alternative text", "![@sallyport](a.png)"],
    ["a link definition", '[a]: b "@sallyport go"'],
    ["a longer handle", "@sallyport-bot go"],
    ["a handle that ends in a hyphen", "@sallyport- go"],
    ["a handle with digits", "@sallyport2 go"],
    ["a handle with an underscore", "@sallyport_x go"],
    ["a team", "@sallyport/team look"],
    ["a path", "node_modules/@sallyport/core"],
    ["a domain", "@sallyport.dev"],
    ["a handle of another network", "@sallyport@example.social"],
    ["a word", "foo@sallyport"],
    ["a word of another script", "привет@sallyport"],
    ["a second sign", "@@sallyport"],
    ["an escaped sign", "\\@sallyport"],
    ["a full-width sign", "＠sallyport"],
    ["full-width letters", "@ｓallyport"],
    ["Cyrillic letters", "@sаllyport"],
    ["a letter that lower-cases to ASCII", "@sallyport\u212a"],
    ["a handle with an accent", "@sallyport\u0301"],
    ["a handle that an invisible character breaks", "@sally\u200bport"],
    ["a longer handle behind an invisible character", "@sallyport\u200b-bot"],
    ["a longer bot", "@sallyport[bot]s"],
    ["no sign at all", "sallyport is the name of a door, and @alice knows."],
    ["nothing", ""],
  ])("finds none in %s", (_, text) => {
    expect(request(text)).toBeUndefined();
  });

  it("knows the handle that it is told", () => {
    expect(findMention("@Tilly-2 go", "tilly-2").mentioned).toBe(true);
    expect(findMention("@sallyport go", "tilly-2").mentioned).toBe(false);
  });

  it("hands the words on as they were written", () => {
    const words = '@sallyport do:\n1. "a"\n2. $HOME `b` $(touch /tmp/never)\n\\ end of it\n\n```sh\nmake\r\n```';
    expect(request(`\n${words}\n`)).toBe(words);
  });

  it("leaves what others said out of the words", () => {
    expect(request("> fix\n> that\n\n@sallyport why?\n\n- a\n  > b\n\nc")).toBe("@sallyport why?\n\n- a\n\nc");
  });

  const word = fc.stringMatching(/^[a-z ,.!?*\n]{0,30}$/);
  const ask = fc.constantFrom("@sallyport go", "@Sallyport", "please @sallyport[bot] fix it");

  it.each<[string, (text: string, length: number) => string]>([
    ["a fence", (text, length) => `${"`".repeat(length + 3)}\n${text}\n${"`".repeat(length + 3)}\n`],
    ["a tilde fence", (text, length) => `${"~".repeat(length + 3)}info\n${text}\n${"~".repeat(length + 3)}\n`],
    [
      "a quote",
      (text, length) =>
        text
          .split("\n")
          .map((line) => `${"> ".repeat(length + 1)}${line}\n`)
          .join(""),
    ],
    [
      "indented code",
      (text, length) =>
        `\n\n${text
          .split("\n")
          .map((line) => `    ${" ".repeat(length)}${line}\n`)
          .join("")}`,
    ],
    ["a code span", (text, length) => `${"`".repeat(length + 1)} ${text.replaceAll("\n", " ")} ${"`".repeat(length + 1)}`],
    ["a comment", (text) => `<!-- ${text} -->`],
    ["a link's title", (text) => `[a](b "${text.replaceAll("\n", " ")}")`],
  ])("never finds one inside %s, and always finds one said after it", (_, wrap) => {
    fc.assert(
      fc.property(word, ask, word, fc.integer({ min: 0, max: 4 }), (before, mention, after, length) => {
        const wrapped = wrap(`${before.trim()} ${mention} ${after.trim()}`, length);
        expect(request(`Hello.\n\n${wrapped}`)).toBeUndefined();
        expect(request(`Hello.\n\n${wrapped}\n\n${mention}`)).toContain(mention);
      }),
    );
  });

  it("is not kept busy by hostile repetition", () => {
    for (const unit of ["@sallyport-", "_@sallyport", "@sallyport_", "\u200b@sallyportx", "@sallyport...x"]) {
      expect(request(unit.repeat(6000)), unit).toBeUndefined();
    }
  });
});
