import type { Repository, Review, ReviewComment, World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { associationOf } from "../access/roles.ts";
import { hunkUpTo } from "../git/diff.ts";
import { cachedDiff } from "../seed/pulls.ts";
import { userPayload } from "./account.ts";
import { reactionRollup } from "./issue.ts";

export function reviewCommentPayload(world: World, repository: Repository, comment: ReviewComment) {
  const url = apiUrl(world, repository, `/pulls/comments/${comment.id}`);
  const html = webUrl(world, repository, `/pull/${comment.number}#discussion_r${comment.id}`);
  const pull = apiUrl(world, repository, `/pulls/${comment.number}`);
  const patch = patchOf(repository, comment);
  return {
    id: comment.id,
    node_id: nodeId("PullRequestReviewComment", comment.id),
    url,
    html_url: html,
    pull_request_url: pull,
    pull_request_review_id: comment.review,
    path: comment.path,
    diff_hunk: hunkUpTo(patch, comment.side, comment.line ?? 1) || (patch.split("\n", 1)[0] ?? ""),
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    line: comment.line,
    original_line: comment.line ?? 1,
    side: comment.side,
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    position: comment.line,
    original_position: comment.line ?? 1,
    subject_type: comment.subject,
    body: comment.body,
    user: userPayload(world, comment.user),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.user),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: reactionRollup(repository, "review-comment", comment.id, url),
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}

function patchOf(repository: Repository, comment: ReviewComment): string {
  const pull = repository.pulls.get(comment.number);
  const files = pull ? cachedDiff(repository, pull.baseSha, comment.commitId) : [];
  return files.find(({ filename }) => filename === comment.path)?.patch ?? "@@ -0,0 +0,0 @@";
}

export function reviewPayload(world: World, repository: Repository, review: Review) {
  const html = webUrl(world, repository, `/pull/${review.number}#pullrequestreview-${review.id}`);
  const pull = apiUrl(world, repository, `/pulls/${review.number}`);
  return {
    id: review.id,
    node_id: nodeId("PullRequestReview", review.id),
    user: userPayload(world, review.user),
    body: review.body,
    state: review.state,
    commit_id: review.commitId,
    html_url: html,
    pull_request_url: pull,
    submitted_at: review.submittedAt,
    author_association: associationOf(repository, review.user),
    _links: { html: { href: html }, pull_request: { href: pull } },
  };
}
