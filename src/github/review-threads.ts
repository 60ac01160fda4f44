import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** Remarks on one place of a pull request, with the hunk they stand at. All texts are hostile. */
export interface ReviewThread {
  readonly path: string;
  /** Of the head's file; absent when the diff has moved on under it, or for a whole file. */
  readonly line?: number;
  readonly hunk: string;
  /** Oldest first. */
  readonly comments: readonly { readonly id: number; readonly author: string; readonly createdAt: string; readonly body: string }[];
}

interface RawRemark {
  readonly id: number;
  readonly in_reply_to_id?: number;
  readonly path: string;
  readonly line?: number | null;
  readonly diff_hunk?: string;
  readonly body?: string | null;
  readonly created_at: string;
  readonly user: { readonly login: string } | null;
}

/** The conversation whose first remark is `root`; undefined when it is gone. Source: https://docs.github.com/rest/pulls/comments */
export async function readReviewThread(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { number, root }: { readonly number: number; readonly root: number },
): Promise<ReviewThread | undefined> {
  const remarks = await unless(["not-found", "gone"], [], () =>
    reading(`read the review comments of ${owner}/${repo}#${number}`, () =>
      allPages<RawRemark>(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", { owner, repo, pull_number: number }),
    ),
  );
  return threadsOf(remarks.filter(({ id, in_reply_to_id: parent }) => id === root || parent === root))[0];
}

/** The remarks of one submitted review, a conversation each. */
export async function readReviewRemarks(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { number, review }: { readonly number: number; readonly review: number },
): Promise<readonly ReviewThread[]> {
  const parameters = { owner, repo, pull_number: number, review_id: review };
  const remarks = await unless(["not-found", "gone"], [], () =>
    reading(`read the remarks of a review of ${owner}/${repo}#${number}`, () =>
      allPages<RawRemark>(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments", parameters),
    ),
  );
  return threadsOf(remarks);
}

function threadsOf(remarks: readonly RawRemark[]): readonly ReviewThread[] {
  const roots = Map.groupBy(remarks, ({ id, in_reply_to_id: parent }) => parent ?? id);
  return [...roots.values()].flatMap((members) => {
    const ordered = members.toSorted((a, b) => a.id - b.id);
    const [first] = ordered;
    if (first === undefined) return [];
    const comments = ordered.map(({ id, user, created_at: createdAt, body }) => {
      return { id, author: user?.login ?? "ghost", createdAt, body: body ?? "" };
    });
    const line = typeof first.line === "number" ? { line: first.line } : {};
    return [{ path: first.path, ...line, hunk: first.diff_hunk ?? "", comments }];
  });
}
