import { createHash } from "node:crypto";
import type { Operation } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { commentStep, editStep } from "./comment.ts";
import type { CommentOptions } from "./comment.ts";
import { commitSteps, pullRequestSteps } from "./pull-request.ts";
import { reactionStep } from "./reaction.ts";
import type { Once, WriteStep } from "./step.ts";

export interface PerformOptions extends CommentOptions {
  readonly once: Once;
  /** Names this operation within its run for ever. By default made from what the operation says, so that saying the same twice is once. */
  readonly key?: string;
}

/**
 * Performs an operation that the gate allowed, step by step, each step once. Answers what the last step made; for a pull request with
 * its branch and commit.
 * @throws {GitHubError} with what GitHub's refusal means; steps that were done stay done, and are found again.
 */
export async function perform(operation: Operation, options: PerformOptions): Promise<WriteOutcome> {
  const { once } = options;
  let outcome: WriteOutcome = { operation: operation.kind };
  for (const step of stepsOf(operation, options.key ?? defaultKey(operation), options)) outcome = { ...outcome, ...(await once(step)) };
  return outcome;
}

function stepsOf(operation: Operation, key: string, options: PerformOptions): readonly WriteStep[] {
  if (operation.kind === "open-pull-request") return pullRequestSteps(operation, key, options);
  if (operation.kind === "commit") return commitSteps(operation, key, options);
  if (operation.kind === "comment") return [commentStep(operation, key, options)];
  if (operation.kind === "edit-own-comment") return [editStep(operation, key, options)];
  return [reactionStep(operation, key, options)];
}

function defaultKey(operation: Operation): string {
  const { kind } = operation;
  if (kind === "open-pull-request") return kind;
  if (kind === "commit") return `${kind}/${digest(operation.branch, operation.changes.base.commit, operation.changes.tree)}`;
  if (kind === "comment") return `${kind}/${digest(operation.thread.number, operation.thread.reviewCommentId, operation.body)}`;
  if (kind === "edit-own-comment") return `${kind}/${operation.commentId}/${digest(operation.body)}`;
  return `${kind}/${operation.target.kind}/${operation.target.id}/${operation.content}`;
}

function digest(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
