import { expect, test } from "vitest";
import { classify } from "../../../src/github/classify.ts";
import type { BadAnswer, Meaning } from "../../../src/github/classify.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const answer = (status: number | undefined, message = "", extra: Partial<BadAnswer> = {}): BadAnswer => ({
  status,
  message,
  headers: {},
  errors: [],
  ...extra,
});
const later = (ms: number, limit: "primary" | "secondary"): Meaning => ({ kind: "later", ms, limit });
const final = (code: string) => ({ kind: "final", code });
const reset = (seconds: number) => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + seconds) });

test.for<readonly [string, BadAnswer, object]>([
  ["no answer", answer(undefined, "ECONNRESET"), { kind: "uncertain" }],
  ["a server error, whatever it says", answer(502, "is locked"), { kind: "uncertain" }],
  ["408", answer(408), { kind: "uncertain" }],
  ["401", answer(401, "Bad credentials"), { kind: "renew" }],
  ["retry-after in seconds", answer(403, "", { headers: { "retry-after": "3" } }), later(3000, "secondary")],
  ["retry-after as a date", answer(429, "", { headers: { "retry-after": "Sun, 01 Mar 2026 12:00:09 GMT" } }), later(9000, "secondary")],
  ["retry-after beside a spent quota", answer(403, "", { headers: { "retry-after": "3", ...reset(900) } }), later(3000, "secondary")],
  ["a bare 429", answer(429), later(60_000, "secondary")],
  ["abuse detection", answer(403, "You have triggered an abuse detection mechanism"), later(60_000, "secondary")],
  ["a spent quota", answer(403, "API rate limit exceeded for installation ID 1.", { headers: reset(90) }), later(91_000, "primary")],
  ["a spent quota whose reset has passed", answer(429, "", { headers: reset(-30) }), later(60_000, "primary")],
  ["a spent quota without a reset", answer(403, "API rate limit exceeded"), later(60_000, "primary")],
  [
    "a spent GraphQL quota",
    answer(200, "", { errors: [{ type: "RATE_LIMITED", message: "x" }], headers: reset(9) }),
    later(10_000, "primary"),
  ],
  ["quota left, and a plain refusal", answer(403, "Forbidden", { headers: { "x-ratelimit-remaining": "10" } }), final("forbidden")],
  ["no permission", answer(403, "Resource not accessible by integration"), { kind: "once-more", code: "missing-permission" }],
  [
    "a GraphQL hiccup",
    answer(200, "", { errors: [{ message: "Something went wrong while executing your query." }] }),
    { kind: "uncertain" },
  ],
  ["a text in errors[] alone", answer(422, "Validation Failed", { errors: ["Reference already exists"] }), final("reference-exists")],
  ["an error that is no object", answer(422, "Validation Failed", { errors: [null, 3, { message: 4 }] }), final("validation")],
  ["a missing reference", answer(422, "Reference does not exist"), final("branch-moved")],
  ["a locked thread in GraphQL", answer(200, "", { errors: [{ message: "Conversation is locked" }] }), final("locked")],
  ["data that is stale, whatever the text", answer(200, "", { errors: [{ type: "STALE_DATA", message: "x" }] }), final("branch-moved")],
  ["a type of GraphQL's", answer(200, "", { errors: [{ type: "NOT_FOUND", message: "x" }] }), final("not-found")],
  ["a text that says more than its type", answer(200, "", { errors: [{ type: "FORBIDDEN", message: "is locked" }] }), final("locked")],
  ["a type alone that forbids", answer(200, "", { errors: [{ type: "FORBIDDEN" }] }), final("forbidden")],
  ["a service of GraphQL's that is away", answer(200, "", { errors: [{ type: "SERVICE_UNAVAILABLE" }] }), { kind: "uncertain" }],
  ["a code of REST's that says nothing more", answer(422, "Validation Failed", { errors: [{ code: "invalid" }] }), final("validation")],
  ["a code that only looks like one of ours", answer(422, "", { errors: [{ code: "constructor" }] }), final("validation")],
  ["404", answer(404, "Not Found"), final("not-found")],
  ["a repository without a commit", answer(409, "Git Repository is empty."), final("empty-repository")],
  ["a conflict", answer(409, "Conflict"), final("conflict")],
  ["issues that are switched off", answer(410, "Issues are disabled for this repo"), final("gone")],
  ["what the law took away", answer(451), final("gone")],
  [
    "a pull request that is there",
    answer(422, "", { errors: [{ code: "custom", message: "A pull request already exists for a:b." }] }),
    final("pull-request-exists"),
  ],
  ["drafts that a plan lacks", answer(422, "Draft pull requests are not supported in this repository."), final("draft-not-supported")],
  ["nothing to merge", answer(422, "", { errors: [{ message: "No commits between main and x" }] }), final("no-commits-between")],
  [
    "a body that is too long",
    answer(422, "", { errors: [{ code: "custom", message: "body is too long (maximum is 65536 characters)" }] }),
    final("body-too-long"),
  ],
  ["a branch that has moved", answer(422, "Update is not a fast forward"), final("branch-moved")],
  ["an unknown status", answer(418), final("validation")],
  [
    "the guard's own refusal",
    answer(403, "secondary rate limit", { headers: { "x-sallyport-guard": "no-pass" } }),
    final("refused-by-guard"),
  ],
])("%s", ([, bad, meaning]) => {
  expect(classify(bad, NOW)).toEqual(meaning);
});
