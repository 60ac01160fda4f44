import { ApiError, notFound } from "../api-error.ts";
import { optionalNumber, optionalWord, requiredText, type Fields } from "../fields.ts";
import { commentableLines } from "../git/diff.ts";
import { isSince, page } from "../paginate.ts";
import { reviewCommentPayload } from "../payloads/review.ts";
import { created, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { cachedDiff } from "../seed/pulls.ts";
import { addReviewComment, type ReviewCommentOptions } from "../seed/reviews.ts";
import { editComment } from "../seed/threads.ts";
import type { Pull, Repository, ReviewComment } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { reviewCommentEvent } from "../webhooks/events.ts";
import { commentText, mustBeOwn } from "./issue-comments.ts";
import { pullIn } from "./pulls.ts";

const NEEDS = ["pull_requests"];
const SIDES = ["LEFT", "RIGHT"] as const;

export const REVIEW_COMMENT_ROUTES = [
  repositoryRoute("GET /pulls/comments/{comment_id}", NEEDS, (call) =>
    ok(reviewCommentPayload(call.world, call.repository, reviewCommentIn(call))),
  ),
  repositoryRoute("PATCH /pulls/comments/{comment_id}", NEEDS, (call) => {
    const { world, repository, login } = call;
    const comment = reviewCommentIn(call);
    mustBeOwn(call, comment.user);
    editComment(comment, commentText(call.body, "PullRequestReviewComment"));
    announce(world, reviewCommentEvent(world, repository, comment, { action: "edited", sender: login }));
    return ok(reviewCommentPayload(world, repository, comment));
  }),
  repositoryRoute("GET /pulls/{pull_number}/comments", NEEDS, (call) => {
    const { number } = pullIn(call);
    const { repository } = call;
    const published = (id: number | null): boolean => id === null || repository.reviews.get(id)?.state !== "PENDING";
    const comments = [...repository.reviewComments.values()].filter(
      (comment) => comment.number === number && published(comment.review) && isSince(call, comment.updatedAt),
    );
    return page(call, comments, (comment) => reviewCommentPayload(call.world, repository, comment));
  }),
  repositoryRoute("POST /pulls/{pull_number}/comments", NEEDS, (call) => {
    const pull = pullIn(call);
    mustBeUnlocked(pull);
    const inReplyTo = optionalNumber(call.body, "in_reply_to");
    if (inReplyTo !== undefined) return reply(call, inReplyTo);
    const commitId = requiredText(call.body, "commit_id");
    const body = commentText(call.body, "PullRequestReviewComment");
    return publish(call, pull, { body, commitId, ...placeIn(call.repository, pull, commitId, call.body) });
  }),
  repositoryRoute("POST /pulls/{pull_number}/comments/{comment_id}/replies", NEEDS, (call) => {
    mustBeUnlocked(pullIn(call));
    return reply(call, numberIn(call, "comment_id"));
  }),
];

function publish(call: RepositoryCall, pull: Pull, options: ReviewCommentOptions): Answer {
  const { world, repository, login } = call;
  const comment = addReviewComment(world, repository, pull.number, { ...options, user: login });
  announce(world, reviewCommentEvent(world, repository, comment));
  return created(reviewCommentPayload(world, repository, comment));
}

/** A reply stands where the thread's first comment stands. */
function reply(call: RepositoryCall, parentId: number): Answer {
  const pull = pullIn(call);
  const parent = call.repository.reviewComments.get(parentId);
  if (!parent || parent.number !== pull.number) throw notFound();
  const { path, line, side, startLine, startSide, subject, commitId } = parent;
  const body = commentText(call.body, "PullRequestReviewComment");
  const inReplyTo = parent.inReplyTo ?? parent.id;
  const place = { path, line, side, startLine, startSide, subject, commitId };
  return publish(call, pull, { body, inReplyTo, ...place });
}

function reviewCommentIn(call: RepositoryCall): ReviewComment {
  return present(call.repository.reviewComments.get(numberIn(call, "comment_id")));
}

function mustBeUnlocked(pull: Pull): void {
  if (pull.locked) throw new ApiError(403, "lock prevents review");
}

export interface Place {
  readonly path: string;
  readonly line: number | null;
  readonly side: "LEFT" | "RIGHT";
  readonly startLine: number | null;
  readonly startSide: "LEFT" | "RIGHT" | null;
  readonly subject: "line" | "file";
}

/** Where a new comment stands; 422 when that is not in the pull request's difference. */
export function placeIn(repository: Repository, pull: Pull, commitId: string, body: Fields): Place {
  const path = requiredText(body, "path");
  const subject = optionalWord(body, "subject_type", ["line", "file"]) ?? "line";
  const file = cachedDiff(repository, pull.baseSha, commitId).find(({ filename }) => filename === path);
  if (!file) throw misplaced("path could not be resolved");
  if (subject === "file") return { path, line: null, side: "RIGHT", startLine: null, startSide: null, subject };
  const side = optionalWord(body, "side", SIDES) ?? "RIGHT";
  const line = optionalNumber(body, "line") ?? -1;
  const startLine = optionalNumber(body, "start_line") ?? null;
  const startSide = optionalWord(body, "start_side", SIDES) ?? side;
  const lines = commentableLines(file.patch ?? "");
  if (!lines[side].has(line)) throw misplaced("line must be part of the diff");
  if (startLine === null) return { path, line, side, startLine, startSide: null, subject };
  if (lines[startSide].get(startLine) !== lines[side].get(line)) throw misplaced("start_line must be part of the same hunk as the line.");
  if (startSide === side && startLine >= line) throw misplaced("start_line must precede the end line.");
  return { path, line, side, startLine, startSide, subject };
}

function misplaced(why: string): ApiError {
  return new ApiError(422, "Unprocessable Entity", { errors: [`pull_request_review_thread.${why}`] });
}
