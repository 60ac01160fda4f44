import { expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { silent } from "../../../src/core/log.ts";
import type { Comment } from "../../../src/core/operation.ts";
import { createGitHubApp } from "../../../src/github/client.ts";
import { GitHubError } from "../../../src/github/errors.ts";
import { createMarkers } from "../../../src/github/marker.ts";
import { perform } from "../../../src/github/writer.ts";
import type { Answer, Arrived, Loopback } from "./loopback.ts";
import { fakeLedger, handClock, loopback, newPrivateKey, REPOSITORY, sessionOn } from "./loopback.ts";

const COMMENT: Comment = { kind: "comment", repository: REPOSITORY, thread: { kind: "issue", number: 5 }, body: "Done." };
const OURS = { id: 31, html_url: "u", body: "Done.", created_at: "2026-03-01T12:00:00Z", user: { login: "sallyport[bot]" } };
const MADE: Answer = { status: 201, body: OURS };
const POST = "POST /repos/acme/app/issues/5/comments";
const LIMIT = { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." };

/** A GitHub that gives these answers to comments in turn, then takes them; `stored` is what its list shows after the first. */
function commenting(answers: readonly Answer[], stored: readonly object[] = []): Promise<Loopback> {
  const left = [...answers];
  return loopback((request: Arrived) => {
    if (request.method === "GET") return { status: 200, body: stored };
    return left.shift() ?? MADE;
  });
}
async function comment(github: Loopback, operation: Comment = COMMENT, extra: object = {}) {
  const ledger = fakeLedger();
  const clock = handClock();
  const session = sessionOn(github.baseUrl, ledger, clock);
  const outcome = await perform(operation, { session, mint: ledger.mint, once: (step) => step.send(), ...extra }).catch(
    (error: unknown) => error,
  );
  return { outcome, slept: clock.slept, passes: ledger.minted.length, posts: github.lines().filter((line) => line === POST).length };
}

const LOST: readonly (readonly [string, Answer])[] = [
  ["a 502", { status: 502, body: { message: "Server Error" } }],
  ["a 500", { status: 500 }],
  ["a broken connection", "reset"],
  ["no answer at all", "hang"],
  ["an answer that breaks off", "half"],
  ["a success without its content", { status: 201, body: {} }],
];

test.for(LOST)("after %s a comment that GitHub stored is found, not sent again", async ([, answer]) => {
  await using github = await commenting([answer], [{ ...OURS, body: "Done.\r\n" }]);
  expect(await comment(github)).toMatchObject({ outcome: { operation: "comment", id: 31, url: "u" }, posts: 1 });
});

test.for(LOST)("after %s a comment that GitHub did not store is sent again, with a new pass", async ([, answer]) => {
  await using github = await commenting([answer], [{ ...OURS, user: { login: "mira" } }]);
  expect(await comment(github)).toMatchObject({ outcome: { id: 31 }, posts: 2, passes: 2 });
  expect(github.lines()).toEqual([POST, "GET /repos/acme/app/issues/5/comments?per_page=100", POST]);
});

test("answers that stay unclear end after a few sends, as uncertain", async () => {
  await using github = await loopback(({ method }) => (method === "GET" ? { status: 200, body: [] } : { status: 503 }));
  const { outcome, posts } = await comment(github);
  expect(outcome).toMatchObject({ code: "uncertain", status: 503 });
  expect(posts).toBe(5);
});

test("while GitHub cannot be asked whether a write is there, it is not sent again", async () => {
  await using github = await loopback(() => ({ status: 502 }));
  expect(await comment(github)).toMatchObject({ outcome: { code: "uncertain" }, posts: 1 });
});

test("a lost comment is known by run and key of its marker, whatever its text and state are by now, beyond the first page", async () => {
  const markers = createMarkers("secret");
  const body = `Plan\n${markers.stamp({ run: "r1", state: "working", key: "run-comment" })}`;
  const others = [
    { ...OURS, id: 1, body: `Fake ${createMarkers("other").stamp({ run: "r1", state: "working", key: "run-comment" })}` },
    { ...OURS, id: 2, body: `Mine ${markers.stamp({ run: "r2", state: "done", key: "run-comment" })}` },
    { ...OURS, id: 3, user: null, body },
    { ...OURS, id: 4, body: null },
  ];
  const ours = { ...OURS, id: 135, body: `Result\n${markers.stamp({ run: "r1", state: "done", key: "run-comment" })}` };
  await using github = await loopback(({ method, path }) => {
    if (method === "POST") return { status: 502 };
    if (path.includes("page=2")) return { status: 200, body: [ours] };
    const link = `<${github.baseUrl}/repos/acme/app/issues/5/comments?per_page=100&page=2>; rel="next"`;
    return { status: 200, body: others, headers: { link } };
  });
  const since = new Date("2026-03-01T11:00:00Z");
  expect(await comment(github, { ...COMMENT, body }, { markers, since })).toMatchObject({ outcome: { id: 135 }, posts: 1 });
  expect(github.lines()[1]).toContain("since=2026-03-01T11%3A00%3A00.000Z");
});

const LIMITS: readonly (readonly [string, Answer, number])[] = [
  ["a secondary limit with a time", { status: 403, body: LIMIT, headers: { "retry-after": "4" } }, 4000],
  ["a 429 with a time", { status: 429, body: { message: "Too Many Requests" }, headers: { "retry-after": "7" } }, 7000],
  [
    "a secondary limit without a time, its reset in the past",
    { status: 403, body: LIMIT, headers: { "x-ratelimit-remaining": "4771", "x-ratelimit-reset": "1" } },
    60_000,
  ],
  [
    "a primary limit",
    {
      status: 403,
      body: { message: "API rate limit exceeded" },
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772370090", date: "Sun, 01 Mar 2026 13:00:00 GMT" },
    },
    91_000,
  ],
];
test.for(LIMITS)("%s is waited out, then the comment is sent once", async ([, answer, ms]) => {
  await using github = await commenting([answer]);
  expect(await comment(github)).toMatchObject({ outcome: { id: 31 }, posts: 2, slept: [ms] });
});

test("a rate limit that lasts longer than a run may wait is said, not waited out", async () => {
  await using github = await commenting([{ status: 403, body: LIMIT, headers: { "retry-after": "3600" } }]);
  expect(await comment(github, COMMENT, { longestWaitMs: 60_000 })).toMatchObject({
    outcome: { code: "rate-limited" },
    posts: 1,
    slept: [],
  });
});

test("a rate limit that does not end is given up", async () => {
  await using github = await loopback(() => ({ status: 403, body: LIMIT }));
  const { outcome, posts } = await comment(github);
  expect(outcome).toMatchObject({ code: "rate-limited" });
  expect(posts).toBeLessThanOrEqual(4);
});

const FINAL: readonly (readonly [string, Answer, string])[] = [
  ["400", { status: 400, body: { message: "Problems parsing JSON" } }, "validation"],
  ["401 with a token that cannot be renewed", { status: 401, body: { message: "Bad credentials" } }, "bad-credentials"],
  ["403 on a locked issue", { status: 403, body: { message: "Unable to create comment because issue is locked." } }, "locked"],
  ["403 on an archived repository", { status: 403, body: { message: "Repository was archived so is read-only." } }, "archived"],
  ["404", { status: 404, body: { message: "Not Found" } }, "not-found"],
  ["409", { status: 409, body: { message: "Conflict" } }, "conflict"],
  ["410", { status: 410, body: { message: "Gone" } }, "gone"],
  [
    "422 on a long text",
    { status: 422, body: { message: "Validation Failed", errors: [{ message: "body is too long (maximum is 65536 characters)" }] } },
    "body-too-long",
  ],
  ["422", { status: 422, body: { message: "Validation Failed" } }, "validation"],
  ["451", { status: 451 }, "gone"],
  ["a redirect", { status: 307, headers: { location: "/elsewhere" } }, "moved"],
];
test.for(FINAL)("%s is final: one request, and an error that says what it means", async ([, answer, code]) => {
  await using github = await loopback(() => answer);
  const { outcome, posts } = await comment(github);
  expect(outcome).toBeInstanceOf(GitHubError);
  expect(outcome).toMatchObject({ code });
  expect(posts).toBe(1);
});

test("a permission that GitHub does not see is asked twice at most", async () => {
  await using github = await loopback(() => ({ status: 403, body: { message: "Resource not accessible by integration" } }));
  expect(await comment(github)).toMatchObject({ outcome: { code: "missing-permission" }, posts: 2 });
});

test("a refused token is renewed once for a write, which gets a second pass", async () => {
  const used: string[] = [];
  let issued = 0;
  await using github = await loopback(({ path, headers }) => {
    if (path.endsWith("/access_tokens"))
      return { status: 201, body: { token: `t${++issued}`, expires_at: "2026-03-01T13:00:00Z", permissions: {} } };
    used.push(String(headers.authorization));
    return used.length === 1 ? { status: 401, body: { message: "Bad credentials" } } : MADE;
  });
  const ledger = fakeLedger();
  const clock = handClock();
  const app = createGitHubApp({
    baseUrl: github.baseUrl,
    appId: 1,
    privateKey: newPrivateKey(),
    ledger,
    log: silent,
    now: () => clock.now(),
  });
  const outcome = await perform(COMMENT, { session: app.session(3), mint: ledger.mint, once: (step) => step.send() });
  expect(outcome).toMatchObject({ id: 31 });
  expect(used).toEqual(["token t1", "token t2"]);
  expect(ledger.redeemed).toHaveLength(2);
});

test("a run that is cancelled sends nothing more", async () => {
  const cancel = new AbortController();
  await using github = await loopback(() => {
    cancel.abort(new Error("stopped"));
    return { status: 502 };
  });
  expect(await comment(github, COMMENT, { signal: cancel.signal })).toMatchObject({ outcome: { message: "stopped" }, posts: 1 });
});

test("an edit whose answer was lost is compared, not repeated", async () => {
  await using github = await loopback(({ method }) =>
    method === "PATCH" ? { status: 502 } : { status: 200, body: { ...OURS, body: "More." } },
  );
  const ledger = fakeLedger();
  const outcome = await perform(
    { kind: "edit-own-comment", repository: REPOSITORY, thread: COMMENT.thread, commentId: 31, body: "More." },
    { session: sessionOn(github.baseUrl, ledger), mint: ledger.mint, once: (step) => step.send() },
  );
  expect(outcome).toEqual({ operation: "edit-own-comment", id: 31, url: "u" });
  expect(github.lines()).toEqual(["PATCH /repos/acme/app/issues/comments/31", "GET /repos/acme/app/issues/comments/31"]);
});

test.each<readonly [string, Answer]>([
  ["a limit was waited out", { status: 403, body: LIMIT }],
  ["an unclear answer", { status: 502 }],
])("after %s nothing is sent again by a worker that has lost the run meanwhile", async (_, answer) => {
  await using github = await commenting([answer]);
  const assertCurrent = () => Promise.reject(new StaleAttemptError("run", 1));
  const { outcome, posts } = await comment(github, COMMENT, { assertCurrent });
  expect(outcome).toBeInstanceOf(StaleAttemptError);
  expect(posts).toBe(1);
});
