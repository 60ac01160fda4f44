import { describe, expect, test } from "vitest";
import { call, say, type ModelRequest, type Script } from "../../src/testing/index.ts";
import { checksOn, post, propose, pushTo, remarksOn, tell, turnOf } from "./pull-requests.ts";
import { openStage, REPOSITORY, type Stage } from "./stage.ts";

const OVER = { timeout: 120_000 };
const BEFORE = "export function half(n) {\n  if (n < 0) return 0\n  return n / 3\n}\n";
const MENDED = BEFORE.replace("n / 3", "n / 2");
const THIRD = { path: "src/half.js", line: 3, body: "A third is no half." };

/** The number of the one earlier remark that a reviewer is asked about; 0 where it is asked about none. */
const asked = ({ text }: ModelRequest): number => Number(/Remark (\d+) on "src\/half\.js": A third is no half\./.exec(text)?.[1] ?? 0);

/** A model that remarks on the third line at first, and says later that each remark it is asked about was put right: or those of `named`. */
const mending =
  (named?: (stage: Stage) => readonly number[], stageOf?: () => Stage): Script =>
  (request) => {
    if (turnOf(request) > 0) return say("Looked.");
    if (!request.toolNames.includes("gh_resolve_remarks")) return post([THIRD]);
    const remarks = named !== undefined && stageOf !== undefined ? named(stageOf()) : [asked(request)];
    return remarks[0] === 0 ? say("Nothing to look at again.") : call("gh_resolve_remarks", { remarks });
  };

/** A pull request whose one remark stands; `between` happens before the next push. */
async function reviewed(stage: Stage) {
  const pull = propose(stage, { "src/half.js": BEFORE });
  await tell(stage, pull);
  const [root] = stage.github.reviewComments(REPOSITORY);
  if (root === undefined) throw new Error("there is no remark");
  return { pull, root };
}
const resolutions = ({ github }: Stage) => github.requests.filter(({ graphql }) => graphql === "resolveReviewThread");

test("the conversation of a remark that was put right is resolved once the review has looked at its place again", OVER, async () => {
  await using stage = await openStage({ script: mending() });
  const { pull, root } = await reviewed(stage);
  expect(stage.model.requests[0]?.toolNames).not.toContain("gh_resolve_remarks");
  await pushTo(stage, pull, { "src/half.js": `// moved\n${MENDED}` });
  expect(stage.github.resolvedThreads(REPOSITORY)).toEqual([root.id]);
  expect(resolutions(stage)).toMatchObject([{ body: { variables: { input: { threadId: expect.any(String) } } } }]);
  const shown = stage.model.requests.map(({ text }) => text).join("\n");
  expect(shown).toMatch(/The lines that it was about:\n {4}return n \/ 3\nThe place as it is now:\n[\s\S]*4 {3}return n \/ 2/);
  expect(stage.model.requests.at(-1)?.text).toContain("resolved: 1.");
  expect(checksOn(stage, pull.headSha)).toMatchObject([
    { conclusion: "success", output: { summary: expect.stringContaining("resolved: 1 ") } },
  ]);
  expect(remarksOn(stage)).toHaveLength(1);
});

describe("a conversation stays open", () => {
  test("of which the reviewer says nothing", OVER, async () => {
    await using stage = await openStage({ script: (request) => (turnOf(request) > 0 || asked(request) > 0 ? say("Hm.") : post([THIRD])) });
    const { pull } = await reviewed(stage);
    await pushTo(stage, pull, { "src/half.js": MENDED });
    expect(stage.github.resolvedThreads(REPOSITORY)).toEqual([]);
  });

  test("that is another's, or on another pull request, whatever the reviewer names", OVER, async () => {
    const all = ({ github }: Stage): readonly number[] => github.reviewComments(REPOSITORY).map(({ id }) => id);
    const holder: { stage?: Stage } = {};
    await using stage = await openStage({
      script: mending(all, () => {
        if (holder.stage === undefined) throw new Error("there is no stage yet");
        return holder.stage;
      }),
    });
    holder.stage = stage;
    const { pull, root } = await reviewed(stage);
    const { github } = stage;
    github.addReviewComment(REPOSITORY, 1, { user: "maria", body: "A third is no half.", path: "src/half.js", line: 3 });
    github.push(REPOSITORY, "other", { "src/half.js": BEFORE });
    github.openPull(REPOSITORY, { title: "Another", user: "alice", head: "other" });
    github.addReviewComment(REPOSITORY, 2, { user: github.botLogin, body: "A third is no half.", path: "src/half.js", line: 3 });
    await pushTo(stage, pull, { "src/half.js": MENDED });
    expect(github.resolvedThreads(REPOSITORY)).toEqual([root.id]);
    expect(stage.model.requests.at(-1)?.text).toMatch(/resolved: 1\. Left as they are/);
  });

  test("where GitHub forbids to resolve it: the review is made all the same", OVER, async () => {
    await using stage = await openStage({ script: mending() });
    stage.github.fault({
      match: /resolveReviewThread/,
      respond: {
        status: 200,
        body: { data: { resolveReviewThread: null }, errors: [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }] },
      },
    });
    const { pull } = await reviewed(stage);
    await pushTo(stage, pull, { "src/half.js": MENDED });
    expect(stage.github.resolvedThreads(REPOSITORY)).toEqual([]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ status: "completed", conclusion: "success" }]);
  });
});
