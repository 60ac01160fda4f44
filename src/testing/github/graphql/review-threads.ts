import { admit } from "../access/admit.ts";
import type { Caller } from "../access/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { isFields, type Fields } from "../fields.ts";
import type { Repository, ReviewComment, World } from "../state.ts";
import { nodeId } from "../urls.ts";
import { GraphqlError } from "./graphql-error.ts";

const PAGE = 100;

/**
 * `repository.pullRequest.reviewThreads`: each conversation by its node id, with the remark that began it. Drafts are not shown.
 * Source: https://docs.github.com/graphql/reference/objects#pullrequestreviewthread
 */
export function repositoryThreads(world: World, caller: Caller, { owner, name, number, after }: Fields): unknown {
  const repository = world.repositories.get(`${String(owner)}/${String(name)}`.toLowerCase());
  if (repository === undefined) throw unresolved(`a Repository with the name '${String(owner)}/${String(name)}'`);
  asGraphql(() => admit(repository, caller, { anyOf: ["pull_requests"], level: "read" }));
  if (typeof number !== "number" || !repository.pulls.has(number)) throw unresolved(`a PullRequest with the number of ${String(number)}`);
  const roots = rootsOf(repository).filter((comment) => comment.number === number);
  const from = typeof after === "string" ? Number(after) : 0;
  const nodes = roots.slice(from, from + PAGE).map((root) => ({
    id: threadId(root),
    isResolved: repository.resolvedThreads.has(root.id),
    viewerCanResolve: !repository.resolvedThreads.has(root.id) && mayResolve(repository, caller),
    comments: { nodes: [{ databaseId: root.id }] },
  }));
  const end = from + nodes.length;
  return { pullRequest: { reviewThreads: { nodes, pageInfo: { hasNextPage: end < roots.length, endCursor: String(end) } } } };
}

/** `resolveReviewThread`: one that is resolved already stays so. Source: https://docs.github.com/graphql/reference/mutations#resolvereviewthread */
export function resolveReviewThread(world: World, caller: Caller, variables: Fields): unknown {
  const input = isFields(variables["input"]) ? variables["input"] : {};
  const wanted = input["threadId"];
  for (const repository of world.repositories.values()) {
    const root = rootsOf(repository).find((comment) => threadId(comment) === wanted);
    if (root === undefined) continue;
    asGraphql(() => admit(repository, caller, { anyOf: ["pull_requests"], level: "write" }));
    repository.resolvedThreads.add(root.id);
    return { thread: { id: wanted, isResolved: true }, clientMutationId: null };
  }
  throw unresolved(`a node with the global id of '${String(wanted)}'`);
}

function rootsOf({ reviewComments, reviews }: Repository): readonly ReviewComment[] {
  const isShown = ({ review }: ReviewComment): boolean => review === null || reviews.get(review)?.state !== "PENDING";
  return [...reviewComments.values()].filter((comment) => comment.inReplyTo === null && isShown(comment));
}

function threadId({ id }: ReviewComment): string {
  return nodeId("PullRequestReviewThread", id);
}

function mayResolve(repository: Repository, caller: Caller): boolean {
  try {
    admit(repository, caller, { anyOf: ["pull_requests"], level: "write" });
    return true;
  } catch {
    return false;
  }
}

function asGraphql(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) throw new GraphqlError(error.status === 404 ? "NOT_FOUND" : "FORBIDDEN", error.message);
    throw error;
  }
}

function unresolved(what: string): GraphqlError {
  return new GraphqlError("NOT_FOUND", `Could not resolve to ${what}.`);
}
