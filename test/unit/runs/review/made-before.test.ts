import { describe, expect, test } from "vitest";
import type { RunRequest } from "../../../../src/core/run.ts";
import { ownReviews } from "../../../../src/github/review.ts";
import type { Remark } from "../../../../src/review/remark.ts";
import { madeBefore } from "../../../../src/runs/review/made-before.ts";
import { embedded } from "../../github/embedded.ts";
import { added, diffFile } from "../../review/files.ts";

const REPOSITORY = "acme/widgets";
const ROWS = ["const a = 1", "const b = null", "const c = 3"];
const SAID = "`b` may be null here: check it first.";

/** A pull request on which the bot has made one remark on the second line; `prepare` adds to it. */
async function known(prepare: (github: Awaited<ReturnType<typeof embedded>>["github"], remark: number) => void = () => undefined) {
  const { github, session } = await embedded();
  github.push(REPOSITORY, "topic", { "src/a.js": `${ROWS.join("\n")}\n` });
  github.openPull(REPOSITORY, { title: "A feature", user: "alice", head: "topic" });
  github.addReview(REPOSITORY, 1, { user: github.botLogin, body: "My summary." });
  const remark = github.addReviewComment(REPOSITORY, 1, { user: github.botLogin, body: SAID, path: "src/a.js", line: 2 });
  prepare(github, remark.id);
  const repository = { id: 1, owner: "acme", name: "widgets" };
  const reviews = await ownReviews(session, repository, 1);
  const request = { repository } as unknown as RunRequest;
  return (files = [diffFile("src/a.js", added(["// moved", ...ROWS]))]) => madeBefore({ session, request }, { number: 1, files, reviews });
}
const again = (body: string, line = 3): Remark => ({ path: "src/a.js", line, body });
const OTHER_WORDS = "Somebody must check first whether `b` may be empty.";

describe("a remark that stands on GitHub", () => {
  test("is known on its moved line, in the same words and in mostly the same; another one is not", async () => {
    const isKnown = await (await known())();
    expect(isKnown(again(SAID))).toBe(true);
    expect(isKnown(again("`b` may be null here, check that first!"))).toBe(true);
    expect(isKnown(again(OTHER_WORDS))).toBe(false);
    expect(isKnown(again(SAID, 2))).toBe(false);
  });

  test("is known after its file got another name", async () => {
    const isKnown = await (await known())([diffFile("lib/a.js", added(ROWS), { previousPath: "src/a.js", status: "renamed" })]);
    expect(isKnown({ path: "lib/a.js", line: 2, body: SAID })).toBe(true);
  });

  test.each<[string, Parameters<typeof known>[0]]>([
    [
      "a thumbs-down",
      (github, targetId) => void github.addReaction(REPOSITORY, { target: "review-comment", targetId, content: "-1", user: "alice" }),
    ],
    [
      "the command below it",
      (github, inReplyTo) =>
        void github.addReviewComment(REPOSITORY, 1, { user: "alice", body: "@Sallyport, ignore.", path: "src/a.js", line: 2, inReplyTo }),
    ],
  ])("is known in similar words as well after %s", async (_, prepare) => {
    const isKnown = await (await known(prepare))();
    expect(isKnown(again(OTHER_WORDS))).toBe(true);
    expect(isKnown(again("Rename it."))).toBe(false);
    expect(isKnown(again(OTHER_WORDS, 4))).toBe(false);
  });

  test.each<[string, Parameters<typeof known>[0]]>([
    [
      "a thumbs-up",
      (github, targetId) => void github.addReaction(REPOSITORY, { target: "review-comment", targetId, content: "+1", user: "alice" }),
    ],
    [
      "talk of ignoring",
      (github, inReplyTo) =>
        void github.addReviewComment(REPOSITORY, 1, {
          user: "alice",
          body: "We should ignore it, @sallyport.",
          path: "src/a.js",
          line: 2,
          inReplyTo,
        }),
    ],
  ])("is not dismissed by %s", async (_, prepare) => {
    expect((await (await known(prepare))())(again(OTHER_WORDS))).toBe(false);
  });

  test("in the body of a review is known by its file and words, unless the review was never submitted", async () => {
    const said = { path: "src/b.js", line: 9, body: "Nobody closes this." };
    const body = "Remarks beside the lines:\n\n**`src/b.js:9`**\n\nNobody closes this.";
    const posted = await (await known((github) => void github.addReview(REPOSITORY, 1, { user: github.botLogin, body })))();
    expect(posted(said)).toBe(true);
    expect(posted({ ...said, path: "src/c.js" })).toBe(false);
    const pending = await (
      await known((github) => void github.addReview(REPOSITORY, 1, { user: github.botLogin, body, state: "PENDING" }))
    )();
    expect(pending(said)).toBe(false);
  });

  test("is only known when the bot itself has made it", async () => {
    const isKnown = await (
      await known(
        (github) =>
          void github.addReviewComment(REPOSITORY, 1, { user: "maria", body: "This name says nothing.", path: "src/a.js", line: 1 }),
      )
    )();
    expect(isKnown(again("This name says nothing.", 2))).toBe(false);
  });
});
