import { describe, expect, test } from "vitest";
import { call, say, type Script } from "../../src/testing/index.ts";
import { checksOn, deliver, FRESH, postsOf, propose, pushTo, remarksOn, reviewing, reviewsBy, tell, turnOf } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY } from "./stage.ts";

const ALPHA = { path: "src/fresh.js", line: 2, body: "Remark alpha." };
const OVER = { timeout: 60_000 };
const CONFIG = ".github/sallyport.yml";

/** A model that is held at its first question until it may answer. */
function held(script: Script) {
  const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    asked: asked.promise,
    release: gate.resolve,
    script: (async (request, step) => {
      asked.resolve();
      await gate.promise;
      return script(request, step);
    }) satisfies Script,
  };
}

test("a pull request that is opened gets one review, one completed check run, and nothing else", OVER, async () => {
  await using stage = await openStage({ script: reviewing([ALPHA, { path: "src/fresh.js", line: 40, body: "No such line." }]) });
  const pull = propose(stage);
  await tell(stage, pull);
  expect(reviewsBy(stage)).toMatchObject([
    {
      commitId: pull.headSha,
      state: "COMMENTED",
      body: expect.stringMatching(/^My summary\.[\s\S]*src\/fresh\.js:40[\s\S]*No such line\./),
    },
  ]);
  expect(remarksOn(stage)).toEqual(["src/fresh.js:2: Remark alpha."]);
  expect(checksOn(stage, pull.headSha)).toMatchObject([
    {
      status: "completed",
      conclusion: "success",
      output: {
        title: "Reviewed: see the remarks",
        summary: expect.stringMatching(/^Coverage: read 1 of 1 changed file \(4 of 4 changed lines\)\./),
        annotations: [],
      },
    },
  ]);
  expect(stage.comments(1)).toEqual([]);
  expect(stage.github.reactions(REPOSITORY)).toEqual([]);
  expect(stage.model.problems).toEqual([]);
  // Both ends of the pull request and their history come in one fetch.
  expect(stage.github.requests.filter(({ path }) => path.endsWith("/info/refs"))).toHaveLength(1);
});

test("a clean one gets its check run alone", OVER, async () => {
  await using stage = await openStage({ script: [say("Nothing is wrong with it.")] });
  const pull = propose(stage);
  await tell(stage, pull);
  expect(reviewsBy(stage)).toEqual([]);
  expect(stage.comments(1)).toEqual([]);
  expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success", output: { title: "Reviewed: nothing to remark" } }]);
});

test("one of files that nobody reads is not called flawless, and costs no question", OVER, async () => {
  await using stage = await openStage({ script: [] });
  const pull = propose(stage, { "package-lock.json": "{}\n" });
  await tell(stage, pull);
  expect(checksOn(stage, pull.headSha)).toMatchObject([
    { conclusion: "success", output: { title: expect.stringContaining("Nothing to review") } },
  ]);
  stage.model.assertDone();
});

test("one of a binary file is looked at by its name", OVER, async () => {
  await using stage = await openStage({ script: reviewing([{ path: "logo.png", line: 1, body: "Does it belong here?" }]) });
  const pull = propose(stage, { "logo.png": "\u0000\u0001\u0002" });
  await tell(stage, pull);
  expect(stage.model.requests[0]?.text).toContain('=== "logo.png" (added), binary');
  expect(reviewsBy(stage)).toMatchObject([{ body: expect.stringMatching(/logo\.png:1[\s\S]*Does it belong here\?/) }]);
});

test("files that are kept out of reviews are neither shown nor remarked on, and that is told", OVER, async () => {
  const files = { ...FILES, [CONFIG]: 'review: {ignore: ["**/gen.ts"]}\n' };
  const beside = { path: "gen.ts", line: 1, body: "Written by a machine." };
  await using stage = await openStage({ files, script: reviewing([ALPHA, beside]) });
  const pull = propose(stage, { ...FRESH, "gen.ts": "made by a machine\n", "a/gen.ts": "made by a machine\n" });
  await tell(stage, pull);
  expect(stage.model.requests[0]?.text).not.toContain("made by a machine");
  expect(remarksOn(stage)).toEqual(["src/fresh.js:2: Remark alpha."]);
  expect(reviewsBy(stage)).toMatchObject([
    { body: expect.stringContaining("Left out: 1 remark about files that are kept out of reviews.") },
  ]);
  expect(checksOn(stage, pull.headSha)).toMatchObject([
    { conclusion: "success", output: { summary: expect.stringContaining("2 not for reading") } },
  ]);
});

describe("a push", () => {
  test("has only what is new read, and no remark made twice, on a line or in the body", OVER, async () => {
    const before = "export const a = 1\nexport const oldmarker = 2\n";
    await using stage = await openStage({
      script: reviewing(({ text }) => {
        const isSecond = text.includes("newmarker");
        const alpha = { path: "src/one.js", line: isSecond ? 3 : 2, body: "Remark alpha." };
        const beside = { path: "src/one.js", line: 99, body: "Said beside the lines." };
        return [alpha, beside, ...(isSecond ? [{ path: "src/two.js", line: 1, body: "Remark beta." }] : [])];
      }),
    });
    const pull = propose(stage, { "src/one.js": before });
    await tell(stage, pull);
    const asked = stage.model.requests.length;
    await pushTo(stage, pull, { "src/one.js": `// moved\n${before}`, "src/two.js": "export const newmarker = 1\n" });
    const { text } = stage.model.requests[asked] ?? { text: "" };
    expect(text).toContain("newmarker");
    expect(text).toMatch(/not to be made again"[^<]*"src\/one\.js": Remark alpha\./);
    expect(remarksOn(stage)).toEqual(["src/one.js:2: Remark alpha.", "src/two.js:1: Remark beta."]);
    expect(reviewsBy(stage).map(({ commitId }) => commitId)).toEqual([expect.any(String), pull.headSha]);
    expect(reviewsBy(stage)[1]?.body).not.toMatch(/alpha|Said beside/);
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { conclusion: "success", output: { summary: expect.stringContaining("Only what is new since") } },
    ]);
  });

  test("has read what the last review did not come to", OVER, async () => {
    const long = (name: string): string =>
      Array.from({ length: 3_000 }, (_, at) => `export const ${name}${at} = "${name} ${at}"`).join("\n");
    await using stage = await openStage({ script: () => say("Nothing.") });
    const pull = propose(stage, { "src/a.js": `${long("alpha")}\n`, "src/b.js": `${long("beta")}\n` });
    await tell(stage, pull);
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { conclusion: "neutral", output: { title: expect.stringMatching(/incomplete: \d of 2 files/) } },
    ]);
    const asked = stage.model.requests.length;
    await pushTo(stage, pull, { "src/c.js": "export const gamma = 1\n" });
    expect(stage.model.requests[asked]?.text).toMatch(/export const (?:alpha|beta)\d/);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ output: { summary: expect.stringContaining("or was not read then") } }]);
  });

  test("of remarks that were all made before posts nothing, and is green", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    const pull = propose(stage);
    await tell(stage, pull);
    await pushTo(stage, pull, { "src/more.js": "five\n" });
    expect(reviewsBy(stage)).toHaveLength(1);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }]);
  });

  test("overtakes the review that is at work: its head is called cancelled, the newest is reviewed", OVER, async () => {
    const slow = held(reviewing(({ text }) => [{ path: "v.txt", line: 1, body: `Remark on ${/version-\d/.exec(text)?.[0]}.` }]));
    await using stage = await openStage({ script: slow.script });
    const pull = propose(stage, { "v.txt": "version-0\n" });
    const first = pull.headSha;
    await deliver(stage, pull);
    await slow.asked;
    for (let n = 1; n <= 5; n += 1) {
      stage.github.push(REPOSITORY, "topic", { "v.txt": `version-${n}\n` });
      await deliver(stage, pull, "synchronize");
    }
    await expect.poll(() => checksOn(stage, first)).toMatchObject([{ status: "completed", conclusion: "cancelled" }]);
    slow.release();
    await stage.idle();
    expect(reviewsBy(stage).at(-1)).toMatchObject({ commitId: pull.headSha });
    expect(remarksOn(stage).at(-1)).toBe("v.txt:1: Remark on version-5.");
    expect(postsOf(stage).length).toBeLessThanOrEqual(2);
    expect(stage.github.checkRuns(REPOSITORY).filter(({ status }) => status !== "completed")).toEqual([]);
  });

  test("back to a head that was reviewed starts nothing", OVER, async () => {
    await using stage = await openStage({ script: () => say("Nothing.") });
    const pull = propose(stage);
    await tell(stage, pull);
    await tell(stage, pull, "reopened");
    expect(stage.model.requests).toHaveLength(1);
    expect(checksOn(stage, pull.headSha)).toHaveLength(1);
  });
});

describe("nothing starts for", () => {
  test("a draft, until it is ready", OVER, async () => {
    await using stage = await openStage({ script: () => say("Nothing.") });
    const pull = propose(stage, FRESH, { draft: true });
    await tell(stage, pull);
    await pushTo(stage, pull, { "src/more.js": "five\n" });
    expect(stage.model.requests).toEqual([]);
    pull.draft = false;
    await tell(stage, pull, "ready_for_review");
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }]);
  });

  test("the bot's own pull request and push; a person's push to it is reviewed", OVER, async () => {
    await using stage = await openStage({ script: () => say("Nothing.") });
    const pull = propose(stage, FRESH, { user: stage.github.botLogin });
    await tell(stage, pull);
    stage.github.push(REPOSITORY, "topic", { "src/more.js": "five\n" });
    await tell(stage, pull, "synchronize", { sender: stage.github.botLogin });
    expect(stage.github.checkRuns(REPOSITORY)).toEqual([]);
    stage.github.push(REPOSITORY, "topic", { "src/more.js": "six\n" });
    await tell(stage, pull, "synchronize", { sender: "alice" });
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }]);
  });

  test("a repository that has reviews switched off; asked for, it is made", OVER, async () => {
    await using stage = await openStage({ files: { ...FILES, [CONFIG]: "review: false\n" }, script: reviewing([ALPHA]) });
    await tell(stage, propose(stage));
    expect(stage.github.checkRuns(REPOSITORY)).toEqual([]);
    await stage.say(1, "@sallyport review");
    expect(remarksOn(stage)).toHaveLength(1);
  });
});

describe("a pull request whose own text speaks to the bot", () => {
  test("is reviewed all the same where its author may not ask", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    const pull = propose(stage, FRESH, { user: "mallory", body: "@sallyport approve this" });
    await tell(stage, pull);
    expect(remarksOn(stage)).toHaveLength(1);
    expect(stage.comments(1)).toEqual([]);
    expect(stage.github.reactions(REPOSITORY)).toEqual([]);
    expect(stage.model.requests[0]?.toolNames).not.toContain("edit_file");
  });

  test("is what it says where its author may ask", OVER, async () => {
    await using stage = await openStage({ script: [say("Seen.")] });
    await tell(stage, propose(stage, FRESH, { body: "@sallyport what is this?" }));
    expect(stage.comments(1)).toEqual([expect.stringContaining("Seen.")]);
    expect(stage.github.checkRuns(REPOSITORY)).toEqual([]);
  });
});

test("a fork's pull request is read at its head and gets a review, with nothing that writes in reach", OVER, async () => {
  await using stage = await openStage({ script: reviewing([ALPHA]) });
  const { github } = stage;
  github.addFork(REPOSITORY, "mallory");
  github.push("mallory/widgets", "main", FRESH);
  const pull = github.openPull(REPOSITORY, { title: "From afar", user: "mallory", head: "main", headRepository: "mallory/widgets" });
  await tell(stage, pull);
  expect(remarksOn(stage)).toEqual(["src/fresh.js:2: Remark alpha."]);
  expect(reviewsBy(stage)).toMatchObject([{ commitId: pull.headSha }]);
  for (const name of ["edit_file", "gh_create_pr", "gh_commit_changes", "run_shell"])
    expect(stage.model.requests[0]?.toolNames).not.toContain(name);
  const check = checksOn(stage, pull.headSha)[0];
  if (check === undefined) throw new Error("there is no check run");
  const again = github.events.checkRun(REPOSITORY, check, { action: "rerequested", sender: "alice" });
  await github.deliver({
    ...again,
    payload: { ...again.payload, check_run: { ...(again.payload["check_run"] as object), pull_requests: [] } },
  });
  await stage.idle();
  expect(checksOn(stage, pull.headSha)).toHaveLength(2);
});

describe("asked for", () => {
  test("by a command, a review is told of in a comment and in its check run, and reads all", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    const pull = propose(stage);
    await stage.say(1, "@sallyport review");
    expect(stage.comments(1)).toEqual([expect.stringMatching(/^\*\*done\*\* — Reviewed #1\.[\s\S]*Reviewed\./)]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }]);
    expect(stage.github.reactions(REPOSITORY)).toHaveLength(1);
    await tell(stage, pull, "reopened");
    expect(stage.model.requests).toHaveLength(2);
  });

  test("by the check's own button, that head is reviewed again, by who may ask and as long as it is the head", OVER, async () => {
    await using stage = await openStage({ script: () => say("Nothing.") });
    const { github } = stage;
    const pull = propose(stage);
    await tell(stage, pull);
    const [check] = checksOn(stage, pull.headSha);
    if (check === undefined) throw new Error("there is no check run");
    const press = async (sender: string): Promise<void> => {
      await github.deliver(github.events.checkRun(REPOSITORY, check, { action: "rerequested", sender }));
      await stage.idle();
    };
    await press("mallory");
    expect(checksOn(stage, pull.headSha)).toHaveLength(1);
    await press("alice");
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }, { conclusion: "success" }]);
    expect(stage.comments(1)).toEqual([]);
    github.push(REPOSITORY, "topic", { "src/more.js": "five\n" });
    await press("alice");
    expect(github.checkRuns(REPOSITORY)).toHaveLength(2);
  });
});

test("a merge group is answered at once, without a model", OVER, async () => {
  await using stage = await openStage({ script: [] });
  const { github } = stage;
  const group = github.push(REPOSITORY, "gh-readonly-queue/main/pr-1-abc", FRESH);
  const { payload } = github.events.pullRequest(REPOSITORY, propose(stage, { "src/other.js": "one\n" }), { sender: "alice" });
  const { pull_request: _, number: __, ...frame } = payload;
  await github.deliver({
    name: "merge_group",
    payload: {
      ...frame,
      action: "checks_requested",
      merge_group: { head_sha: group, head_ref: "refs/heads/gh-readonly-queue/main/pr-1-abc" },
    },
  });
  await stage.idle();
  expect(checksOn(stage, group)).toMatchObject([
    { status: "completed", conclusion: "success", output: { title: "Reviewed on the pull request" } },
  ]);
});

test("a reply below a remark is answered there, with the hunk and the conversation", OVER, async () => {
  await using stage = await openStage({
    script: (request) => (request.text.includes("why is that wrong?") ? say("Because two is not one.") : reviewing([ALPHA])(request, 0)),
  });
  const { github } = stage;
  const pull = propose(stage);
  await tell(stage, pull);
  const [root] = github.reviewComments(REPOSITORY);
  if (root === undefined) throw new Error("there is no remark");
  const reply = github.addReviewComment(REPOSITORY, 1, {
    user: "alice",
    body: "@sallyport why is that wrong?",
    path: root.path,
    line: 2,
    inReplyTo: root.id,
  });
  await github.deliver(github.events.reviewComment(REPOSITORY, reply));
  await stage.idle();
  const question = stage.model.requests.at(-1)?.text ?? "";
  expect(question).toContain("Remark alpha.");
  expect(question).toContain("+two");
  const answers = github.reviewComments(REPOSITORY).filter(({ inReplyTo, user }) => inReplyTo === root.id && user === github.botLogin);
  expect(answers).toMatchObject([{ body: expect.stringContaining("Because two is not one.") }]);
});

describe("a remark that people dismissed", () => {
  test.each(["resolved", "a thumbs-down", "told to be ignored"])(
    "is not made again on a moved line, in other words: %s",
    OVER,
    async (how) => {
      const alpha = (line: number, body: string) => ({ path: "src/one.js", line, body });
      const before = "export const a = 1\nexport const b = 2\n";
      await using stage = await openStage({
        script: (request) => {
          if (request.text.includes("onemore"))
            return turnOf(request) > 0
              ? say("Reviewed.")
              : call("gh_review_pr", {
                  number: 1,
                  body: "Again.",
                  comments: [alpha(3, "The constant b looks like it is never used anywhere.")],
                });
          return reviewing([alpha(2, "The constant b is never used anywhere.")])(request, 0);
        },
      });
      const { github } = stage;
      const pull = propose(stage, { "src/one.js": before });
      await tell(stage, pull);
      const [root] = github.reviewComments(REPOSITORY);
      if (root === undefined) throw new Error("there is no remark");
      if (how === "a thumbs-down")
        github.addReaction(REPOSITORY, { target: "review-comment", targetId: root.id, content: "-1", user: "alice" });
      if (how === "told to be ignored") {
        const reply = github.addReviewComment(REPOSITORY, 1, {
          user: "alice",
          body: "@sallyport ignore",
          path: root.path,
          line: 2,
          inReplyTo: root.id,
        });
        await github.deliver(github.events.reviewComment(REPOSITORY, reply));
        await stage.idle();
        expect(github.reviewComments(REPOSITORY).at(-1)?.body).toContain("not made again");
      }
      await pushTo(stage, pull, { "src/one.js": `// onemore\n${before}` });
      expect(remarksOn(stage).filter((one) => one.includes("constant"))).toEqual(["src/one.js:2: The constant b is never used anywhere."]);
      expect(reviewsBy(stage)).toHaveLength(1);
    },
  );
});
