import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import { ACTIONS_EXCHANGES, seedActions } from "./actions-exchanges.ts";
import { CODE_SCANNING_EXCHANGES, seedCodeScanning } from "./code-scanning-exchanges.ts";
import type { Exchange, Stage } from "./exchange.ts";
import { seedManifest } from "./seed-manifest.ts";
import { api, appToken } from "./world.ts";

const REPOSITORY = "/repos/acme/widgets";
const repo = (rest: string) => () => REPOSITORY + rest;

/** Makes everything that an exchange may name. */
export async function setStage(from: EmbeddedGitHub): Promise<Stage> {
  from.addRepository("acme/widgets", {
    files: { "README.md": "# Widgets\n", "src/sum.ts": "export const sum = 1;\n", link: { content: "README.md", mode: "120000" } },
    permissions: { alice: "write" },
    labels: ["bug"],
  });
  from.addRepository("acme/empty");
  from.addRepository("acme/old", { files: { a: "a" }, archived: true });
  from.protect("acme/widgets", "main");
  const base = from.tip("acme/widgets", "main") ?? "";
  from.addIssue("acme/widgets", { title: "An issue", user: "alice", labels: ["bug"], assignees: ["alice"] });
  const head = from.push("acme/widgets", "topic", { "src/sum.ts": "export const sum = 2;\n" });
  from.openPull("acme/widgets", { title: "A pull request", body: "Text.", user: "sallyport[bot]", head: "topic" });
  from.addIssue("acme/widgets", { title: "By a deleted account", user: null, locked: true });
  const comment = from.addComment("acme/widgets", 1, { body: "A comment", user: "sallyport[bot]" });
  const review = from.addReview("acme/widgets", 2, { user: "alice", body: "A review" });
  const pending = from.addReview("acme/widgets", 2, { user: "sallyport[bot]", body: "A draft", state: "PENDING" });
  const line = { path: "src/sum.ts", line: 1, body: "A line", user: "sallyport[bot]", review: review.id };
  const reviewComment = from.addReviewComment("acme/widgets", 2, line);
  from.addReaction("acme/widgets", { target: "issue", targetId: 1, content: "+1", user: "alice" });
  const checkRun = from.addCheckRun("acme/widgets", { name: "sallyport", headSha: head });
  const { body } = await api(from, "GET /repos/acme/widgets/git/trees/main");
  const { sha: blob = "" } = (body["tree"] as { path: string; sha: string }[]).find(({ path }) => path === "README.md") ?? {};
  return {
    from,
    head,
    base,
    tree: String(body["sha"]),
    blob,
    commentId: comment.id,
    reviewCommentId: reviewComment.id,
    reviewId: review.id,
    pendingId: pending.id,
    checkRunId: checkRun.id,
    deliveryId: await seedDelivery(from),
    manifestCode: await seedManifest(from),
    ...seedActions(from),
    sarifId: await seedCodeScanning(from, head),
  };
}

/** Two that found nobody; answers the number of the newer one's attempt. */
async function seedDelivery(from: EmbeddedGitHub): Promise<number> {
  const event = { name: "installation", payload: { action: "created" } };
  for (let times = 0; times < 2; times += 1) await from.deliver(event, { target: "http://127.0.0.1:1/hooks" });
  const { text } = await api(from, "GET /app/hook/deliveries", { token: appToken(from) });
  const [newest] = JSON.parse(text) as readonly { readonly id: number }[];
  return newest?.id ?? 0;
}

const CHANGED_LINE = { path: "src/sum.ts", line: 1, side: "RIGHT", body: "Why?" };

export const EXCHANGES: readonly Exchange[] = [
  { route: "GET /app", status: 200, as: "app", path: () => "/app" },
  { route: "GET /app", status: 401, as: "installation", path: () => "/app", about: "with an installation's token" },
  { route: "GET /app/installations", status: 200, as: "app", path: () => "/app/installations" },
  {
    route: "GET /app/installations/{installation_id}",
    status: 200,
    as: "app",
    path: ({ from }) => `/app/installations/${from.installationId}`,
  },
  { route: "GET /app/installations/{installation_id}", status: 404, as: "app", path: () => "/app/installations/1" },
  {
    route: "POST /app/installations/{installation_id}/access_tokens",
    status: 201,
    as: "app",
    path: ({ from }) => `/app/installations/${from.installationId}/access_tokens`,
    body: () => ({ permissions: { contents: "read" }, repositories: ["widgets"] }),
  },
  {
    route: "POST /app/installations/{installation_id}/access_tokens",
    about: "for more than was granted",
    status: 422,
    as: "app",
    path: ({ from }) => `/app/installations/${from.installationId}/access_tokens`,
    body: () => ({ permissions: { administration: "write" } }),
  },
  {
    route: "POST /app-manifests/{code}/conversions",
    status: 201,
    as: "nobody",
    path: ({ manifestCode }) => `/app-manifests/${manifestCode}/conversions`,
  },
  {
    route: "POST /app-manifests/{code}/conversions",
    about: "with a code that was used",
    status: 404,
    as: "nobody",
    path: ({ manifestCode }) => `/app-manifests/${manifestCode}/conversions`,
  },
  { route: "GET /repos/{owner}/{repo}/installation", status: 200, as: "app", path: repo("/installation") },
  { route: "GET /app/hook/deliveries", status: 200, as: "app", path: () => "/app/hook/deliveries?per_page=1" },
  {
    route: "POST /app/hook/deliveries/{delivery_id}/attempts",
    status: 202,
    as: "app",
    path: ({ deliveryId }) => `/app/hook/deliveries/${deliveryId}/attempts`,
  },
  { route: "GET /installation/repositories", status: 200, path: () => "/installation/repositories" },
  { route: "GET /users/{username}", status: 200, path: () => "/users/sallyport%5Bbot%5D" },
  { route: "GET /users/{username}", status: 404, path: () => "/users/nobody-here" },
  { route: "GET /meta", status: 200, path: () => "/meta", as: "nobody" },
  { route: "GET /rate_limit", status: 200, path: () => "/rate_limit" },
  { route: "GET /repos/{owner}/{repo}", status: 200, path: repo("") },
  { route: "GET /repos/{owner}/{repo}", status: 404, path: () => "/repos/acme/unknown" },
  { route: "GET /repos/{owner}/{repo}/collaborators/{username}/permission", status: 200, path: repo("/collaborators/alice/permission") },
  { route: "GET /repos/{owner}/{repo}/branches", status: 200, path: repo("/branches") },
  { route: "GET /repos/{owner}/{repo}/branches/{+branch}", status: 200, path: repo("/branches/main") },
  { route: "GET /repos/{owner}/{repo}/branches/{+branch}", status: 404, path: repo("/branches/gone") },
  { route: "GET /repos/{owner}/{repo}/rules/branches/{+branch}", status: 200, path: repo("/rules/branches/main") },
  { route: "GET /repos/{owner}/{repo}/git/ref/{+ref}", status: 200, path: repo("/git/ref/heads/topic") },
  { route: "GET /repos/{owner}/{repo}/git/ref/{+ref}", status: 404, path: repo("/git/ref/heads/gone") },
  { route: "GET /repos/{owner}/{repo}/git/ref/{+ref}", status: 409, path: () => "/repos/acme/empty/git/ref/heads/main" },
  { route: "GET /repos/{owner}/{repo}/git/matching-refs/{+ref}", status: 200, path: repo("/git/matching-refs/heads/t") },
  {
    route: "POST /repos/{owner}/{repo}/git/refs",
    status: 201,
    path: repo("/git/refs"),
    body: ({ base }) => ({ ref: "refs/heads/sallyport/1-new", sha: base }),
  },
  {
    route: "POST /repos/{owner}/{repo}/git/refs",
    about: "that exists",
    status: 422,
    path: repo("/git/refs"),
    body: ({ base }) => ({ ref: "refs/heads/topic", sha: base }),
  },
  {
    route: "PATCH /repos/{owner}/{repo}/git/refs/{+ref}",
    status: 200,
    path: repo("/git/refs/heads/topic"),
    body: ({ head }) => ({ sha: head }),
  },
  {
    route: "DELETE /repos/{owner}/{repo}/git/refs/{+ref}",
    status: 204,
    path: ({ from, base }) => {
      from.moveBranch("acme/widgets", "spent", base);
      return `${REPOSITORY}/git/refs/heads/spent`;
    },
  },
  {
    route: "POST /repos/{owner}/{repo}/git/blobs",
    status: 201,
    path: repo("/git/blobs"),
    body: () => ({ content: "YQ==", encoding: "base64" }),
  },
  { route: "GET /repos/{owner}/{repo}/git/blobs/{file_sha}", status: 200, path: ({ blob }) => `${REPOSITORY}/git/blobs/${blob}` },
  {
    route: "POST /repos/{owner}/{repo}/git/trees",
    status: 201,
    path: repo("/git/trees"),
    body: ({ base, blob }) => ({ base_tree: base, tree: [{ path: "run.sh", mode: "100755", type: "blob", sha: blob }] }),
  },
  {
    route: "GET /repos/{owner}/{repo}/git/trees/{+tree_sha}",
    status: 200,
    path: ({ base }) => `${REPOSITORY}/git/trees/${base}?recursive=1`,
  },
  {
    route: "POST /repos/{owner}/{repo}/git/commits",
    status: 201,
    path: repo("/git/commits"),
    body: ({ base, tree }) => ({ message: "A commit", tree, parents: [base] }),
  },
  { route: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", status: 200, path: ({ head }) => `${REPOSITORY}/git/commits/${head}` },
  { route: "GET /repos/{owner}/{repo}/commits", status: 200, path: repo("/commits?sha=topic") },
  { route: "GET /repos/{owner}/{repo}/commits", status: 409, path: () => "/repos/acme/empty/commits" },
  { route: "GET /repos/{owner}/{repo}/commits/{+ref}", status: 200, path: repo("/commits/topic") },
  { route: "GET /repos/{owner}/{repo}/commits/{+ref}", status: 422, path: repo("/commits/gone") },
  { route: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", status: 200, path: ({ head }) => `${REPOSITORY}/commits/${head}/pulls` },
  { route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs", status: 200, path: repo("/commits/topic/check-runs") },
  { route: "GET /repos/{owner}/{repo}/compare/{+basehead}", status: 200, path: repo("/compare/main...topic") },
  { route: "GET /repos/{owner}/{repo}/contents", status: 200, path: repo("/contents") },
  { route: "GET /repos/{owner}/{repo}/contents/{+path}", status: 200, path: repo("/contents/src/sum.ts?ref=topic") },
  { route: "GET /repos/{owner}/{repo}/contents/{+path}", status: 200, path: repo("/contents/src"), about: "of a folder" },
  { route: "GET /repos/{owner}/{repo}/contents/{+path}", status: 200, path: repo("/contents/link"), about: "of a link" },
  { route: "GET /repos/{owner}/{repo}/contents/{+path}", status: 404, path: repo("/contents/gone") },
  { route: "GET /repos/{owner}/{repo}/issues", status: 200, path: repo("/issues?labels=Bug&state=all") },
  { route: "POST /repos/{owner}/{repo}/issues", status: 201, path: repo("/issues"), body: () => ({ title: "New", labels: ["bug"] }) },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}", status: 200, path: repo("/issues/1") },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}", status: 200, path: repo("/issues/3"), about: "of a deleted account" },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}", status: 404, path: repo("/issues/999") },
  { route: "PATCH /repos/{owner}/{repo}/issues/{issue_number}", status: 200, path: repo("/issues/1"), body: () => ({ title: "Renamed" }) },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments", status: 200, path: repo("/issues/1/comments") },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    status: 201,
    path: repo("/issues/1/comments"),
    body: () => ({ body: "Hello" }),
  },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    about: "on a locked issue",
    status: 403,
    path: repo("/issues/3/comments"),
    body: () => ({ body: "Hello" }),
  },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    about: "that is too long",
    status: 422,
    path: repo("/issues/1/comments"),
    body: () => ({ body: "x".repeat(65_537) }),
  },
  {
    route: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/issues/comments/${s.commentId}`,
  },
  {
    route: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/issues/comments/${s.commentId}`,
    body: () => ({ body: "Edited" }),
  },
  {
    route: "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
    status: 204,
    path: ({ from }) => {
      const { id } = from.addComment("acme/widgets", 1, { body: "Spent", user: from.botLogin });
      return `${REPOSITORY}/issues/comments/${id}`;
    },
  },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}/reactions", status: 200, path: repo("/issues/1/reactions") },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions",
    status: 201,
    path: repo("/issues/2/reactions"),
    body: () => ({ content: "eyes" }),
  },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/reactions",
    about: "of a kind there is not",
    status: 422,
    path: repo("/issues/2/reactions"),
    body: () => ({ content: "shrug" }),
  },
  {
    route: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    status: 200,
    path: (s) => `${REPOSITORY}/issues/comments/${s.commentId}/reactions`,
  },
  {
    route: "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
    status: 201,
    path: (s) => `${REPOSITORY}/issues/comments/${s.commentId}/reactions`,
    body: () => ({ content: "eyes" }),
  },
  {
    route: "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/comments/${s.reviewCommentId}/reactions`,
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
    status: 201,
    path: (s) => `${REPOSITORY}/pulls/comments/${s.reviewCommentId}/reactions`,
    body: () => ({ content: "eyes" }),
  },
  { route: "GET /repos/{owner}/{repo}/labels", status: 200, path: repo("/labels") },
  { route: "GET /repos/{owner}/{repo}/issues/{issue_number}/labels", status: 200, path: repo("/issues/1/labels") },
  {
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/labels",
    status: 200,
    path: repo("/issues/2/labels"),
    body: () => ({ labels: ["new"] }),
  },
  {
    route: "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
    status: 200,
    path: ({ from }) => {
      const { number } = from.addIssue("acme/widgets", { title: "Labelled", labels: ["a/b"] });
      return `${REPOSITORY}/issues/${number}/labels/a%2Fb`;
    },
  },
  { route: "GET /repos/{owner}/{repo}/pulls", status: 200, path: repo("/pulls?head=acme:topic") },
  {
    route: "POST /repos/{owner}/{repo}/pulls",
    status: 201,
    path: ({ from }) => {
      from.push("acme/widgets", "second", { "second.txt": "2" });
      return `${REPOSITORY}/pulls`;
    },
    body: () => ({ title: "Second", head: "second", base: "main", draft: true }),
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls",
    about: "of a head that has one",
    status: 422,
    path: repo("/pulls"),
    body: () => ({ title: "Again", head: "topic", base: "main" }),
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls",
    about: "in an archived repository",
    status: 403,
    path: () => "/repos/acme/old/pulls",
    body: () => ({ title: "Late", head: "topic", base: "main" }),
  },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", status: 200, path: repo("/pulls/2") },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", status: 404, path: repo("/pulls/1"), about: "that is an issue" },
  { route: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}", status: 200, path: repo("/pulls/2"), body: () => ({ body: "Other text." }) },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/files", status: 200, path: repo("/pulls/2/files") },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", status: 200, path: repo("/pulls/2/commits") },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", status: 200, path: repo("/pulls/2/comments") },
  {
    route: "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments",
    status: 201,
    path: repo("/pulls/2/comments"),
    body: ({ head }) => ({ ...CHANGED_LINE, commit_id: head }),
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
    status: 201,
    path: (s) => `${REPOSITORY}/pulls/2/comments/${s.reviewCommentId}/replies`,
    body: () => ({ body: "A reply" }),
  },
  {
    route: "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/comments/${s.reviewCommentId}`,
  },
  {
    route: "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/comments/${s.reviewCommentId}`,
    body: () => ({ body: "Edited" }),
  },
  { route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", status: 200, path: repo("/pulls/2/reviews") },
  {
    route: "DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/2/reviews/${s.pendingId}`,
  },
  {
    route: "DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    about: "by somebody else",
    status: 403,
    path: (s) => `${REPOSITORY}/pulls/2/reviews/${s.reviewId}`,
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    status: 200,
    path: repo("/pulls/2/reviews"),
    body: ({ head }) => ({ commit_id: head, event: "COMMENT", body: "All in all", comments: [CHANGED_LINE] }),
  },
  {
    route: "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    about: "with a line outside the difference",
    status: 422,
    path: repo("/pulls/2/reviews"),
    body: ({ head }) => ({ commit_id: head, event: "COMMENT", comments: [{ ...CHANGED_LINE, line: 77 }] }),
  },
  {
    route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/2/reviews/${s.reviewId}`,
  },
  {
    route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments",
    status: 200,
    path: (s) => `${REPOSITORY}/pulls/2/reviews/${s.reviewId}/comments`,
  },
  {
    route: "POST /repos/{owner}/{repo}/check-runs",
    status: 201,
    path: repo("/check-runs"),
    body: ({ head }) => ({ name: "sallyport", head_sha: head, status: "in_progress" }),
  },
  { route: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}", status: 200, path: (s) => `${REPOSITORY}/check-runs/${s.checkRunId}` },
  {
    route: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    status: 200,
    path: (s) => `${REPOSITORY}/check-runs/${s.checkRunId}/annotations`,
  },
  {
    route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    status: 200,
    path: (s) => `${REPOSITORY}/check-runs/${s.checkRunId}`,
    body: () => ({ conclusion: "neutral", output: { title: "Done", summary: "All read." } }),
  },
  { route: "GET /repos/{owner}/{repo}/tags", status: 200, path: repo("/tags") },
  ...ACTIONS_EXCHANGES,
  ...CODE_SCANNING_EXCHANGES,
  // The last one: it spends the token.
  { route: "DELETE /installation/token", status: 204, path: () => "/installation/token" },
];
