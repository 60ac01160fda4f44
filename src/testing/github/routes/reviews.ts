import { ApiError, LONGEST_BODY } from "../api-error.ts";
import { optionalObjects, optionalText, optionalWord, type Fields } from "../fields.ts";
import { tryGit } from "../git/run-git.ts";
import { page } from "../paginate.ts";
import { reviewCommentPayload, reviewPayload } from "../payloads/review.ts";
import { numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { addReview, addReviewComment } from "../seed/reviews.ts";
import type { Pull, Repository, Review } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { reviewCommentEvent, reviewEvent } from "../webhooks/events.ts";
import { mustBeOwn } from "./issue-comments.ts";
import { pullIn } from "./pulls.ts";
import { placeIn } from "./review-comments.ts";

const NEEDS = ["pull_requests"];
const STATES = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;
const EVENTS = ["APPROVE", "REQUEST_CHANGES", "COMMENT"] as const;

export const REVIEW_ROUTES = [
  repositoryRoute("GET /pulls/{pull_number}/reviews", NEEDS, (call) => {
    const { number } = pullIn(call);
    const reviews = [...call.repository.reviews.values()].filter(
      (review) => review.number === number && (review.state !== "PENDING" || review.user === call.login),
    );
    return page(call, reviews, (review) => reviewPayload(call.world, call.repository, review));
  }),
  repositoryRoute("POST /pulls/{pull_number}/reviews", NEEDS, createReview),
  repositoryRoute("GET /pulls/{pull_number}/reviews/{review_id}", NEEDS, (call) =>
    ok(reviewPayload(call.world, call.repository, reviewIn(call))),
  ),
  repositoryRoute("DELETE /pulls/{pull_number}/reviews/{review_id}", NEEDS, (call) => {
    const review = reviewIn(call);
    mustBeOwn(call, review.user);
    if (review.state !== "PENDING") throw unprocessable("Can not delete a non-pending pull request review");
    const payload = reviewPayload(call.world, call.repository, review);
    call.repository.reviews.delete(review.id);
    for (const { id, review: of } of call.repository.reviewComments.values())
      if (of === review.id) call.repository.reviewComments.delete(id);
    return ok(payload);
  }),
  repositoryRoute("GET /pulls/{pull_number}/reviews/{review_id}/comments", NEEDS, (call) => {
    const { id } = reviewIn(call);
    const comments = [...call.repository.reviewComments.values()].filter((comment) => comment.review === id);
    return page(call, comments, (comment) => reviewCommentPayload(call.world, call.repository, comment));
  }),
];

function reviewIn(call: RepositoryCall): Review {
  return present(call.repository.reviews.get(numberIn(call, "review_id")));
}

/** All or nothing: one comment that stands outside the difference refuses the whole review. */
function createReview(call: RepositoryCall): Answer {
  const { world, repository, body, login } = call;
  const pull = pullIn(call);
  const event = optionalWord(body, "event", EVENTS);
  const commitId = optionalText(body, "commit_id") ?? pull.headSha;
  const text = optionalText(body, "body") ?? "";
  const drafts = optionalObjects(body, "comments") ?? [];
  mustBePossible(repository, pull, login, { event, commitId, text, drafts });
  const comments = drafts.map((draft) => ({
    ...placeIn(repository, pull, commitId, draft),
    body: optionalText(draft, "body") ?? "",
  }));
  const state = event === undefined ? "PENDING" : STATES[event];
  const review = addReview(world, repository, pull.number, { user: login, body: text, state, commitId });
  const added = comments.map((comment) =>
    addReviewComment(world, repository, pull.number, { ...comment, user: login, commitId, review: review.id }),
  );
  if (state !== "PENDING") {
    announce(world, reviewEvent(world, repository, review));
    for (const comment of added) announce(world, reviewCommentEvent(world, repository, comment));
  }
  return ok(reviewPayload(world, repository, review));
}

interface Asked {
  readonly event: (typeof EVENTS)[number] | undefined;
  readonly commitId: string;
  readonly text: string;
  readonly drafts: readonly Fields[];
}

function mustBePossible(repository: Repository, pull: Pull, login: string, { event, commitId, text, drafts }: Asked): void {
  if (pull.locked) throw new ApiError(403, "lock prevents review");
  if (pull.user === login && (event === "APPROVE" || event === "REQUEST_CHANGES")) {
    throw unprocessable(`Can not ${event === "APPROVE" ? "approve" : "request changes on"} your own pull request`);
  }
  if (tryGit(repository.gitDirectory, ["merge-base", "--is-ancestor", commitId, pull.headSha]) === undefined) {
    throw unprocessable("Commit oid is not part of the pull request");
  }
  const pending = [...repository.reviews.values()].some(
    (review) => review.number === pull.number && review.user === login && review.state === "PENDING",
  );
  if (pending) throw unprocessable("User can only have one pending review per pull request");
  const longest = Math.max(text.length, ...drafts.map((draft) => (optionalText(draft, "body") ?? "").length));
  if (longest > LONGEST_BODY) throw unprocessable(`Body is too long (maximum is ${LONGEST_BODY} characters)`);
  const needsText = event === "REQUEST_CHANGES" || (event === "COMMENT" && drafts.length === 0);
  if (needsText && text === "") throw unprocessable("Pull request review body can't be blank");
}

function unprocessable(why: string): ApiError {
  return new ApiError(422, "Unprocessable Entity", { errors: [why] });
}
