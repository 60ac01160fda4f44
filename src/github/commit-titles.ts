import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

export interface CommitTitlesQuery {
  /** The commit from which history is walked. */
  readonly sha: string;
  /** At most 100. */
  readonly limit: number;
}

/** First lines of commit messages, newest first. Source: https://docs.github.com/rest/commits/commits#list-commits */
export async function readCommitTitles(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { sha, limit }: CommitTitlesQuery,
): Promise<readonly string[]> {
  const { data } = await reading(`list the commits of ${owner}/${repo}`, () =>
    octokit.rest.repos.listCommits({ owner, repo, sha, per_page: limit }),
  );
  return data.map(({ commit }) => commit.message.split("\n", 1)[0] ?? "");
}
