import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/core/operation.ts";
import type { RunRequest } from "../../../../src/core/run.ts";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { operationsRule } from "../../../../src/gate/rules/operations.ts";
import { runScope } from "../../../../src/gate/scope.ts";
import type { RunScope } from "../../../../src/gate/scope.ts";
import {
  ask,
  checkRun,
  comment,
  commit,
  deletePending,
  edit,
  openPull,
  reaction,
  resolveThread,
  repository,
  review,
  scope,
  severities,
  uploadSarif,
} from "../fixtures.ts";

const { limits } = defaultPolicy;
const ruleFor = (own: RunScope | undefined) => operationsRule({ scope: () => own, limits });
const thread = (number: number, reviewCommentId?: number) =>
  ({ kind: "issue", number, ...(reviewCommentId !== undefined && { reviewCommentId }) }) as const;

describe("operations", () => {
  it("lets nothing be told to code scanning by a run that may not", async () => {
    const { codeScanning: _, ...own } = scope;
    expect(severities(await ask(ruleFor(own), uploadSarif()))).toEqual(["block"]);
  });

  it.each<[string, Operation]>([
    ["a comment on another thread", comment("x", { thread: thread(55) })],
    ["a comment in another repository", comment("x", { repository: { ...repository, name: "secret" } })],
    ["a comment in a repository of the same name", comment("x", { repository: { ...repository, id: 8 } })],
    ["a reply under somebody's review comment", comment("x", { thread: thread(12, 4) })],
    ["an edit of a comment that is not its own", edit("x", { commentId: 901 })],
    ["an edit on another thread", edit("x", { thread: thread(13) })],
    ["eyes on another comment", reaction({ target: { kind: "issue-comment", id: 56 } })],
    ["eyes on an issue with the comment's number", reaction({ target: { kind: "issue", id: 55 } })],
    ["a check run on a commit that it is not about", checkRun({ headSha: "e".repeat(40) })],
    ["a state of a check run that it did not make", checkRun({ checkRunId: 701 })],
    ["a check run in another's name", checkRun({ name: "build / test" })],
    ["a check run whose details lead to no page", checkRun({ detailsUrl: "javascript:alert(1)" })],
    ["a review of another pull request", review({ number: 13 })],
    ["a review of a commit that it has not read", review({ commitId: "e".repeat(40) })],
    ["a remark on no line", review({ comments: [{ path: "a", line: 0, side: "RIGHT", body: "x" }] })],
    ["a remark whose lines are turned round", review({ comments: [{ path: "a", line: 3, startLine: 4, side: "RIGHT", body: "x" }] })],
    ["an upload about another pull request", uploadSarif({ number: 13 })],
    ["an upload about a commit that it is not about", uploadSarif({ headSha: "e".repeat(40) })],
    ["somebody's draft of a review", deletePending({ reviewId: 801 })],
    ["a draft on another pull request", deletePending({ number: 13 })],
    ["somebody's conversation", resolveThread({ threadId: "PRRT_kwDOAbd" })],
    ["its own conversation under another remark", resolveThread({ commentId: 72 })],
    ["a conversation on another pull request", resolveThread({ number: 13 })],
    ["a check run whose details carry a password", checkRun({ detailsUrl: "https://a:b@bot.example/" })],
    ["a commit to the main branch", commit(undefined, { branch: "main" })],
    ["a commit to another run's branch", commit(undefined, { branch: "sallyport/13-other" })],
    ["a new branch under a person's name", commit(undefined, { branch: "feature/person", createsBranch: true })],
    ["a commit of nothing", commit({})],
    ["a pull request from a person's branch", openPull(undefined, { branch: "feature/person" })],
    ["a pull request that poses as another bot", openPull(undefined, { branch: "dependabot/npm/x" })],
    ["a pull request against another base", openPull(undefined, { base: "release/1.0" })],
    ["a pull request of nothing", openPull({})],
  ])("blocks %s", async (_, operation) => {
    expect(severities(await ask(ruleFor(scope), operation))).toEqual(["block"]);
  });

  it.each<[string, Operation]>([
    ["a comment on its thread", comment()],
    ["an edit of its comment", edit()],
    ["eyes on what started it", reaction()],
    ["a check run on its commit", checkRun({ name: "sallyport/config", detailsUrl: "https://bot.example/runs/1" })],
    ["a review of the commit that it read", review()],
    ["a review without remarks", review({ comments: [] })],
    ["its own draft, out of the way", deletePending()],
    ["the conversation of its own remark", resolveThread()],
    ["another state of its check run", checkRun({ checkRunId: 700 })],
    ["a commit to its pull request's head", commit(undefined, { branch: "feature/person" })],
    ["its own new branch", commit(undefined, { createsBranch: true })],
    ["its pull request", openPull()],
    ["a pull request of work that is on the branch already", openPull({}, { branchExists: true })],
  ])("lets through %s", async (_, operation) => {
    expect(await ask(ruleFor(scope), operation)).toEqual([]);
  });

  it("blocks everything of a run that nobody knows", async () => {
    for (const operation of [comment(), edit(), reaction(), commit(), openPull()]) {
      expect(severities(await ask(ruleFor(undefined), operation))).toEqual(["block"]);
    }
  });

  it("keeps count of pull requests and comments", async () => {
    const rule = ruleFor({ ...scope, made: { pullRequests: 1, comments: 20 } });
    expect(await ask(rule, openPull())).toMatchObject([{ severity: "block", why: expect.stringContaining("limit 1") as string }]);
    expect(await ask(rule, comment())).toMatchObject([{ severity: "block", why: expect.stringContaining("limit 20") as string }]);
    expect(await ask(rule, edit())).toEqual([]);
  });
});

describe("runScope", () => {
  const pull = {
    number: 12,
    headRef: "feature/person",
    headSha: "a".repeat(40),
    baseRef: "main",
    baseSha: "b".repeat(40),
    sameRepository: true,
    ownPull: false,
  };
  const request = (more: Partial<RunRequest> = {}): RunRequest => ({
    trigger: "mention",
    deliveryId: "d",
    repository: { ...repository, installationId: 1, isPrivate: false, defaultBranch: "main" },
    thread: thread(12),
    actor: { id: 1, login: "maria", isBot: false },
    source: { kind: "issue-comment", id: 55 },
    title: "t",
    body: "b",
    text: "x",
    ...more,
  });

  it("of an issue allows its thread, its own branch and the base", () => {
    const own = runScope(request(), { base: "main", ownPulls: [20] });
    expect(own).toMatchObject({ threads: [12, 20], heads: [], bases: ["main"], reactions: [{ kind: "issue-comment", id: 55 }] });
    expect(["sallyport/12-x", "sallyport-12-x", "sallyport/13-x", "main"].map(own.isOwnBranch)).toEqual([true, true, false, false]);
  });

  it("of a pull request allows its head", () => {
    expect(runScope(request({ pull }), { base: "main" }).heads).toEqual(["feature/person"]);
  });

  it.each<[string, Partial<typeof pull>]>([
    ["is the default branch", { headRef: "main" }],
    ["lives in a fork", { sameRepository: false }],
  ])("allows no head that %s", (_, more) => {
    expect(runScope(request({ pull: { ...pull, ...more } }), { base: "main" }).heads).toEqual([]);
  });

  it("of a fork's pull request allows talk only", () => {
    const own = runScope(request({ pull: { ...pull, sameRepository: false } }), { base: "main" });
    expect(own).toMatchObject({ threads: [12], heads: [], bases: [] });
    expect(own.isOwnBranch("sallyport/12-x")).toBe(false);
  });

  it.each([
    ["review", []],
    ["pull-request", [{ kind: "issue", id: 55 }]],
    ["review-comment", [{ kind: "review-comment", id: 55 }]],
  ] as const)("reacts to a %s as GitHub takes it", (kind, reactions) => {
    expect(runScope(request({ source: { kind, id: 55 } }), { base: "main" }).reactions).toEqual(reactions);
  });
});
