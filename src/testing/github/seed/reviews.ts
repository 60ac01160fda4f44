import { repositoryOf, takeId, timestamp } from "../state.ts";
import type { Pull, Reaction, ReactionTarget, Repository, Review, ReviewComment, World } from "../state.ts";
import { addUser } from "./accounts.ts";
import { newComment, type CommentOptions } from "./threads.ts";

export interface ReviewCommentOptions extends CommentOptions {
  readonly path: string;
  /** Null for a comment whose line is gone, or on the whole file. */
  readonly line?: number | null;
  readonly side?: "LEFT" | "RIGHT";
  readonly startLine?: number | null;
  readonly startSide?: "LEFT" | "RIGHT" | null;
  readonly subject?: "line" | "file";
  /** The head when absent. */
  readonly commitId?: string;
  readonly inReplyTo?: number;
  /** Id of the review that it belongs to. */
  readonly review?: number;
}

/** Adds a comment on a line of a pull request, or a reply to one. No webhook is sent. */
export function addReviewComment(world: World, named: string | Repository, number: number, options: ReviewCommentOptions): ReviewComment {
  const repository = repositoryOf(world, named);
  const comment: ReviewComment = {
    ...newComment(world, number, options),
    path: options.path,
    line: options.line ?? null,
    side: options.side ?? "RIGHT",
    startLine: options.startLine ?? null,
    startSide: options.startSide ?? null,
    subject: options.subject ?? "line",
    commitId: options.commitId ?? existingPull(repository, number).headSha,
    inReplyTo: options.inReplyTo ?? null,
    review: options.review ?? null,
  };
  repository.reviewComments.set(comment.id, comment);
  return comment;
}

/** Resolves the conversation that a remark began, as a person does it on the page. */
export function resolveThread(world: World, named: string | Repository, root: number): void {
  repositoryOf(world, named).resolvedThreads.add(root);
}

export interface ReviewOptions {
  readonly user: string;
  readonly body?: string;
  readonly state?: Review["state"];
  readonly commitId?: string;
}

/** Adds a review to a pull request. No webhook is sent. */
export function addReview(world: World, named: string | Repository, number: number, options: ReviewOptions): Review {
  const repository = repositoryOf(world, named);
  addUser(world, options.user);
  const review: Review = {
    id: takeId(world),
    number,
    user: options.user,
    body: options.body ?? "",
    state: options.state ?? "COMMENTED",
    commitId: options.commitId ?? existingPull(repository, number).headSha,
    submittedAt: timestamp(),
  };
  repository.reviews.set(review.id, review);
  return review;
}

export interface ReactionOptions {
  readonly target: ReactionTarget;
  readonly targetId: number;
  readonly content: string;
  readonly user: string;
}

/** Adds a reaction; the same one of the same account is there only once. */
export function addReaction(world: World, named: string | Repository, options: ReactionOptions): { reaction: Reaction; isNew: boolean } {
  const { reactions } = repositoryOf(world, named);
  const { target, targetId, content, user } = options;
  const same = reactions.find((r) => r.target === target && r.targetId === targetId && r.content === content && r.user === user);
  if (same) return { reaction: same, isNew: false };
  addUser(world, user);
  const reaction: Reaction = { id: takeId(world), target, targetId, content, user, createdAt: timestamp() };
  reactions.push(reaction);
  return { reaction, isNew: true };
}

function existingPull(repository: Repository, number: number): Pull {
  const pull = repository.pulls.get(number);
  if (!pull) throw new Error(`${repository.fullName} has no pull request ${number}.`);
  return pull;
}
