import type { Operation } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { checkRunStep } from "./check-run.ts";
import { commentStep, editStep } from "./comment.ts";
import type { CommentOptions } from "./comment.ts";
import { commitSteps, pullRequestSteps } from "./pull-request.ts";
import { labelStep } from "./label.ts";
import { openIssueStep } from "./open-issue.ts";
import { reactionStep } from "./reaction.ts";
import { rerunStep } from "./rerun.ts";
import { resolveStep } from "./review-conversations.ts";
import { deletePendingStep, reviewStep } from "./review.ts";
import type { Once, WriteStep } from "./step.ts";
import { uploadSarifStep } from "./upload-sarif.ts";

export interface PerformOptions extends CommentOptions {
  readonly once: Once;
  /**
   * Names this operation within its run for ever, whatever its text comes to be on a resumed run; its kind by default. A run that performs
   * several of one kind gives each its own, here or in `once`.
   */
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
  for (const step of stepsOf(operation, options.key ?? operation.kind, options)) outcome = { ...outcome, ...(await once(step)) };
  return outcome;
}

function stepsOf(operation: Operation, key: string, options: PerformOptions): readonly WriteStep[] {
  if (operation.kind === "open-pull-request") return pullRequestSteps(operation, key, options);
  if (operation.kind === "commit") return commitSteps(operation, key, options);
  if (operation.kind === "comment") return [commentStep(operation, key, options)];
  if (operation.kind === "edit-own-comment") return [editStep(operation, key, options)];
  if (operation.kind === "check-run") return [checkRunStep(operation, key, options)];
  if (operation.kind === "upload-sarif") return [uploadSarifStep(operation, key, options)];
  if (operation.kind === "review") return [reviewStep(operation, key, options)];
  if (operation.kind === "delete-pending-review") return [deletePendingStep(operation, key, options)];
  if (operation.kind === "resolve-thread") return [resolveStep(operation, key, options)];
  if (operation.kind === "rerun-workflow") return [rerunStep(operation, key, options)];
  if (operation.kind === "open-issue") return [openIssueStep(operation, key, options)];
  if (operation.kind === "label") return [labelStep(operation, key, options)];
  return [reactionStep(operation, key, options)];
}
