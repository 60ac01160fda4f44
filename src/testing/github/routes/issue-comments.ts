import { ApiError, inaccessible, invalid, LONGEST_BODY, tooLong } from "../api-error.ts";
import { atLeast, roleOf } from "../access/roles.ts";
import { optionalText, type Fields } from "../fields.ts";
import { isSince, page } from "../paginate.ts";
import { commentPayload } from "../payloads/issue.ts";
import { created, NO_CONTENT, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { addComment, editComment } from "../seed/threads.ts";
import type { IssueComment } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { issueCommentEvent } from "../webhooks/events.ts";
import { issueIn } from "./issues.ts";

const EITHER = ["issues", "pull_requests"];

export const ISSUE_COMMENT_ROUTES = [
  repositoryRoute("GET /issues/comments/{comment_id}", EITHER, (call) => ok(commentPayload(call.world, call.repository, commentIn(call)))),
  repositoryRoute("PATCH /issues/comments/{comment_id}", EITHER, (call) => {
    const { world, repository, login } = call;
    const comment = commentIn(call);
    mustBeOwn(call, comment.user);
    editComment(comment, commentText(call.body, "IssueComment"));
    announce(world, issueCommentEvent(world, repository, comment, { action: "edited", sender: login }));
    return ok(commentPayload(world, repository, comment));
  }),
  repositoryRoute("DELETE /issues/comments/{comment_id}", EITHER, (call) => {
    const comment = commentIn(call);
    mustBeOwn(call, comment.user);
    call.repository.comments.delete(comment.id);
    return NO_CONTENT;
  }),
  repositoryRoute("GET /issues/{issue_number}/comments", EITHER, (call) => {
    const { number } = issueIn(call);
    const comments = [...call.repository.comments.values()].filter(
      (comment) => comment.number === number && isSince(call, comment.updatedAt),
    );
    return page(call, comments, (comment) => commentPayload(call.world, call.repository, comment));
  }),
  repositoryRoute("POST /issues/{issue_number}/comments", EITHER, createComment),
];

function createComment(call: RepositoryCall): Answer {
  const { world, repository, login } = call;
  const issue = issueIn(call);
  if (issue.locked) throw new ApiError(403, "Unable to create comment because issue is locked.");
  const comment = addComment(world, repository, issue.number, { body: commentText(call.body, "IssueComment"), user: login });
  announce(world, issueCommentEvent(world, repository, comment));
  return created(commentPayload(world, repository, comment));
}

function commentIn(call: RepositoryCall): IssueComment {
  return present(call.repository.comments.get(numberIn(call, "comment_id")));
}

/** The body of a comment; 422 when it is missing, blank or too long. */
export function commentText(body: Fields, resource: string): string {
  const text = optionalText(body, "body");
  if (text === undefined || text.trim() === "") throw invalid({ resource, code: "missing_field", field: "body" });
  if (text.length > LONGEST_BODY) throw tooLong(resource);
  return text;
}

/** An App changes only what it wrote itself; people need the write role for what others wrote. */
export function mustBeOwn({ caller, repository, login }: RepositoryCall, author: string | null): void {
  if (author === login) return;
  if (caller.kind === "user" && atLeast(roleOf(repository, login), "write")) return;
  throw inaccessible();
}
