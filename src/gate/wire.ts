import type { ChangeSet } from "../core/change-set.ts";
import { CREATE_COMMIT, splitMessage } from "../core/commit-document.ts";
import type { CheckRun, Commit, Operation, OpenPullRequest, Review } from "../core/operation.ts";
import type { WireRequest } from "../core/pass.ts";
import { packSarif } from "../text/packed-sarif.ts";
import { RESOLVE_THREAD } from "../core/resolve-document.ts";
import { changesOf, filesOf } from "./contents.ts";
import { unknownKind } from "./freeze.ts";
import type { FrozenOperation } from "./freeze.ts";
import { blobId, sha256 } from "./git-blob.ts";

export type RequestVerdict = { readonly ok: true } | { readonly ok: false; readonly why: string };
type Json = { readonly [key: string]: unknown };
/** One row of the closed table: a request that an operation may consist of. */
interface Shape {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** All spellings of the path that mean this request. */
  readonly paths: readonly string[];
  /** `none`: the request has no body at all. */
  readonly body: "none" | ((body: Json) => boolean);
}

const OBJECT_ID = /^[0-9a-f]{40}$/;

/**
 * Whether a request is one of those that the frozen operation consists of, to the byte. Knows nothing of the writer: it derives the closed
 * table of requests from the operation alone, and from the commits that GitHub made for it (`made`): a branch moves to no others.
 * Source of the shapes: https://docs.github.com/rest and the mutation's reference.
 */
export function checkRequest({ operation, digests }: FrozenOperation, request: WireRequest, made: ReadonlySet<string>): RequestVerdict {
  const shapes = shapesOf(operation, digests, made).filter(
    ({ method, paths }) => method === request.method && paths.includes(request.path),
  );
  if (shapes.length === 0) return { ok: false, why: `a ${operation.kind} has no such request` };
  if (request.body === "" && shapes.some(({ body }) => body === "none")) return { ok: true };
  const sent = parseCanonical(request.body);
  if (sent === undefined) return { ok: false, why: "its body is not plain JSON in its one spelling" };
  if (shapes.some(({ body }) => body !== "none" && body(sent))) return { ok: true };
  return { ok: false, why: `its body is not what was judged for the ${operation.kind}` };
}

/** Whether the answer to a request tells of a commit. */
export function makesCommit({ method, path }: Pick<WireRequest, "method" | "path">): boolean {
  return method === "POST" && path.endsWith("/git/commits");
}

/** The commit that GitHub made of what was judged: its id, when an answer to this request says that it has the judged tree and parent. */
export function commitMadeBy(operation: Operation, { method, path }: WireRequest, answer: string): string | undefined {
  const changes = changesOf(operation);
  if (changes === undefined || !makesCommit({ method, path })) return undefined;
  let made: unknown;
  try {
    made = JSON.parse(answer);
  } catch {
    return undefined;
  }
  if (!isObject(made) || !isObjectId(made["sha"]) || !isObject(made["tree"]) || !Array.isArray(made["parents"])) return undefined;
  const [parent, ...others] = made["parents"] as readonly unknown[];
  const isOurs = made["tree"]["sha"] === changes.tree && others.length === 0 && isObject(parent) && parent["sha"] === changes.base.commit;
  return isOurs ? String(made["sha"]) : undefined;
}

function shapesOf(operation: Operation, digests: ReadonlyMap<string, string>, made: ReadonlySet<string>): readonly Shape[] {
  const { repository } = operation;
  const base = `/repos/${encodeSegment(repository.owner)}/${encodeSegment(repository.name)}`;
  switch (operation.kind) {
    case "comment": {
      const { number, reviewCommentId } = operation.thread;
      const path = reviewCommentId === undefined ? `issues/${number}/comments` : `pulls/${number}/comments/${reviewCommentId}/replies`;
      return [{ method: "POST", paths: [`${base}/${path}`], body: (body) => equals(body, { body: operation.body }) }];
    }
    case "edit-own-comment": {
      const kind = operation.thread.reviewCommentId === undefined ? "issues" : "pulls";
      const path = `${base}/${kind}/comments/${operation.commentId}`;
      return [{ method: "PATCH", paths: [path], body: (body) => equals(body, { body: operation.body }) }];
    }
    case "reaction": {
      const { kind, id } = operation.target;
      const path = { issue: "issues", "issue-comment": "issues/comments", "review-comment": "pulls/comments" }[kind];
      return [{ method: "POST", paths: [`${base}/${path}/${id}/reactions`], body: (body) => equals(body, { content: operation.content }) }];
    }
    case "commit":
      return commitShapes(operation, base, { digests, made, makesBranch: operation.createsBranch === true });
    case "open-pull-request": {
      const { title, branch: head, body, draft } = operation;
      const pull = { title, head, base: operation.base, body, draft };
      return [
        ...commitShapes(operation, base, { digests, made, makesBranch: operation.branchExists !== true }),
        { method: "POST", paths: [`${base}/pulls`], body: (sent) => equals(sent, pull) },
      ];
    }
    case "check-run": {
      const { checkRunId } = operation;
      const sent = checkRunBody(operation);
      const shape =
        checkRunId === undefined ? ({ method: "POST", rest: "" } as const) : ({ method: "PATCH", rest: `/${checkRunId}` } as const);
      return [{ method: shape.method, paths: [`${base}/check-runs${shape.rest}`], body: (body) => equals(body, sent) }];
    }
    case "upload-sarif": {
      const { number, headSha, sarif } = operation;
      const upload = { commit_sha: headSha, ref: `refs/pull/${number}/head`, sarif: packSarif(sarif) };
      return [{ method: "POST", paths: [`${base}/code-scanning/sarifs`], body: (body) => equals(body, upload) }];
    }
    case "review":
      return [
        { method: "POST", paths: [`${base}/pulls/${operation.number}/reviews`], body: (body) => equals(body, reviewBody(operation)) },
      ];
    case "delete-pending-review":
      return [{ method: "DELETE", paths: [`${base}/pulls/${operation.number}/reviews/${operation.reviewId}`], body: "none" }];
    case "resolve-thread": {
      const sent = { query: RESOLVE_THREAD, variables: { input: { threadId: operation.threadId } } };
      return [{ method: "POST", paths: ["/graphql"], body: (body) => equals(body, sent) }];
    }
    case "rerun-workflow": {
      const path = `${base}/actions/runs/${operation.workflowRunId}/rerun-failed-jobs`;
      return [{ method: "POST", paths: [path], body: (body) => equals(body, {}) }];
    }
    case "open-issue":
      return [
        { method: "POST", paths: [`${base}/issues`], body: (body) => equals(body, { title: operation.title, body: operation.body }) },
      ];
    case "label": {
      const path = `${base}/issues/${operation.thread.number}/labels`;
      return [{ method: "POST", paths: [path], body: (body) => equals(body, { labels: operation.labels }) }];
    }
    default:
      return unknownKind(operation);
  }
}

/** A review is never anything but a comment, on the one commit that was read. */
function reviewBody({ commitId, body, comments }: Review): Json {
  return {
    commit_id: commitId,
    event: "COMMENT",
    body,
    comments: comments.map(({ path, line, side, startLine, body: words }) => ({
      path,
      line,
      side,
      ...(startLine !== undefined && { start_line: startLine, start_side: side }),
      body: words,
    })),
  };
}

/** What is said of a check run; name, commit and external id only when it is made. */
function checkRunBody({ name, headSha, checkRunId, externalId, status, conclusion, detailsUrl, ...output }: CheckRun): Json {
  const { title, summary, text, annotations } = output;
  return {
    ...(checkRunId === undefined && { name, head_sha: headSha, external_id: externalId }),
    status,
    ...(conclusion !== undefined && { conclusion }),
    ...(detailsUrl !== undefined && { details_url: detailsUrl }),
    output: {
      title,
      summary,
      ...(text !== undefined && { text }),
      ...(annotations !== undefined && {
        annotations: annotations.map((one) => ({
          path: one.path,
          start_line: one.startLine,
          end_line: one.endLine,
          annotation_level: one.level,
          message: one.message,
          ...(one.title !== undefined && { title: one.title }),
        })),
      }),
    },
  };
}

/** The ways a commit comes to stand on a branch: the mutation where it can carry the change, and the git data API. */
function commitShapes(
  operation: Commit | OpenPullRequest,
  base: string,
  { digests, made, makesBranch }: { digests: ReadonlyMap<string, string>; made: ReadonlySet<string>; makesBranch: boolean },
): readonly Shape[] {
  const { branch, message, changes } = operation;
  const shapes: Shape[] = [];
  if (makesBranch) {
    // At its own base alone: GitHub keeps a fork's commits too, and a branch at one of those would bring in what nobody judged.
    shapes.push({
      method: "POST",
      paths: [`${base}/git/refs`],
      body: (body) => hasKeys(body, ["ref", "sha"]) && body["ref"] === `refs/heads/${branch}` && body["sha"] === changes.base.commit,
    });
  }
  if (changes.changes.length === 0) return shapes;
  const commit = { message, tree: changes.tree, parents: [changes.base.commit] };
  shapes.push(
    { method: "POST", paths: [`${base}/git/blobs`], body: (body) => isBlobOf(body, digests) },
    { method: "POST", paths: [`${base}/git/trees`], body: (body) => isTreeOf(body, changes) },
    { method: "POST", paths: [`${base}/git/commits`], body: (body) => equals(body, commit) },
    {
      method: "PATCH",
      // Octokit writes the slashes of a reference as %2F; by hand they are often left.
      paths: [`heads/${branch}`.split("/").map(encodeSegment).join("/"), encodeSegment(`heads/${branch}`)].map(
        (ref) => `${base}/git/refs/${ref}`,
      ),
      body: (body) => hasKeys(body, ["sha", "force"]) && made.has(String(body["sha"])) && body["force"] === false,
    },
  );
  if (isPlain(changes)) {
    shapes.push({ method: "POST", paths: ["/graphql"], body: (body) => isMutationOf(body, operation, digests) });
  }
  return shapes;
}

/** The mutation makes every file 100644, so it may carry a change only where that is what stood there and shall stand there. */
function isPlain(changes: ChangeSet): boolean {
  return changes.changes.every(({ before, after }) => [before, after].every((ref) => ref === undefined || ref.mode === "100644"));
}

function isMutationOf(body: Json, operation: Commit | OpenPullRequest, digests: ReadonlyMap<string, string>): boolean {
  const { repository, branch, message, changes } = operation;
  if (!hasKeys(body, ["query", "variables"]) || body["query"] !== CREATE_COMMIT) return false;
  const variables = body["variables"];
  if (!isObject(variables) || !hasKeys(variables, ["input"])) return false;
  const input = variables["input"];
  if (!isObject(input)) return false;
  const { fileChanges, ...frame } = input;
  const expected = {
    branch: { repositoryNameWithOwner: `${repository.owner}/${repository.name}`, branchName: branch },
    expectedHeadOid: changes.base.commit,
    message: { ...splitMessage(message) },
  };
  if (!equals(frame, expected) || !isObject(fileChanges)) return false;
  const { additions = [], deletions = [], ...rest } = fileChanges;
  if (Object.keys(rest).length > 0 || !Array.isArray(additions) || !Array.isArray(deletions)) return false;
  const files = filesOf(operation);
  const added = new Map(files.flatMap(({ path, after }) => (after?.ref === undefined ? [] : [[path, after.ref.sha] as const])));
  const deleted = new Set(files.filter(({ after }) => after === undefined).map(({ path }) => path));
  return (
    matchesAll(
      additions,
      added.size,
      (item) => hasKeys(item, ["path", "contents"]) && isBlob(item["contents"], added.get(String(item["path"])), digests),
    ) && matchesAll(deletions, deleted.size, (item) => hasKeys(item, ["path"]) && deleted.has(String(item["path"])))
  );
}

/** Whether the items are as many as expected, about a path each that no other is about, and each right. */
function matchesAll(items: readonly unknown[], size: number, isRight: (item: Json) => boolean): boolean {
  const paths = new Set(items.map((item) => (isObject(item) ? item["path"] : undefined)));
  return (
    items.length === size &&
    paths.size === size &&
    items.every((item) => isObject(item) && typeof item["path"] === "string" && isRight(item))
  );
}

function isBlobOf(body: Json, digests: ReadonlyMap<string, string>): boolean {
  if (!hasKeys(body, ["content", "encoding"]) || body["encoding"] !== "base64") return false;
  const bytes = decodeBase64(body["content"]);
  return bytes !== undefined && digests.get(blobId(bytes)) === sha256(bytes);
}

function isBlob(contents: unknown, id: string | undefined, digests: ReadonlyMap<string, string>): boolean {
  const bytes = decodeBase64(contents);
  if (bytes === undefined || id === undefined || blobId(bytes) !== id) return false;
  // A blob that stands at the base already came without bytes; its id is all there is to go by.
  return !digests.has(id) || digests.get(id) === sha256(bytes);
}

function isTreeOf(body: Json, changes: ChangeSet): boolean {
  if (!hasKeys(body, ["base_tree", "tree"]) || body["base_tree"] !== changes.base.tree) return false;
  const expected = new Map(
    changes.changes.map(({ path, before, after }) => [
      path,
      { path, mode: (after ?? before)?.mode, type: "blob", sha: after?.sha ?? null },
    ]),
  );
  const { tree } = body;
  return Array.isArray(tree) && matchesAll(tree, expected.size, (item) => equals(item, expected.get(String(item["path"]))));
}

/** The object that a body stands for, when it is written as `JSON.stringify` writes it: no key twice, no second reading. */
function parseCanonical(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && JSON.stringify(value) === body ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of base64 in its one spelling, with padding and without blanks. */
function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/** Equal as JSON values, whatever the order of keys. */
function equals(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => equals(item, b[index]));
  if (isObject(a) && isObject(b)) return hasKeys(a, Object.keys(b)) && Object.keys(b).every((key) => equals(a[key], b[key]));
  return a === b;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasKeys(value: Json, keys: readonly string[]): boolean {
  const own = Object.keys(value);
  return own.length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

function isObjectId(value: unknown): boolean {
  return typeof value === "string" && OBJECT_ID.test(value);
}

/** As Octokit writes a path parameter: everything but letters, digits and `-._~` in percent form. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
