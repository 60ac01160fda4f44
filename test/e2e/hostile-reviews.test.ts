import { expect, test } from "vitest";
import { call, say } from "../../src/testing/index.ts";
import { checksOn, FRESH, post, propose, reviewsBy, tell, turnOf } from "./pull-requests.ts";
import { openStage } from "./stage.ts";

const OVER = { timeout: 90_000 };

test(
  "a remark whose path cannot be published is answered with an error; the review goes on and its check run is completed",
  OVER,
  async () => {
    const odd = ["src/\ud800.js", "src/\0.js"].map((path) => ({ path, line: 1, body: "Odd." }));
    await using stage = await openStage({
      script: (request) => {
        const turn = turnOf(request);
        return turn < odd.length
          ? post(odd.slice(turn, turn + 1))
          : turn === odd.length
            ? post([{ ...odd[0], path: "src/fresh.js", line: 1, body: "Fair." }])
            : say("Done.");
      },
    });
    const pull = propose(stage, FRESH);
    await tell(stage, pull);
    const answers = stage.model.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[error\] [\s\S]*half of a surrogate pair/),
      expect.stringMatching(/^\[error\] [\s\S]*NUL/),
      expect.stringContaining("Reviewed #1"),
    ]);
    expect(reviewsBy(stage)).toHaveLength(1);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ status: "completed", conclusion: "success" }]);
  },
);

test("a review that comes to nothing for its path ends its check run as not published", OVER, async () => {
  const script = [call("gh_review_pr", { number: 1, body: "B.", comments: [{ path: "\ud800", line: 1, body: "Odd." }] }), say("Done.")];
  await using stage = await openStage({ script });
  const pull = propose(stage, FRESH);
  await tell(stage, pull);
  expect(checksOn(stage, pull.headSha)).toMatchObject([
    { status: "completed", conclusion: "neutral", output: { title: "The review could not be published" } },
  ]);
});
