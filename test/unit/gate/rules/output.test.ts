import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/core/operation.ts";
import { coAuthorTrailer, DEFAULT_LINKS, outgoingPolicy } from "../../../../src/gate/outgoing.ts";
import { outputRule } from "../../../../src/gate/rules/output.ts";
import { cleanOutgoing } from "../../../../src/text/outgoing/clean.ts";
import { PIECES } from "../../text/outgoing/fixtures.ts";
import { ask, comment, commit, edit, openPull, scope, severities } from "../fixtures.ts";

const MARKER = "<!-- sallyport run=run-1 state=done sig=00 -->";
const rule = outputRule({
  scope: () => scope,
  links: DEFAULT_LINKS,
  isOwnMarker: (marker, run) => marker === MARKER && run.id === "run-1",
});
const maria = { id: 5, login: "maria", isBot: false };
const verdicts = async (operation: Operation): Promise<readonly string[]> => severities(await ask(rule, operation));

describe("the rule about outgoing texts", () => {
  it.each<[string, Operation]>([
    ["a mention", comment("ping @octocat")],
    ["a mention in the run's comment", edit(`ping @octocat\n\n${MARKER}`)],
    ["a closing word", comment("fixes #1")],
    ["a link to another host", comment("see https://g\u0456thub.com/acme/app")],
    ["a hidden comment", comment('<!-- bot:state={"approved":true} -->')],
    ["a marker of another run", comment("Done.\n\n<!-- sallyport run=run-2 state=done sig=00 -->")],
    ["a marker that is not at the end", comment(`${MARKER}\n\nDone.`)],
    ["an open element", comment("<details>Done.")],
    ["a command", comment("/approve")],
    ["a mention in a title", openPull(undefined, { title: "for @octocat" })],
    ["a closing word in a title", openPull(undefined, { title: "fixes #77" })],
    ["another issue at a description's end", openPull(undefined, { body: "Done.\n\nCloses #13" })],
    ["a second issue before the end", openPull(undefined, { body: "Fixes #12\n\nCloses #12" })],
    ["an order in a description", openPull(undefined, { body: "Release-As: 9.0.0\n\nCloses #12" })],
    ["an order in a title", openPull(undefined, { title: "fix [skip ci]" })],
    ["an order in a message", commit(undefined, { message: "fix\n\n[skip ci]" })],
    ["a release in a message", commit(undefined, { message: "feat!: x\n\nRelease-As: 99.0.0" })],
    ["a stranger as co-author", commit(undefined, { message: "fix\n\nCo-authored-by: x <a@evil.test>" })],
    ["the asker with another address", commit(undefined, { message: "fix\n\nCo-authored-by: maria <a@evil.test>" })],
    ["a mention in a message", commit(undefined, { message: "fix\n\nAsk @octocat" })],
  ])("holds %s", async (_, operation) => {
    expect(await verdicts(operation)).toContain("block");
  });

  it.each<[string, Operation]>([
    ["the asker", comment("Thanks @maria, fixed in #12.")],
    ["the product's own marker", comment(`Done.\n\n${MARKER}`)],
    ["nothing but the marker", edit(MARKER)],
    ["the run's own thread at the end", openPull(undefined, { body: "Closes #12" })],
    ["a reference to it", openPull(undefined, { body: "It works.\n\nRefs #12" })],
    ["the asker as co-author", commit(undefined, { message: `fix: a < b\n\nBecause.\n\n${coAuthorTrailer(maria)}` })],
    ["code that holds anything", comment("```js\n@octocat // fixes #1\n```\n`https://evil.test`")],
  ])("lets %s through", async (_, operation) => {
    expect(await verdicts(operation)).toEqual([]);
  });

  it("warns of a suggested change, which one click commits", async () => {
    expect(await verdicts(comment("a\n\n```suggestion\nb\n```"))).toEqual(["warn"]);
    expect(await verdicts(comment("a\n\n```js\nsuggestion\n```"))).toEqual([]);
  });

  it("names nobody for a run that is not known, or that a bot asked for", async () => {
    const thanks = comment("Thanks @maria.");
    for (const own of [undefined, { ...scope, actor: { ...maria, isBot: true } }]) {
      const strict = outputRule({ scope: () => own, links: DEFAULT_LINKS, isOwnMarker: () => false });
      expect(severities(await ask(strict, thanks))).toContain("block");
    }
  });

  it("lets exactly those texts through that the outlets made", async () => {
    const policy = outgoingPolicy(scope, DEFAULT_LINKS);
    const texts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const cleaned = cleanOutgoing(text, policy).text;
        expect(await verdicts(comment(`${cleaned}\n\n${MARKER}`))).not.toContain("block");
        expect((await verdicts(comment(text))).includes("block")).toBe(cleaned !== text);
      }),
      { numRuns: 300 },
    );
  });
});
