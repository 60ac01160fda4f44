import { describe, expect, it } from "vitest";
import { whyNotMeant } from "../../../src/config/meant.ts";
import { isServed } from "../../../src/config/served.ts";
import { settingsOf } from "../../../src/config/settings.ts";

const alice = { id: 7, login: "Alice", isBot: false };
const renovate = { id: 10, login: "renovate[bot]", isBot: true };

describe("a request is meant for the bot", () => {
  it.each([
    ["somebody's mention", { actor: alice }, {}, true],
    ["nothing, where it is switched off", { actor: alice }, { enabled: false }, false],
    ["a mention where it only looks on", { actor: alice }, { enabled: "observe" as const }, true],
    ["nobody who is ignored, whatever the case", { actor: alice }, { ignored_authors: ["ALICE"] }, false],
    ["no bot that is not listed", { actor: renovate }, { bots: [11] }, false],
    ["a bot that is listed", { actor: renovate }, { bots: [10] }, true],
    ["the label, whatever its case", { actor: alice, pointed: { by: "label" as const, name: "Needs-Bot" } }, { label: "needs-bot" }, true],
    [
      "not by the default label once another is configured",
      { actor: alice, pointed: { by: "label" as const, name: "sallyport" } },
      { label: "needs-bot" },
      false,
    ],
    ["the assignee", { actor: alice, pointed: { by: "assignee" as const, name: "Sally" } }, { assignee: "sally" }, true],
    ["no other assignee", { actor: alice, pointed: { by: "assignee" as const, name: "bob" } }, {}, false],
  ])("as %s", (_, request, said, isMeant) => {
    expect(whyNotMeant({ trigger: "mention", ...request }, settingsOf([said])) === undefined).toBe(isMeant);
  });
});

describe("a review that nobody asked for is made", () => {
  const unasked = { actor: alice, unasked: true } as const;
  const labelled = { ...unasked, pointed: { by: "label" as const, name: "Review" } };
  const optIn = { review: { enabled: true, label: "review" } };
  it.each([
    ["of anybody's pull request", unasked, {}, true],
    ["of nothing, where it is switched off", unasked, { review: { enabled: false } }, false],
    ["not of a bot's", { ...unasked, byBot: true as const }, {}, false],
    ["of a bot's where that is configured", { ...unasked, byBot: true as const }, { review: { enabled: true, bots: true } }, true],
    ["not without the label that is needed", { ...unasked, labels: ["bug"] }, optIn, false],
    ["with the label, whatever its case", { ...unasked, labels: ["bug", "REVIEW"] }, optIn, true],
    ["when it gets that label", labelled, optIn, true],
    [
      "not when it gets another one beside it",
      { ...labelled, pointed: { by: "label" as const, name: "bug" }, labels: ["review"] },
      optIn,
      false,
    ],
    ["not for a label, where none is needed", labelled, {}, false],
    ["not by the label of issues", { ...labelled, pointed: { by: "label" as const, name: "sallyport" } }, {}, false],
  ])("%s", (_, request, said, isMeant) => {
    expect(whyNotMeant({ trigger: "review", ...request }, settingsOf([said])) === undefined).toBe(isMeant);
  });
});

describe("the server works", () => {
  const repository = { owner: "Acme", name: "widgets" };
  it.each([
    ["for all when nothing is said", undefined, true],
    ["for those that are included, whatever the case", { include: ["acme/*"] }, true],
    ["for no others", { include: ["beta/*"] }, false],
    ["not for those that are excluded", { exclude: ["acme/widgets"] }, false],
    ["not for what is both", { include: ["acme/*"], exclude: ["*/widgets"] }, false],
    ["for none when the list is empty", { include: [] }, false],
  ])("%s", (_, repositories, isWorkedFor) => {
    expect(isServed(repositories, repository)).toBe(isWorkedFor);
  });
});
