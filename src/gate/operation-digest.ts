import type { Operation } from "../core/operation.ts";
import { changesOf, textsOf } from "./contents.ts";
import type { FrozenOperation } from "./freeze.ts";
import { sha256 } from "./git-blob.ts";

/**
 * SHA-256 of an operation, hex: its kind and repository, where it goes, every text, every path with its modes and bytes, and the commit it
 * stands on. Two operations with one digest send the same requests; whatever differs makes another one.
 */
export function operationDigest({ operation, digests }: FrozenOperation): string {
  const set = changesOf(operation);
  const changes = set?.changes.map(({ path, before, after, movedFrom }) => [
    path,
    before?.mode ?? null,
    before?.sha ?? null,
    after?.mode ?? null,
    after?.sha ?? null,
    // Git's own ids are SHA-1, for which two files of one id can be made.
    after === undefined ? null : (digests.get(after.sha) ?? null),
    movedFrom ?? null,
  ]);
  const texts = textsOf(operation).map(({ field, text }) => [field, text]);
  const base = set === undefined ? null : [set.base.commit, set.base.tree, set.tree];
  return sha256(JSON.stringify([operation.kind, operation.repository.id, addressOf(operation), texts, base, changes ?? null]));
}

/** What of an operation is neither text nor file. Written out key by key, so it does not hang on the order in which an object was made. */
function addressOf(operation: Operation): readonly unknown[] {
  switch (operation.kind) {
    case "open-pull-request":
      return [operation.draft, operation.branchExists ?? null];
    case "commit":
      return [operation.createsBranch ?? null];
    case "comment":
      return threadOf(operation);
    case "edit-own-comment":
      return [...threadOf(operation), operation.commentId];
    case "reaction":
      return [operation.target.kind, operation.target.id, operation.content];
    case "check-run": {
      const { headSha, checkRunId, status, conclusion, annotations = [] } = operation;
      const places = annotations.map(({ startLine, endLine, level }) => [startLine, endLine, level]);
      return [headSha, checkRunId ?? null, status, conclusion ?? null, places];
    }
    case "upload-sarif":
      return [operation.number, operation.headSha];
    case "review": {
      const places = operation.comments.map(({ line, side, startLine }) => [line, side, startLine ?? null]);
      return [operation.number, operation.commitId, places];
    }
    case "delete-pending-review":
      return [operation.number, operation.reviewId];
    case "resolve-thread":
      return [operation.number, operation.commentId, operation.threadId];
    case "rerun-workflow":
      return [operation.workflowRunId, operation.attempt];
    case "open-issue":
      return [];
    case "label":
      return [...threadOf(operation), operation.labels];
  }
}

function threadOf({ thread: { kind, number, reviewCommentId } }: Extract<Operation, { readonly thread: unknown }>): readonly unknown[] {
  return [kind, number, reviewCommentId ?? null];
}

/** Where an operation goes, in one short text for people and logs: `pull request sallyport/12-fix → main`. */
export function targetOf(operation: Operation): string {
  switch (operation.kind) {
    case "open-pull-request":
      return `${operation.branch} → ${operation.base}`;
    case "commit":
      return operation.branch;
    case "comment":
      return `#${operation.thread.number}`;
    case "edit-own-comment":
      return `#${operation.thread.number}, comment ${operation.commentId}`;
    case "reaction":
      return `${operation.target.kind} ${operation.target.id}`;
    case "check-run":
      return `check run ${operation.name} on ${operation.headSha.slice(0, 10)}`;
    case "upload-sarif":
      return `code scanning of #${operation.number} at ${operation.headSha.slice(0, 10)}`;
    case "review":
      return `#${operation.number} at ${operation.commitId.slice(0, 10)}`;
    case "delete-pending-review":
      return `#${operation.number}, pending review ${operation.reviewId}`;
    case "resolve-thread":
      return `#${operation.number}, conversation of remark ${operation.commentId}`;
    case "rerun-workflow":
      return `workflow run ${operation.workflowRunId}, attempt ${operation.attempt}`;
    case "open-issue":
      return "a new issue";
    case "label":
      return `labels of #${operation.thread.number}`;
  }
}
