import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Command } from "../../../src/core/run.ts";
import { parseCommand } from "../../../src/triggers/command.ts";

const parse = (text: string) => parseCommand(text, "sallyport");

test.each<[string, string, Command]>([
  ["the bare word", "@sallyport help", { name: "help" }],
  ["any case", "@SallyPort HELP", { name: "help" }],
  ["the App's own login", "@sallyport[bot] stop", { name: "stop" }],
  ["a comma or a colon behind the handle", "@sallyport, usage", { name: "usage" }],
  ["a full stop, and a courtesy", "@sallyport please stop now!".replace(" now", ""), { name: "stop" }],
  ["a courtesy behind", "@sallyport stop, please.", { name: "stop" }],
  ["white space around", "\n  @sallyport\tmute \r\n", { name: "mute" }],
  ["a hidden comment beside it", "<!-- hello -->\n@sallyport help", { name: "help" }],
  ["an explanation on lines of its own", "@sallyport stop\n\nThis goes nowhere.", { name: "stop", argument: "This goes nowhere." }],
  ["an id", "@sallyport approve kodim-pabuf", { name: "approve", argument: "kodim-pabuf" }],
  ["an id in code", "@sallyport deny `kodim-pabuf`", { name: "deny", argument: "kodim-pabuf" }],
  ["an id that is none", "@sallyport approve it", { name: "approve", argument: "it" }],
  ["no id at all", "@sallyport approve", { name: "approve" }],
  ["words for a plan", "@sallyport plan a new\nparser", { name: "plan", argument: "a new\nparser" }],
  ["a fact", "@sallyport remember: we use tabs", { name: "remember", argument: "we use tabs" }],
  ["the nearest of a misspelt word", "@sallyport halp", { name: "unknown", word: "halp", nearest: "help" }],
  ["the nearest of a shortened word", "@sallyport aprove", { name: "unknown", word: "aprove", nearest: "approve" }],
])("reads %s", (_, text, command) => {
  expect(parse(text)).toEqual(command);
});

test.each<[string, string]>([
  ["a sentence that begins with a command's word", "@sallyport help me fix this"],
  ["another one", "@sallyport stop the server from crashing"],
  ["a question", "@sallyport review this?"],
  ["a command in the middle of a text", "I said @sallyport stop"],
  ["a text in front of it", "Thanks!\n\n@sallyport stop"],
  ["a word in code", "@sallyport `stop`"],
  ["a word on the next line", "@sallyport\nstop"],
  ["a longer word", "@sallyport stopping"],
  ["a longer handle", "@sallyport-dev stop"],
  ["words behind one that stands alone", "@sallyport retry\nbut with tabs"],
  ["an approval of something else", "@sallyport approve the plan and go"],
  ["one word that is near to none", "@sallyport hello"],
  ["one word in another script", "@sallyport ｓｔｏｐ"],
  ["no word", "@sallyport"],
])("takes %s for a request in words", (_, text) => {
  expect(parse(text)).toBeUndefined();
});

describe("an answer to a question", () => {
  test.each(["approve kodim-pabuf once CI is green", "approve kodim-pabuf\nonly if the tests pass", "deny kodim-pabuf tomorrow"])(
    "with a condition (%s) answers nothing, and is told how to say it",
    (words) => {
      expect(parse(`@sallyport ${words}`)).toEqual({ name: words.split(" ")[0] });
    },
  );

  test("is never read out of other words", () => {
    const words = string({ unit: "grapheme" });
    assert(
      property(words, words, (before, after) => {
        const command = parse(`@sallyport ${before} approve kodim-pabuf ${after}x`);
        expect(command !== undefined && "argument" in command && command.argument === "kodim-pabuf" && command.name === "approve").toBe(
          false,
        );
      }),
    );
  });
});

test("no text whatever makes the reading fail", () => {
  assert(property(string({ unit: "binary" }), (text) => void parse(`@sallyport ${text}`)));
});
