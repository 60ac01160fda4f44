import type { PullDetails, ReviewRemark } from "../core/pull-details.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** Reviews and remarks that are handed on, each. */
const MOST_REMARKS = 50;

interface RawReview {
  readonly user: { readonly login: string } | null;
  readonly body: string | null;
  readonly state: string;
  readonly submitted_at?: string;
}
interface RawRemark {
  readonly user: { readonly login: string } | null;
  readonly body: string;
  readonly created_at: string;
  readonly path: string;
  readonly line?: number | null;
}

/** The pull request with this number, with the newest reviews and remarks on its lines; undefined when there is none. */
export async function readPullDetails(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  number: number,
): Promise<PullDetails | undefined> {
  const parameters = { owner, repo, pull_number: number };
  return unless(["not-found", "gone"], undefined, () =>
    reading(`read pull request ${number} of ${owner}/${repo}`, async () => {
      const { data } = await octokit.rest.pulls.get(parameters);
      const reviews = await allPages<RawReview>(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", parameters);
      const { data: remarks } = await octokit.rest.pulls.listReviewComments({
        ...parameters,
        per_page: MOST_REMARKS,
        sort: "created",
        direction: "desc",
      });
      // A review that only carries remarks has no words of its own.
      const worded = reviews.filter(({ body, state }) => state !== "PENDING" && (body !== "" || state !== "COMMENTED"));
      return {
        number: data.number,
        title: data.title,
        body: data.body ?? "",
        author: data.user?.login ?? "ghost",
        state: data.state,
        draft: data.draft ?? false,
        merged: data.merged,
        mergeable: data.mergeable ?? undefined,
        labels: data.labels.map(({ name }) => name),
        head: { ref: data.head.ref, sha: data.head.sha, repository: data.head.repo?.full_name },
        base: { ref: data.base.ref, sha: data.base.sha },
        commits: data.commits,
        changedFiles: data.changed_files,
        additions: data.additions,
        deletions: data.deletions,
        url: data.html_url,
        reviews: worded.slice(-MOST_REMARKS).map((review) => reviewOf(review)),
        remarks: remarks.map((remark) => remarkOf(remark)).toReversed(),
        hasOlderRemarks: worded.length > MOST_REMARKS || data.review_comments > remarks.length,
      };
    }),
  );
}

function reviewOf({ user, body, state, submitted_at: at }: RawReview): ReviewRemark {
  return { author: user?.login ?? "ghost", createdAt: at ?? "", body: body ?? "", state };
}

function remarkOf({ user, body, created_at: createdAt, path, line }: RawRemark): ReviewRemark {
  const where = line === undefined || line === null ? { path } : { path, line };
  return { author: user?.login ?? "ghost", createdAt, body, where };
}
