import type { DeletePendingReview, Review } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { CommentOptions } from "./comment.ts";
import { allPages } from "./pages.ts";
import { repositoryPath, type RepositoryName } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** A review that this session's own login wrote. */
export interface OwnReview {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly state: string;
  readonly commitId: string | undefined;
}

/** This session's own reviews of a pull request, those that were never submitted among them, oldest first, over all pages. */
export async function ownReviews(session: GitHubSession, repository: RepositoryName, number: number): Promise<readonly OwnReview[]> {
  const login = (await session.botLogin()).toLowerCase();
  const { owner, name: repo } = repository;
  const reviews = await reading(`read the reviews of ${owner}/${repo}#${number}`, () =>
    allPages<RawReview>(session.octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", { owner, repo, pull_number: number }),
  );
  return reviews
    .filter(({ user }) => user?.login.toLowerCase() === login)
    .map(({ id, html_url: url, body, state, commit_id: commit }) => ({ id, url, body: body ?? "", state, commitId: commit ?? undefined }));
}

interface RawReview {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string | null;
  readonly state: string;
  readonly commit_id?: string | null;
  readonly user: { readonly login: string } | null;
}

/** The one step of a review: all its remarks in one request, which GitHub takes whole or not at all. A lost one is found by its marker. */
export function reviewStep(operation: Review, key: string, options: CommentOptions): WriteStep {
  const { repository, number, commitId, body, comments, kind } = operation;
  const { markers, session } = options;
  const mark = markers?.read(body);
  const find = async (): Promise<WriteOutcome | undefined> => {
    const found = (await ownReviews(session, repository, number)).find((review) => {
      if (review.state === "PENDING") return false;
      const there = markers?.read(review.body);
      return mark === undefined ? review.commitId === commitId && review.body === body : there?.run === mark.run && there.key === mark.key;
    });
    return found === undefined ? undefined : { operation: kind, id: found.id, url: found.url };
  };
  const sent = {
    commit_id: commitId,
    event: "COMMENT",
    body,
    comments: comments.map(({ path, line, side, startLine, body: words }) => ({
      path,
      line,
      side,
      ...(startLine === undefined ? {} : { start_line: startLine, start_side: side }),
      body: words,
    })),
  };
  const doing = `review ${repository.owner}/${repository.name}#${number}`;
  const request = { method: "POST", path: repositoryPath(repository, `pulls/${number}/reviews`), body: sent } as const;
  return { key, operation: kind, find, send: () => send(request, { doing, accept: reviewOutcome, find }, options) };
}

/** The one step that removes a review which was never submitted. It is there no more, or it is. */
export function deletePendingStep(operation: DeletePendingReview, key: string, options: SendOptions): WriteStep {
  const { repository, number, reviewId, kind } = operation;
  const done: WriteOutcome = { operation: kind, id: reviewId };
  const find = async (): Promise<WriteOutcome | undefined> => {
    const reviews = await ownReviews(options.session, repository, number);
    return reviews.some(({ id, state }) => id === reviewId && state === "PENDING") ? undefined : done;
  };
  const doing = `remove the unsubmitted review ${reviewId} of ${repository.owner}/${repository.name}#${number}`;
  const request = { method: "DELETE", path: repositoryPath(repository, `pulls/${number}/reviews/${reviewId}`) } as const;
  return {
    key,
    operation: kind,
    find,
    send: () => unless(["not-found", "gone"], done, () => send(request, { doing, accept: () => done, find }, options)),
  };
}

function reviewOutcome(data: unknown): WriteOutcome | undefined {
  if (typeof data !== "object" || data === null || !("id" in data) || typeof data.id !== "number") return undefined;
  return {
    operation: "review",
    id: data.id,
    ...("html_url" in data && typeof data.html_url === "string" ? { url: data.html_url } : {}),
  };
}
