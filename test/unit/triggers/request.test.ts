import { describe, expect, it } from "vitest";
import type { Ignored, RunRequest } from "../../../src/core/run.ts";
import { whyNotMeant, type MeaningSettings } from "../../../src/config/meant.ts";
import { DEFAULT_SETTINGS } from "../../../src/config/settings.ts";
import { isHeard, toGateRequest, toRunRequest } from "../../../src/triggers/request.ts";
import { ALICE, BASE, BOT, comment, HEAD, issue, MALLORY, OTHER_BOT, payload, pull, repository } from "./payloads.ts";

const identity = { appSlug: "sallyport", appId: 42, botLogin: "sallyport[bot]" };

/** The request, if the settings mean it. */
function ask(event: string, body: unknown, changed: Partial<MeaningSettings> = {}): RunRequest | Ignored {
  const request = toRunRequest(event, "d-1", body, identity);
  const unmeant = "ignored" in request ? undefined : whyNotMeant(request, { ...DEFAULT_SETTINGS, ...changed });
  return unmeant === undefined ? request : { ignored: unmeant };
}
const accepted = (answer: RunRequest | Ignored): RunRequest => {
  if ("ignored" in answer) throw new Error(`ignored: ${answer.ignored}`);
  return answer;
};
const why = (answer: RunRequest | Ignored): string => ("ignored" in answer ? answer.ignored : "it was accepted");
const commented = (rest: object = {}, words: string | null = "@sallyport go on"): Record<string, unknown> =>
  payload("created", { issue, comment: comment(words), ...rest });

describe("toRunRequest", () => {
  it("pins all that identifies a comment's run", () => {
    expect(ask("issue_comment", commented({}, "> old\n\n@Sallyport go on"))).toEqual({
      trigger: "mention",
      deliveryId: "d-1",
      repository: { id: 100, owner: "acme", name: "widgets", installationId: 55, isPrivate: true, defaultBranch: "trunk" },
      thread: { kind: "issue", number: 31 },
      actor: { id: 7, login: "alice", isBot: false },
      source: { kind: "issue-comment", id: 3000 },
      title: "sum subtracts",
      body: "`sum(1, 2)` gives -1.",
      text: "@Sallyport go on",
    });
  });

  it.each([
    ["an indented block", "    @sallyport stop\n\nThanks, @sallyport."],
    ["one behind a hidden comment", "<!-- x -->\n\n    @sallyport stop\n\nThanks, @sallyport."],
    ["one behind a quote", "> old\n\n\t@sallyport stop\n\nThanks, @sallyport."],
    ["a fenced block", "```\n@sallyport stop\n```\n@sallyport what does this do?"],
  ])("takes no command from %s", (_, words) => {
    expect(accepted(ask("issue_comment", commented({}, words)))).toMatchObject({ trigger: "mention" });
    expect(accepted(ask("issue_comment", commented({}, words))).command).toBeUndefined();
  });

  it("leaves the commits of a comment on a pull request to be read", () => {
    const { thread, pull: pinned } = accepted(
      ask("issue_comment", commented({ issue: { ...issue, number: 8, pull_request: { url: "x" } } })),
    );
    expect(thread).toEqual({ kind: "pull-request", number: 8 });
    expect(pinned).toBeUndefined();
  });

  const pin = { number: 8, headRef: "feature", headSha: HEAD, baseRef: "trunk", baseSha: BASE, sameRepository: true, ownPull: false };

  it.each<[string, string, Record<string, unknown>, Partial<RunRequest>]>([
    [
      "a review comment, in its own thread",
      "pull_request_review_comment",
      payload("created", { pull_request: pull, comment: comment("@sallyport why?") }),
      { thread: { kind: "pull-request", number: 8, reviewCommentId: 3000 }, source: { kind: "review-comment", id: 3000 }, pull: pin },
    ],
    [
      "a reply in a review thread, in that thread",
      "pull_request_review_comment",
      payload("created", { pull_request: pull, comment: comment("@sallyport why?", { in_reply_to_id: 2999 }) }),
      { thread: { kind: "pull-request", number: 8, reviewCommentId: 2999 }, source: { kind: "review-comment", id: 3000 } },
    ],
    [
      "a review",
      "pull_request_review",
      payload("submitted", { pull_request: pull, review: { id: 4000, body: "@sallyport is this safe?", user: ALICE, state: "commented" } }),
      { thread: { kind: "pull-request", number: 8 }, source: { kind: "review", id: 4000 }, pull: pin },
    ],
    [
      "an issue",
      "issues",
      payload("opened", { issue: { ...issue, body: "@sallyport go on", user: ALICE } }),
      { thread: { kind: "issue", number: 31 }, source: { kind: "issue", id: 31 }, text: "@sallyport go on" },
    ],
    [
      "a pull request",
      "pull_request",
      payload("opened", { pull_request: { ...pull, body: "@sallyport go on" } }),
      { thread: { kind: "pull-request", number: 8 }, source: { kind: "pull-request", id: 8 }, title: "extra", pull: pin },
    ],
    [
      "the label, whatever its case, in the issue's words",
      "issues",
      payload("labeled", { issue, label: { name: "SallyPort" } }),
      { actor: { id: 7, login: "alice", isBot: false }, source: { kind: "issue", id: 31 }, text: "sum subtracts\n\n`sum(1, 2)` gives -1." },
    ],
    [
      "the label on an issue without a text",
      "issues",
      payload("labeled", { issue: { ...issue, body: null }, label: { name: "sallyport" } }),
      { text: "sum subtracts", body: "" },
    ],
    [
      "an assignment to the App",
      "issues",
      payload("assigned", { issue, assignee: BOT }),
      { actor: { id: 7, login: "alice", isBot: false } },
    ],
  ])("starts a run for %s", (_, event, body, expected) => {
    expect(ask(event, body)).toMatchObject({ trigger: "mention", ...expected });
  });

  it("starts a run for an assignment to the configured login", () => {
    const body = payload("assigned", { issue, assignee: { id: 11, login: "Sally-Port", type: "User" } });
    expect(accepted(ask("issues", body, { assignee: "sally-port" })).thread.number).toBe(31);
  });

  it.each([
    ["an edit of a comment", "issue_comment", commented({ action: "edited" })],
    ["a deleted comment", "issue_comment", commented({ action: "deleted" })],
    ["an edited issue", "issues", payload("edited", { issue: { ...issue, body: "@sallyport" } })],
    ["a star", "star", { action: "created" }],
    ["an event nobody knows", "constructor", payload("created", {})],
    ["an action that is no word", "issue_comment", commented({ action: { toString: "created" } })],
    ["no object", "issue_comment", null],
  ])("starts nothing for %s", (_, event, body) => {
    expect(why(ask(event, body))).toMatch(/ starts nothing$/);
    expect(isHeard(event, body)).toBe(false);
  });

  it("starts nothing for an edited pull request, whose base alone matters to the gate", () => {
    const edited = payload("edited", { pull_request: { ...pull, body: "@sallyport" } });
    expect(why(ask("pull_request", edited))).toMatch(/ starts nothing$/);
    expect(toGateRequest("pull_request", "d-1", edited, identity)).toBeUndefined();
    const moved = { ...edited, changes: { base: { ref: { from: "topic" } } } };
    expect(toGateRequest("pull_request", "d-1", moved, identity)).toMatchObject({ trigger: "gate" });
  });

  it.each([
    ["the text does not mention", "issue_comment", commented({}, "I agree."), /does not mention @sallyport/],
    [
      "only the issue mentions",
      "issue_comment",
      commented({ issue: { ...issue, title: "@sallyport idea", body: "@sallyport go on" } }, "I agree."),
      /does not mention/,
    ],
    ["there is no text", "issue_comment", commented({}, null), /does not mention/],
    ["only the title mentions", "issues", payload("opened", { issue: { ...issue, title: "@sallyport go on" } }), /does not mention/],
    [
      "a review has no text",
      "pull_request_review",
      payload("submitted", { pull_request: pull, review: { id: 1, body: null, user: ALICE } }),
      /does not mention/,
    ],
    ["the label is another", "issues", payload("labeled", { issue, label: { name: "bug" } }), /the label is not sallyport/],
    ["the label is gone", "issues", payload("labeled", { issue }), /the label is gone/],
    ["the assignee is a person", "issues", payload("assigned", { issue, assignee: ALICE }), /somebody else/],
    ["the assignee is gone", "issues", payload("assigned", { issue, assignee: null }), /the assignee is gone/],
    [
      "the account that wrote is gone",
      "issue_comment",
      commented({ comment: comment("@sallyport", { user: null }) }),
      /account .* is gone/,
    ],
    [
      "the account that labelled is gone",
      "issues",
      payload("labeled", { issue, label: { name: "sallyport" }, sender: null }),
      /account .* is gone/,
    ],
    ["the App wrote it", "issue_comment", commented({ comment: comment("@sallyport", { user: BOT }), sender: BOT }), /own events/],
    ["the App acted", "issues", payload("labeled", { issue, label: { name: "sallyport" }, sender: BOT }), /own events/],
    [
      "the App wrote it for a person",
      "issue_comment",
      commented({ comment: comment("@sallyport", { performed_via_github_app: { id: 42 } }) }),
      /own events/,
    ],
    [
      "the App opened the pull request",
      "pull_request",
      payload("opened", { pull_request: { ...pull, user: BOT, body: "@sallyport" }, sender: BOT }),
      /own events/,
    ],
    ["another bot wrote it", "issue_comment", commented({ comment: comment("@sallyport", { user: OTHER_BOT }) }), /is a bot/],
    [
      "a bot with a person's login wrote it",
      "issue_comment",
      commented({ comment: comment("@sallyport", { user: { id: 12, login: "scanbot", type: "Bot" } }) }),
      /is a bot/,
    ],
    [
      "an account with a bot's login wrote it",
      "issue_comment",
      commented({ comment: comment("@sallyport", { user: { id: 12, login: "x[bot]", type: "User" } }) }),
      /is a bot/,
    ],
    ["the repository is archived", "issue_comment", commented({ repository: { ...repository, archived: true } }), /archived/],
    ["the repository is missing", "issue_comment", commented({ repository: undefined }), /incomplete: repository/],
    ["the installation is missing", "issue_comment", commented({ installation: undefined }), /incomplete: installation/],
    ["an id is no number", "issue_comment", commented({ comment: comment("@sallyport", { id: "1" }) }), /incomplete: comment.id/],
    ["a number is not whole", "issue_comment", commented({ issue: { ...issue, number: 1.5 } }), /incomplete: issue.number/],
    ["a text is no text", "issue_comment", commented({ comment: comment("", { body: ["@sallyport"] }) }), /incomplete: comment.body/],
    [
      "a commit is no commit",
      "pull_request",
      payload("opened", { pull_request: { ...pull, head: { ...pull.head, sha: "--upload-pack=x" } } }),
      /incomplete: pull_request.head.sha/,
    ],
  ])("ignores an event and says why when %s", (_, event, body, reason) => {
    expect(why(ask(event, body))).toMatch(reason);
  });

  it("takes who wrote a text for the asker, whoever sent the event", () => {
    const body = commented({ comment: comment("@sallyport go on", { user: MALLORY }), sender: ALICE });
    expect(accepted(ask("issue_comment", body)).actor.login).toBe("mallory");
  });

  it("takes who labelled for the asker, whoever wrote the issue", () => {
    const body = payload("labeled", { issue, label: { name: "sallyport" }, sender: ALICE });
    expect(accepted(ask("issues", body)).actor.login).toBe("alice");
  });

  it("lets a bot in by its numeric id only", () => {
    const body = commented({ comment: comment("@sallyport", { user: OTHER_BOT }) });
    expect(accepted(ask("issue_comment", body, { bots: [10] })).actor).toEqual({ id: 10, login: "renovatey[bot]", isBot: true });
    expect(why(ask("issue_comment", body, { bots: [11] }))).toMatch(/is a bot/);
  });

  it("counts a closed issue like any other", () => {
    expect(accepted(ask("issue_comment", commented({ issue: { ...issue, state: "closed", locked: true } }))).thread.number).toBe(31);
  });

  it.each([
    ["a fork", { id: 101 }],
    ["a deleted fork", null],
  ])("does not take the head of %s for the repository's own", (_, repo) => {
    const body = payload("opened", { pull_request: { ...pull, body: "@sallyport", head: { ref: "trunk", sha: HEAD, repo } } });
    expect(accepted(ask("pull_request", body)).pull?.sameRepository).toBe(false);
  });

  it("knows its own pull request by who opened it", () => {
    const body = payload("created", { pull_request: { ...pull, user: BOT }, comment: comment("@sallyport again") });
    expect(accepted(ask("pull_request_review_comment", body)).pull?.ownPull).toBe(true);
  });

  it("mends texts that hold half a character", () => {
    const { title, text } = accepted(ask("issue_comment", commented({ issue: { ...issue, title: "a\ud83d" } }, "@sallyport \udc00go")));
    expect([title, text]).toEqual(["a\ufffd", "@sallyport \ufffdgo"]);
  });
});
