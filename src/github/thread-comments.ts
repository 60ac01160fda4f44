import type { Thread } from "../core/run.ts";
import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A comment that this session's own login wrote. */
export interface OwnComment {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly createdAt: string;
}

/** The few fields of a comment that are read, as GitHub has them. */
interface RawComment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string | null;
  readonly created_at: string;
  readonly user: { readonly login: string } | null;
  readonly in_reply_to_id?: number;
}

/**
 * This session's own comments on a thread, oldest first, over all pages; on a review thread only those in it. `since` bounds them by
 * their last update. Who wrote a comment is told by its login; whether a run did, by its marker.
 */
export async function ownComments(session: GitHubSession, repository: RepositoryName, thread: Thread, since?: Date): Promise<OwnComment[]> {
  const { octokit } = session;
  const login = (await session.botLogin()).toLowerCase();
  const common = { owner: repository.owner, repo: repository.name, ...(since === undefined ? {} : { since: since.toISOString() }) };
  const root = thread.reviewCommentId;
  const comments = await reading(`read the comments of ${repository.owner}/${repository.name}#${thread.number}`, () =>
    root === undefined
      ? allPages<RawComment>(octokit, "GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
          ...common,
          issue_number: thread.number,
        })
      : allPages<RawComment>(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", { ...common, pull_number: thread.number }),
  );
  return comments
    .filter(({ user, in_reply_to_id: parent }) => user?.login.toLowerCase() === login && (root === undefined || parent === root))
    .map(({ id, html_url: url, body, created_at: createdAt }) => ({ id, url, body: body ?? "", createdAt }));
}
