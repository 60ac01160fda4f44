import type { IssueFilter, IssueSummary } from "../core/issue-view.ts";
import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

/** The newest issues and pull requests that fit, newest first; `more` when GitHub has others. */
export async function listIssues(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { state, labels, limit }: IssueFilter,
): Promise<{ readonly issues: readonly IssueSummary[]; readonly more: boolean }> {
  const { data, headers } = await reading(`list the issues of ${owner}/${repo}`, () =>
    octokit.rest.issues.listForRepo({
      owner,
      repo,
      state,
      per_page: limit,
      ...(labels.length === 0 ? {} : { labels: labels.join(",") }),
    }),
  );
  const issues = data.map((issue) => ({
    number: issue.number,
    title: issue.title,
    state: issue.state,
    author: issue.user?.login ?? "ghost",
    labels: issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
    comments: issue.comments,
    updatedAt: issue.updated_at,
  }));
  return { issues, more: /rel="next"/.test(headers.link ?? "") };
}
