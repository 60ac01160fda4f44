import type { IssueComment, IssueView } from "../core/issue-view.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

const MOST_COMMENTS = 100;

/** The issue with this number; undefined when the repository has none (any more). */
export async function readIssue(session: GitHubSession, repository: RepositoryName, number: number): Promise<IssueView | undefined> {
  const { octokit } = session;
  const { owner, name: repo } = repository;
  const doing = `read issue ${number} of ${owner}/${repo}`;
  return unless(["not-found", "gone"], undefined, () =>
    reading(doing, async () => {
      const { data } = await octokit.rest.issues.get({ owner, repo, issue_number: number });
      if (data.number !== number || !(await isIn(session, repository, data.repository_url))) return undefined;
      const comments = await newestComments(session, repository, number, data.comments);
      return {
        number,
        title: data.title,
        body: data.body ?? "",
        state: data.state,
        author: data.user?.login ?? "ghost",
        labels: data.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
        isPullRequest: data.pull_request !== undefined && data.pull_request !== null,
        locked: data.locked,
        comments,
        omittedComments: Math.max(0, data.comments - comments.length),
      };
    }),
  );
}

/** A transferred issue answers from its new home, which may be a repository that this run has no business in. */
async function isIn({ octokit }: GitHubSession, { id, owner, name }: RepositoryName, repositoryUrl: string): Promise<boolean> {
  if (repositoryUrl.toLowerCase().endsWith(`/repos/${owner}/${name}`.toLowerCase())) return true;
  // The repository itself may have been renamed meanwhile.
  const { data } = await octokit.request("GET /repos/{owner}/{repo}", { owner, repo: name });
  return data.id === id && repositoryUrl.toLowerCase().endsWith(`/repos/${data.full_name}`.toLowerCase());
}

/** The last page, and the one before it where the last is not full. */
async function newestComments(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  number: number,
  total: number,
): Promise<IssueComment[]> {
  if (total === 0) return [];
  const last = Math.ceil(total / MOST_COMMENTS);
  const pages = total % MOST_COMMENTS === 0 || last === 1 ? [last] : [last - 1, last];
  const found: IssueComment[] = [];
  for (const page of pages) {
    const { data } = await octokit.rest.issues.listComments({ owner, repo, issue_number: number, per_page: MOST_COMMENTS, page });
    found.push(...data.map(({ user, created_at: createdAt, body }) => ({ author: user?.login ?? "ghost", createdAt, body: body ?? "" })));
  }
  return found.slice(-MOST_COMMENTS);
}
