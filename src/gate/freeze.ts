import type { BlobRef, ChangeSet, FileChange } from "../core/change-set.ts";
import { SallyportError } from "../core/errors.ts";
import { isNodeId } from "../core/resolve-document.ts";
import type { CheckAnnotation, CheckRun, Operation, ReviewComment, WorkspaceWrite } from "../core/operation.ts";
import type { Thread } from "../core/run.ts";
import { blobId, sha256 } from "./git-blob.ts";

const MODES: readonly string[] = ["100644", "100755", "120000", "160000"];

/** What was handed to the gate is not what its type says: nothing of it is judged, nothing goes out. */
class MalformedOperationError extends SallyportError {
  constructor(why: string) {
    super(why, { code: "malformed-operation" });
  }
}

/** For the end of a switch over the closed union: what comes here has a kind that no type knows. */
export function unknownKind(operation: never): never {
  throw new MalformedOperationError(`An operation of kind ${String((operation as { readonly kind: unknown }).kind)} is not known.`);
}

/** A copy of an operation that nobody else holds, and a digest of each of its blobs by which later changes to the bytes show. */
export interface FrozenOperation {
  readonly operation: Operation;
  /** SHA-256 by blob id, taken before any rule saw the bytes. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * Copies an operation field by field, each field read once, so later changes by the caller reach neither what is judged nor what is sent.
 * Bytes cannot be frozen in JavaScript: what a rule does to them afterwards shows against `digests` when a pass is asked for.
 * @throws {MalformedOperationError} for an unknown kind, a field of another type, or bytes that do not have the id they are listed under.
 */
export function freezeOperation(operation: Operation): FrozenOperation {
  const digests = new Map<string, string>();
  return { operation: Object.freeze(copyOperation(operation, digests)), digests };
}

/** The same for a tool's write. */
export function freezeWrite(write: WorkspaceWrite): WorkspaceWrite {
  const { kind, path, after, before } = write;
  if (kind !== "workspace-write") throw new MalformedOperationError(`A write of kind ${String(kind)} is not known.`);
  return Object.freeze({
    kind,
    path: text(path, "path"),
    ...(after === undefined ? {} : { after: bytes(after, "after") }),
    ...(before === undefined ? {} : { before: bytes(before, "before") }),
  });
}

function copyOperation(operation: Operation, digests: Map<string, string>): Operation {
  const { id, owner, name } = operation.repository;
  const repository = Object.freeze({ id: integer(id, "repository.id"), owner: text(owner, "owner"), name: text(name, "name") });
  switch (operation.kind) {
    case "open-pull-request":
      return {
        kind: "open-pull-request",
        repository,
        branch: text(operation.branch, "branch"),
        base: text(operation.base, "base"),
        title: text(operation.title, "title"),
        body: text(operation.body, "body"),
        draft: flag(operation.draft, "draft"),
        message: text(operation.message, "message"),
        changes: copyChanges(operation.changes, digests),
        ...optionalFlag("branchExists", operation.branchExists),
        ...optionalTexts("written", operation.written),
      };
    case "commit":
      return {
        kind: "commit",
        repository,
        branch: text(operation.branch, "branch"),
        message: text(operation.message, "message"),
        changes: copyChanges(operation.changes, digests),
        ...optionalFlag("createsBranch", operation.createsBranch),
        ...optionalTexts("written", operation.written),
      };
    case "comment":
      return {
        kind: "comment",
        repository,
        thread: copyThread(operation.thread),
        body: text(operation.body, "body"),
        ...optionalTexts("written", operation.written),
      };
    case "edit-own-comment":
      return {
        kind: "edit-own-comment",
        repository,
        thread: copyThread(operation.thread),
        commentId: integer(operation.commentId, "commentId"),
        body: text(operation.body, "body"),
        ...optionalTexts("written", operation.written),
      };
    case "reaction": {
      const { target, content } = operation;
      const { kind, id: targetId } = target;
      if (content !== "eyes" || !["issue", "issue-comment", "review-comment"].includes(kind)) {
        throw new MalformedOperationError("A reaction is eyes on an issue, an issue comment or a review comment.");
      }
      return { kind: "reaction", repository, target: Object.freeze({ kind, id: integer(targetId, "target.id") }), content };
    }
    case "check-run":
      return copyCheckRun(operation, repository);
    case "upload-sarif":
      return {
        kind: "upload-sarif",
        repository,
        number: integer(operation.number, "number"),
        headSha: objectId(operation.headSha, "headSha"),
        sarif: text(operation.sarif, "sarif"),
      };
    case "review":
      return {
        kind: "review",
        repository,
        number: integer(operation.number, "number"),
        commitId: objectId(operation.commitId, "commitId"),
        body: text(operation.body, "body"),
        comments: copyList("comments", operation.comments, copyReviewComment),
        ...optionalTexts("written", operation.written),
      };
    case "delete-pending-review":
      return {
        kind: "delete-pending-review",
        repository,
        number: integer(operation.number, "number"),
        reviewId: integer(operation.reviewId, "reviewId"),
      };
    case "resolve-thread":
      return {
        kind: "resolve-thread",
        repository,
        number: integer(operation.number, "number"),
        commentId: integer(operation.commentId, "commentId"),
        threadId: nodeId(operation.threadId, "threadId"),
      };
    case "rerun-workflow":
      return {
        kind: "rerun-workflow",
        repository,
        workflowRunId: integer(operation.workflowRunId, "workflowRunId"),
        attempt: integer(operation.attempt, "attempt"),
      };
    case "open-issue":
      return {
        kind: "open-issue",
        repository,
        title: text(operation.title, "title"),
        body: text(operation.body, "body"),
        ...optionalTexts("written", operation.written),
      };
    case "label":
      return {
        kind: "label",
        repository,
        thread: copyThread(operation.thread),
        labels: copyList("labels", operation.labels, (label) => text(label, "label")),
      };
    default:
      return unknownKind(operation);
  }
}

const CHECK_STATUSES = ["queued", "in_progress", "completed"] as const;
const CONCLUSIONS = ["success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required"] as const;
const LEVELS = ["notice", "warning", "failure"] as const;
/** What one request may carry. Source: https://docs.github.com/rest/checks/runs#create-a-check-run */
const MOST_ANNOTATIONS = 50;

function copyCheckRun(operation: CheckRun, repository: CheckRun["repository"]): CheckRun {
  const { checkRunId, conclusion, annotations, text: more, detailsUrl, written } = operation;
  const status = oneOf(CHECK_STATUSES, operation.status, "status");
  if ((status === "completed") !== (conclusion !== undefined)) {
    throw new MalformedOperationError("A check run has a conclusion when it is completed, and only then.");
  }
  if (annotations !== undefined && (!Array.isArray(annotations) || annotations.length > MOST_ANNOTATIONS)) {
    throw new MalformedOperationError(`A check run takes at most ${MOST_ANNOTATIONS} annotations at a time.`);
  }
  return {
    kind: "check-run",
    repository,
    name: text(operation.name, "name"),
    headSha: objectId(operation.headSha, "headSha"),
    ...(checkRunId === undefined ? {} : { checkRunId: integer(checkRunId, "checkRunId") }),
    status,
    ...(conclusion === undefined ? {} : { conclusion: oneOf(CONCLUSIONS, conclusion, "conclusion") }),
    title: text(operation.title, "title"),
    summary: text(operation.summary, "summary"),
    ...(more === undefined ? {} : { text: text(more, "text") }),
    ...(annotations === undefined ? {} : { annotations: Object.freeze([...annotations].map(copyAnnotation)) }),
    externalId: text(operation.externalId, "externalId"),
    ...(detailsUrl === undefined ? {} : { detailsUrl: text(detailsUrl, "detailsUrl") }),
    ...optionalTexts("written", written),
  };
}

function copyAnnotation({ path, startLine, endLine, level, title, message }: CheckAnnotation): CheckAnnotation {
  return Object.freeze({
    path: text(path, "annotation.path"),
    startLine: integer(startLine, "annotation.startLine"),
    endLine: integer(endLine, "annotation.endLine"),
    level: oneOf(LEVELS, level, "annotation.level"),
    ...(title === undefined ? {} : { title: text(title, "annotation.title") }),
    message: text(message, "annotation.message"),
  });
}

function copyReviewComment({ path, line, side, startLine, body }: ReviewComment): ReviewComment {
  return Object.freeze({
    path: text(path, "comment.path"),
    line: integer(line, "comment.line"),
    side: oneOf(["LEFT", "RIGHT"], side, "comment.side"),
    ...(startLine === undefined ? {} : { startLine: integer(startLine, "comment.startLine") }),
    body: text(body, "comment.body"),
  });
}

function copyList<T>(field: string, values: readonly T[], copy: (value: T) => T): readonly T[] {
  if (!Array.isArray(values)) throw new MalformedOperationError(`The field ${field} is no list.`);
  return Object.freeze(Array.from(values, copy));
}

function nodeId(value: unknown, field: string): string {
  const id = text(value, field);
  if (!isNodeId(id)) throw new MalformedOperationError(`The field ${field} is no node id.`);
  return id;
}

function oneOf<const T extends string>(known: readonly T[], value: unknown, field: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new MalformedOperationError(`The field ${field} is none of ${known.join(", ")}.`);
  return found;
}

function copyThread({ kind, number, reviewCommentId }: Thread): Thread {
  return Object.freeze({
    kind: oneOf(["issue", "pull-request"], kind, "thread.kind"),
    number: integer(number, "thread.number"),
    ...(reviewCommentId === undefined ? {} : { reviewCommentId: integer(reviewCommentId, "thread.reviewCommentId") }),
  });
}

function copyChanges({ base, tree, changes, blobs, before }: ChangeSet, digests: Map<string, string>): ChangeSet {
  const copied = new Map<string, Uint8Array>();
  for (const [id, content] of blobs) {
    const own = bytes(content, `blob ${id}`);
    if (blobId(own) !== id) throw new MalformedOperationError(`The bytes listed as blob ${id} have another id.`);
    digests.set(id, sha256(own));
    copied.set(id, own);
  }
  const old = new Map([...before].map(([id, content]) => [objectId(id, "before"), bytes(content, `blob ${id}`)]));
  const { commit, tree: baseTree } = base;
  return Object.freeze({
    base: Object.freeze({ commit: objectId(commit, "base.commit"), tree: objectId(baseTree, "base.tree") }),
    tree: objectId(tree, "tree"),
    changes: Object.freeze([...changes].map(copyChange)),
    blobs: new FrozenMap(copied),
    before: new FrozenMap(old),
  });
}

function copyChange({ path, before, after, movedFrom }: FileChange): FileChange {
  return Object.freeze({
    path: text(path, "path"),
    ...(before === undefined ? {} : { before: copyRef(before) }),
    ...(after === undefined ? {} : { after: copyRef(after) }),
    ...(movedFrom === undefined ? {} : { movedFrom: text(movedFrom, "movedFrom") }),
  });
}

function copyRef({ sha, mode, size }: BlobRef): BlobRef {
  if (!MODES.includes(mode)) throw new MalformedOperationError(`A file mode ${mode} is not known.`);
  return Object.freeze({ sha: objectId(sha, "sha"), mode, size: integer(size, "size") });
}

function text(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new MalformedOperationError(`The field ${field} is no text.`);
}

function flag(value: unknown, field: string): boolean {
  if (typeof value === "boolean") return value;
  throw new MalformedOperationError(`The field ${field} is neither true nor false.`);
}

function optionalFlag<K extends string>(field: K, value: boolean | undefined): { readonly [key in K]?: boolean } {
  return value === undefined ? {} : ({ [field]: flag(value, field) } as { readonly [key in K]: boolean });
}

function optionalTexts(field: "written", values: readonly string[] | undefined): { readonly written?: readonly string[] } {
  if (values === undefined) return {};
  if (!Array.isArray(values)) throw new MalformedOperationError(`The field ${field} is no list of texts.`);
  return { [field]: Object.freeze(Array.from(values as readonly unknown[], (value) => text(value, field))) };
}

function integer(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new MalformedOperationError(`The field ${field} is no whole number.`);
}

function objectId(value: unknown, field: string): string {
  if (typeof value === "string" && /^[0-9a-f]{40}$/.test(value)) return value;
  throw new MalformedOperationError(`The field ${field} is no git object id.`);
}

function bytes(value: unknown, field: string): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  throw new MalformedOperationError(`The field ${field} holds no bytes.`);
}

/** A map without a way to change it; `Object.freeze` does not reach a Map's entries. */
class FrozenMap<K, V> implements ReadonlyMap<K, V> {
  readonly #entries: ReadonlyMap<K, V>;
  constructor(entries: ReadonlyMap<K, V>) {
    this.#entries = entries;
    Object.freeze(this);
  }
  get size(): number {
    return this.#entries.size;
  }
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }
  has(key: K): boolean {
    return this.#entries.has(key);
  }
  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.#entries) callback(value, key, this);
  }
  entries(): MapIterator<[K, V]> {
    return this.#entries.entries();
  }
  keys(): MapIterator<K> {
    return this.#entries.keys();
  }
  values(): MapIterator<V> {
    return this.#entries.values();
  }
  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#entries[Symbol.iterator]();
  }
}
