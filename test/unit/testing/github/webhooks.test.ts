import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { api, github, receiver, widgets } from "./world.ts";

const sign = (secret: string, body: string): string => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

describe("what people say", () => {
  it("becomes a comment and a signed webhook", async () => {
    const from = await widgets();
    const app = await receiver();
    from.webhookTarget = app.url;
    const { comment, delivery } = await from.say("acme/widgets", 1, "@sallyport fix this", "alice");
    expect(delivery).toMatchObject({ event: "issue_comment", action: "created", status: 202, text: "thanks" });
    const [webhook] = app.received;
    expect(webhook?.headers).toMatchObject({
      "x-github-event": "issue_comment",
      "x-github-delivery": delivery.id,
      "x-hub-signature-256": sign(from.webhookSecret, webhook?.raw ?? ""),
    });
    expect(webhook?.payload).toMatchObject({
      action: "created",
      comment: { id: comment.id, body: "@sallyport fix this", user: { login: "alice", type: "User" }, author_association: "COLLABORATOR" },
      issue: { number: 1 },
      repository: { full_name: "acme/widgets", default_branch: "main", owner: { login: "acme" } },
      organization: { login: "acme" },
      sender: { login: "alice" },
      installation: { id: from.installationId },
    });
    expect(from.deliveries).toEqual([delivery]);
  });

  it("can be redelivered under its id, and signed wrongly", async () => {
    const from = await widgets();
    const app = await receiver(401);
    from.webhookTarget = app.url;
    const { comment, delivery } = await from.say("acme/widgets", 1, "hello", "alice");
    const event = from.events.issueComment("acme/widgets", comment);
    await from.deliver(event, { id: delivery.id });
    await from.deliver(event, { secret: "wrong" });
    await from.deliver(event, { signature: "sha256=00" });
    const [first, again, wrong, forged] = app.received;
    expect(again?.headers["x-github-delivery"]).toBe(delivery.id);
    expect(again?.raw).toBe(first?.raw);
    expect(wrong?.headers["x-hub-signature-256"]).toBe(sign("wrong", wrong?.raw ?? ""));
    expect(forged?.headers["x-hub-signature-256"]).toBe("sha256=00");
    expect(new Set(from.deliveries.map(({ status }) => status))).toEqual(new Set([401]));
  });

  it("finds nobody at a closed port: the delivery says so", async () => {
    const from = await widgets();
    from.webhookTarget = "http://127.0.0.1:1/hooks";
    expect((await from.say("acme/widgets", 1, "hello", "alice")).delivery).toMatchObject({ status: 0 });
  });

  it("needs a target", async () => {
    const from = await widgets();
    await expect(from.say("acme/widgets", 1, "hello", "alice")).rejects.toThrow("webhookTarget");
  });
});

describe("events", () => {
  it("are built for issues, labels, assignees, pull requests, reviews and lines", async () => {
    const from = await widgets();
    from.push("acme/widgets", "topic", { a: "a" });
    const issue = from.issue("acme/widgets", 1);
    const pull = from.openPull("acme/widgets", { title: "T", head: "topic", user: "alice" });
    const review = from.addReview("acme/widgets", 2, { user: "alice", body: "@sallyport look", state: "CHANGES_REQUESTED" });
    const line = from.addReviewComment("acme/widgets", 2, { path: "a", line: 1, body: "x", user: "alice" });
    const { events } = from;
    const built = [
      events.issue("acme/widgets", issue),
      events.issueLabeled("acme/widgets", issue, "sallyport", "maria"),
      events.issueAssigned("acme/widgets", issue, "bot-account", "maria"),
      events.pullRequest("acme/widgets", pull, { action: "ready_for_review", sender: "maria" }),
      events.review("acme/widgets", review),
      events.reviewComment("acme/widgets", line),
    ];
    expect(built.map(({ name, payload }) => [name, payload["action"], (payload["sender"] as { login: string }).login])).toEqual([
      ["issues", "opened", "alice"],
      ["issues", "labeled", "maria"],
      ["issues", "assigned", "maria"],
      ["pull_request", "ready_for_review", "maria"],
      ["pull_request_review", "submitted", "alice"],
      ["pull_request_review_comment", "created", "alice"],
    ]);
    expect(built[1]?.payload).toMatchObject({ label: { name: "sallyport" }, issue: { labels: [{ name: "sallyport" }] } });
    expect(built[2]?.payload).toMatchObject({ assignee: { login: "bot-account" } });
    expect(built[3]?.payload).toMatchObject({
      number: 2,
      pull_request: { head: { sha: pull.headSha, repo: { full_name: "acme/widgets" } } },
    });
    expect(built[4]?.payload).toMatchObject({ review: { state: "changes_requested" } });
  });
});

describe("writes through the API", () => {
  it("are announced, the bot's own included", async () => {
    const from = await widgets();
    const app = await receiver();
    from.push("acme/widgets", "topic", { a: "a" });
    from.webhookTarget = app.url;
    const token = from.addToken();
    await api(from, "POST /repos/acme/widgets/issues/1/comments", { token, body: { body: "Hello" } });
    await api(from, "POST /repos/acme/widgets/pulls", { token, body: { title: "T", head: "topic", base: "main" } });
    const sha = from.push("acme/widgets", "ahead", { b: "b" }, { from: "topic" });
    await api(from, "PATCH /repos/acme/widgets/git/refs/heads/topic", { token, body: { sha } });
    await from.settled();
    const seen = app.received.map(({ headers, payload }) => `${String(headers["x-github-event"])}.${payload.action}`);
    expect(seen.sort()).toEqual(["issue_comment.created", "pull_request.opened", "pull_request.synchronize"]);
    const synchronized = app.received.find(({ payload }) => payload.action === "synchronize");
    expect(synchronized?.payload).toMatchObject({ after: sha, sender: { login: "sallyport[bot]", type: "Bot" } });
  });

  it("are not announced when the App does not listen, nor what a test arranges", async () => {
    const from = await github({ events: ["issues"] });
    const app = await receiver();
    from.webhookTarget = app.url;
    from.addRepository("acme/widgets", { files: { a: "a" } });
    const { number } = from.addIssue("acme/widgets", { title: "x" });
    from.addComment("acme/widgets", number, { body: "x" });
    await api(from, `POST /repos/acme/widgets/issues/${number}/comments`, { token: from.addToken(), body: { body: "Hello" } });
    await from.settled();
    expect(app.received).toEqual([]);
  });
});
