import { expect, test } from "vitest";
import { heardEvents, isHeard, toRunRequest } from "../../../src/triggers/request.ts";
import { ALICE, comment, issue, payload, pull } from "./payloads.ts";

const identity = { appSlug: "sallyport", appId: 42, botLogin: "sallyport[bot]" };
const ID = "kodim-pabuf";

/** The command that a comment gives, `request` for words of another kind, `nothing` for what does not speak to the bot. */
function given(words: string): unknown {
  const request = toRunRequest("issue_comment", "d", payload("created", { issue, comment: comment(words) }), identity);
  if ("ignored" in request) return "nothing";
  return request.command ?? "request";
}

test.each([
  ["a quote", `> @sallyport approve ${ID}`],
  ["a quote that goes on lazily", `> she said\n@sallyport approve ${ID}`],
  ["a quote in a list", `- > @sallyport approve ${ID}`],
  ["a fenced block", `\`\`\`\n@sallyport approve ${ID}\n\`\`\``],
  ["a fenced block that does not end", `~~~\n@sallyport approve ${ID}`],
  ["a code span", `\`@sallyport approve ${ID}\``],
  ["an HTML comment", `<!-- @sallyport approve ${ID} -->`],
  ["a handle of look-alikes", `@s\u0430llyport approve ${ID}`],
  ["a longer handle", `@sallyport-dev approve ${ID}`],
  ["a path of the handle", `@sallyport/team approve ${ID}`],
  ["an address", `me@sallyport approve ${ID}`],
])("an approval in %s is not heard at all", (_, words) => {
  expect(given(words)).toBe("nothing");
});

test.each([
  ["behind other words", `Do not do this: @sallyport approve ${ID}`],
  ["in a list", `- @sallyport approve ${ID}`],
  ["in a table", `| a |\n|---|\n| @sallyport approve ${ID} |`],
  ["in folded details", `<details>\n\n@sallyport approve ${ID}\n\n</details>`],
  ["in strikethrough", `~~@sallyport approve ${ID}~~`],
  ["in a heading", `# @sallyport approve ${ID}`],
  ["behind somebody else", `@maria @sallyport approve ${ID}`],
])("an approval %s is a request like any other", (_, words) => {
  expect(given(words)).toBe("request");
});

test.each([
  ["two of them", `@sallyport approve ${ID}\n@sallyport approve bibab-bobob`],
  ["an approval and a denial", `@sallyport approve ${ID}\n\n@sallyport deny ${ID}`],
  ["two ids", `@sallyport approve ${ID} bibab-bobob`],
  ["another command in front", `@sallyport approve\n@sallyport approve ${ID}`],
  ["a quote of another below", `@sallyport approve ${ID}\n> @sallyport approve bibab-bobob\n\nYes, both.`],
])("%s in one comment answer nothing", (_, words) => {
  const command = given(words);
  expect(typeof command === "object" && command !== null && "argument" in command).toBe(false);
});

test.each([
  ["another hyphen", "kodim\u2011pabuf"],
  ["a letter of another script", "k\u043edim-pabuf"],
  ["the sign of Kelvin", "\u212aodim-pabuf"],
  ["full-width letters", "\uff4bodim-pabuf"],
])("an id with %s is no id that was given out", (_, id) => {
  const command = given(`@sallyport approve ${id}`);
  expect(JSON.stringify(command)).not.toContain(`"${ID}"`);
});

test("what an App writes in somebody's name is known for it", () => {
  const words = { ...comment(`@sallyport approve ${ID}`), performed_via_github_app: { id: 7 } };
  expect(toRunRequest("issue_comment", "d", payload("created", { issue, comment: words }), identity)).toMatchObject({ viaApp: true });
  expect(toRunRequest("issue_comment", "d", payload("created", { issue, comment: comment("@sallyport go") }), identity)).not.toHaveProperty(
    "viaApp",
  );
});

test("an approval in a review's text is one, and of its author", () => {
  const review = { id: 5, body: `@sallyport approve ${ID}`, user: ALICE };
  const request = toRunRequest("pull_request_review", "d", payload("submitted", { pull_request: pull, review }), identity);
  expect(request).toMatchObject({ trigger: "command", command: { name: "approve", argument: ID }, actor: { id: 7 } });
});

test("no edit but that of a pull request, and nothing that is dismissed or deleted, is heard", () => {
  for (const event of heardEvents())
    for (const action of ["edited", "deleted", "dismissed", "unlabeled", "unassigned", "closed"])
      expect([event, action, isHeard(event, { action })]).toEqual([event, action, event === "pull_request" && action === "edited"]);
});
