import type { Comment, EditOwnComment } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { reading, unless } from "./answer.ts";
import type { Markers } from "./marker.ts";
import { repositoryPath } from "./repository-url.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";
import { ownComments } from "./thread-comments.ts";

export interface CommentOptions extends SendOptions {
  /** Reads the marker that the operation's body carries; without one a comment is found again by its whole text. */
  readonly markers?: Markers;
  /** No comment of this run is older: bounds the search for a lost one. */
  readonly since?: Date;
}

/** The one step of a comment: on the thread, or as a reply in its review thread. */
export function commentStep(operation: Comment, key: string, options: CommentOptions): WriteStep {
  const { repository, thread, body, kind } = operation;
  const rest =
    thread.reviewCommentId === undefined
      ? `issues/${thread.number}/comments`
      : `pulls/${thread.number}/comments/${thread.reviewCommentId}/replies`;
  const find = async (): Promise<WriteOutcome | undefined> => {
    const own = await ownComments(options.session, repository, thread, options.since);
    const found = own.find((comment) => isSame(comment.body, body, options.markers));
    return found === undefined ? undefined : { operation: kind, id: found.id, url: found.url };
  };
  return {
    key,
    operation: kind,
    find,
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, rest), body: { body } },
        { doing: `comment on ${repository.owner}/${repository.name}#${thread.number}`, accept: (data) => commentOutcome(kind, data), find },
        options,
      ),
  };
}

/** The one step of an edit. It is its own proof: the comment reads as it should, or it does not. */
export function editStep(operation: EditOwnComment, key: string, options: SendOptions): WriteStep {
  const { repository, thread, commentId, body, kind } = operation;
  const isReview = thread.reviewCommentId !== undefined;
  const doing = `edit comment ${commentId} of ${repository.owner}/${repository.name}`;
  const { octokit } = options.session;
  const find = async (): Promise<WriteOutcome | undefined> => {
    const target = { owner: repository.owner, repo: repository.name, comment_id: commentId };
    const comment = await unless(["not-found", "gone"], undefined, () =>
      reading(
        doing,
        async () => (isReview ? await octokit.rest.pulls.getReviewComment(target) : await octokit.rest.issues.getComment(target)).data,
      ),
    );
    return comment !== undefined && normal(comment.body ?? "") === normal(body)
      ? { operation: kind, id: comment.id, url: comment.html_url }
      : undefined;
  };
  return {
    key,
    operation: kind,
    find,
    send: () =>
      send(
        { method: "PATCH", path: repositoryPath(repository, `${isReview ? "pulls" : "issues"}/comments/${commentId}`), body: { body } },
        { doing, accept: (data) => commentOutcome(kind, data), find },
        options,
      ),
  };
}

/** One run's comment changes its state and text as it goes on; its marker names the run and the step for ever. */
function isSame(there: string, wanted: string, markers: Markers | undefined): boolean {
  const mark = markers?.read(wanted);
  if (mark === undefined) return normal(there) === normal(wanted);
  const found = markers?.read(there);
  return found !== undefined && found.run === mark.run && found.key === mark.key;
}

/** GitHub may give line ends and trailing white space back in another form. */
function normal(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

function commentOutcome(operation: "comment" | "edit-own-comment", data: unknown): WriteOutcome | undefined {
  if (typeof data !== "object" || data === null || !("id" in data) || typeof data.id !== "number") return undefined;
  return { operation, id: data.id, ...("html_url" in data && typeof data.html_url === "string" ? { url: data.html_url } : {}) };
}
