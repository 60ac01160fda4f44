import { describe, expect, test } from "vitest";
import { call, resumable, say, type Fault, type RecordedRequest } from "../../src/testing/index.ts";
import { openTheatre } from "./processes.ts";
import { checksOn, FRESH, post, postsOf, propose, pushTo, remarksOn, reviewing, reviewsBy, tell } from "./pull-requests.ts";
import { FILES, openStage, REPOSITORY } from "./stage.ts";

const ALPHA = { path: "src/fresh.js", line: 2, body: "Remark alpha." };
const OVER = { timeout: 120_000 };
const REVIEWS: Fault["match"] = ({ method, path }) => method === "POST" && path.endsWith("/reviews");
const COMMENTS = ({ method, path }: RecordedRequest): boolean => method === "POST" && /\/issues\/\d+\/comments$/.test(path);
const refused = (message: string, errors?: readonly string[]): Fault["respond"] => ({
  status: 422,
  body: { message, ...(errors === undefined ? {} : { errors }) },
});
const locked: Fault["respond"] = { status: 403, body: { message: "Unable to create comment because issue is locked." } };

/** Requests of which an equal one was sent before. */
function repeated(requests: readonly RecordedRequest[]): readonly string[] {
  const keys = requests.map(({ body }) => JSON.stringify(body));
  return keys.filter((key, at) => keys.indexOf(key) < at);
}

describe("a review that GitHub refuses", () => {
  test("for its places is said in one body, each remark with its place in words", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    stage.github.fault({
      match: REVIEWS,
      times: 1,
      respond: refused("Unprocessable Entity", ["pull_request_review_thread.line must be part of the diff"]),
    });
    const pull = propose(stage);
    await tell(stage, pull);
    expect(reviewsBy(stage)).toMatchObject([{ body: expect.stringMatching(/My summary\.[\s\S]*`src\/fresh\.js:2`[\s\S]*Remark alpha\./) }]);
    expect(remarksOn(stage)).toEqual([]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "success" }]);
  });

  test("for good stands in one comment, and its check is not green", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    stage.github.fault({ match: REVIEWS, respond: refused("Unprocessable Entity", ["An internal error occurred, please try again."]) });
    const pull = propose(stage);
    await tell(stage, pull);
    expect(stage.comments(1)).toEqual([
      expect.stringMatching(
        /^GitHub took no review of [0-9a-f]{10}; its remarks:[\s\S]*My summary\.[\s\S]*`src\/fresh\.js:2`[\s\S]*Remark alpha\./,
      ),
    ]);
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { conclusion: "neutral", output: { title: expect.stringContaining("its remarks stand in a comment") } },
    ]);
    expect(repeated(postsOf(stage))).toEqual([]);
    expect(postsOf(stage).length).toBeLessThanOrEqual(2);
  });

  test("since its head is gone is not tried again, stands in a comment, and is not made again at the next push", OVER, async () => {
    await using stage = await openStage({ script: reviewing([ALPHA]) });
    stage.github.fault({
      match: REVIEWS,
      times: 1,
      respond: refused("Unprocessable Entity", ["Commit oid is not part of the pull request"]),
    });
    const pull = propose(stage);
    await tell(stage, pull);
    expect(postsOf(stage)).toHaveLength(1);
    expect(stage.comments(1)).toEqual([expect.stringContaining("Remark alpha.")]);
    await pushTo(stage, pull, { "src/more.js": "five\n" });
    expect(postsOf(stage)).toHaveLength(1);
    expect(stage.comments(1)).toHaveLength(1);
  });

  test.each([
    [false, "neutral"],
    [true, "failure"],
  ])(
    "and whose comment is refused as well stands in the check run, in words and at its lines (required: %s)",
    OVER,
    async (required, conclusion) => {
      const files = { ...FILES, ".github/sallyport.yml": `review: {required: ${required}}\n` };
      await using stage = await openStage({
        files,
        script: reviewing([
          { ...ALPHA, suggestion: "TWO" },
          { path: "src/fresh.js", line: 40, body: "No such line." },
        ]),
      });
      stage.github.fault({ match: REVIEWS, respond: { status: 403, body: { message: "lock prevents review" } } });
      stage.github.fault({ match: COMMENTS, respond: locked });
      const pull = propose(stage);
      await tell(stage, pull);
      expect(reviewsBy(stage)).toEqual([]);
      expect(stage.comments(1)).toEqual([]);
      const [check, ...more] = checksOn(stage, pull.headSha);
      expect(more).toEqual([]);
      expect(check).toMatchObject({
        status: "completed",
        conclusion,
        output: {
          title: "The review could not be posted; its remarks stand here",
          text: expect.stringMatching(
            /My summary\.[\s\S]*`src\/fresh\.js:2`[\s\S]*Remark alpha\.[\s\S]*TWO[\s\S]*src\/fresh\.js:40[\s\S]*No such line\./,
          ),
          annotations: [
            expect.objectContaining({
              path: "src/fresh.js",
              start_line: 2,
              end_line: 2,
              annotation_level: "warning",
              message: expect.stringContaining("Remark alpha."),
            }),
          ],
        },
      });
    },
  );

  test("in a run that is no review keeps its remarks in a check run too, once GitHub takes them in no other form", OVER, async () => {
    let opened = false;
    await using stage = await openStage({
      script: (request) => (request.text.includes("have a look") ? reviewing([ALPHA])(request, 0) : say("Nothing.")),
    });
    stage.github.fault({ match: REVIEWS, respond: { status: 403, body: { message: "lock prevents review" } } });
    stage.github.fault({
      match: (request) => COMMENTS(request) && (opened || !(opened = true)),
      respond: locked,
    });
    const pull = propose(stage);
    await stage.say(1, "@sallyport have a look at this, please");
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { conclusion: "neutral", output: { text: expect.stringContaining("Remark alpha.") } },
    ]);
    expect(stage.comments(1)).toHaveLength(1);
  });
});

test("what the gate holds of a review is told as lost, and shown nowhere", OVER, async () => {
  // Put together here, so that no scanner takes this file for a leak.
  const secret = ["ghp", "R7tQ2mVx9KcL4pZs8WnB1yHd6FgJ3aEu5Xo0"].join("_");
  await using stage = await openStage({ script: reviewing([{ ...ALPHA, body: `Use ${secret} here.` }]) });
  const pull = propose(stage);
  await tell(stage, pull);
  expect(reviewsBy(stage)).toEqual([]);
  const checks = checksOn(stage, pull.headSha);
  expect(checks).toMatchObject([{ conclusion: "neutral", output: { title: "The review could not be published" } }]);
  expect(JSON.stringify(checks)).not.toContain(secret);
});

test("a review of its own that was never submitted is cleared away first; other people's stay", OVER, async () => {
  await using stage = await openStage({ script: reviewing([ALPHA]) });
  const { github } = stage;
  const pull = propose(stage);
  github.addReview(REPOSITORY, 1, { user: github.botLogin, state: "PENDING" });
  const theirs = github.addReview(REPOSITORY, 1, { user: "maria", state: "PENDING", body: "not ready" });
  await tell(stage, pull);
  expect(remarksOn(stage)).toHaveLength(1);
  expect(github.reviews(REPOSITORY).filter(({ state }) => state === "PENDING")).toMatchObject([{ id: theirs.id }]);
});

test("where no check run can be written, the review is made all the same", OVER, async () => {
  await using stage = await openStage({ script: reviewing([ALPHA]) });
  stage.github.fault({ match: /\/check-runs/, respond: { status: 403, body: { message: "Resource not accessible by integration" } } });
  await tell(stage, propose(stage));
  expect(remarksOn(stage)).toHaveLength(1);
  expect(stage.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/check-runs")).length).toBeLessThanOrEqual(
    2,
  );
});

test.each([
  [false, "neutral"],
  [true, "failure"],
])(
  "a model that cannot be had leaves a check that says so, and no word on the thread (required: %s)",
  OVER,
  async (required, conclusion) => {
    const files = { ...FILES, ".github/sallyport.yml": `review: {required: ${required}}\n` };
    await using stage = await openStage({
      files,
      script: () => ({ status: 401, body: { error: { message: "Incorrect API key provided", code: "invalid_api_key" } } }),
    });
    const pull = propose(stage);
    await tell(stage, pull);
    expect(checksOn(stage, pull.headSha)).toMatchObject([
      { status: "completed", conclusion, output: { title: "The review failed: it could not be made" } },
    ]);
    expect(stage.comments(1)).toEqual([]);
    expect(reviewsBy(stage)).toEqual([]);
  },
);

test("without any model a pull request is left in peace, with a check that is not green", OVER, async () => {
  await using stage = await openStage({ script: [], environment: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined } });
  const pull = propose(stage);
  await tell(stage, pull);
  expect(checksOn(stage, pull.headSha)).toMatchObject([{ conclusion: "neutral" }]);
  expect(stage.comments(1)).toEqual([]);
});

test("sixty-five remarks are one request, and fifty files cost no request of their own", OVER, async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`src/f${at}.js`, `export const f${at} = ${at}\n// more\n`]));
  const remarks = Array.from({ length: 65 }, (_, at) => ({
    path: `src/f${at % 50}.js`,
    line: at < 50 ? 1 : 2,
    body: `Remark number ${at}.`,
  }));
  await using stage = await openStage({ script: reviewing(remarks) });
  await tell(stage, propose(stage, files));
  expect(remarksOn(stage)).toHaveLength(65);
  expect(postsOf(stage)).toHaveLength(1);
  const asked = stage.github.requests.filter(({ path }) => path.includes("/repos/") && !path.includes(".git/"));
  expect(asked.map(({ method, path }) => `${method} ${path}`).length).toBeLessThanOrEqual(8 + SETTINGS);
  expect(asked.filter(({ path }) => path.includes("/contents/src"))).toEqual([]);
});
/** Reads of the configuration, which every run makes, whatever it is about. */
const SETTINGS = 4;

test(
  "killed at each write of a review, and started again each time, it leaves one review and one completed check run",
  { timeout: 120_000 },
  async () => {
    await using theatre = await openTheatre(resumable([post([ALPHA]), say("Reviewed.")]));
    const { github } = theatre;
    let running = await theatre.start();
    const places: readonly Fault["match"][] = [/^POST .*\/check-runs$/, REVIEWS, /^PATCH .*\/check-runs\/\d+$/];
    for (const match of places) github.fault({ match, times: 1, after: true, run: () => running.kill(), respond: "reset" });
    github.push(REPOSITORY, "topic", FRESH);
    const pull = github.openPull(REPOSITORY, { title: "A feature", user: "alice", head: "topic" });
    await github.deliver(github.events.pullRequest(REPOSITORY, pull));
    for (const _ of places) {
      await running.gone;
      running = await theatre.start();
    }
    const checks = () => github.checkRuns(REPOSITORY).map(({ headSha, status, conclusion }) => ({ headSha, status, conclusion }));
    await expect.poll(checks, { timeout: 40_000 }).toEqual([{ headSha: pull.headSha, status: "completed", conclusion: "success" }]);
    expect(github.reviews(REPOSITORY)).toHaveLength(1);
    expect(github.reviewComments(REPOSITORY)).toHaveLength(1);
    expect(theatre.model.requests).toHaveLength(2);
  },
);

test("a run asked in words posts a review too, and says so in its comment", OVER, async () => {
  const turns = [call("read_file", { path: "src/fresh.js" }), post([ALPHA]), say("See my remark.")];
  await using stage = await openStage({ script: resumable(turns) });
  const pull = propose(stage);
  await stage.say(1, "@sallyport have a look");
  expect(remarksOn(stage)).toEqual(["src/fresh.js:2: Remark alpha."]);
  expect(reviewsBy(stage)).toMatchObject([{ commitId: pull.headSha }]);
  expect(stage.comments(1)).toEqual([expect.stringMatching(/^\*\*done\*\*[\s\S]*See my remark\./)]);
  expect(checksOn(stage, pull.headSha)).toEqual([]);
});
