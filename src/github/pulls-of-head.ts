import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** What a pull request's head is known by, whatever repository it lives in. */
export interface Head {
  /** Of the head's repository. */
  readonly repositoryId: number;
  readonly owner: string;
  readonly branch: string;
  readonly sha: string;
}

interface RawPull {
  readonly number: number;
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } | null };
}

/**
 * The open pull requests whose head is this branch of this repository, at this commit. GitHub ignores a `head` that it cannot read and lists
 * everything: the answer is filtered again, by the repository's id.
 */
export async function pullsOfHead(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  head: Head,
): Promise<readonly number[]> {
  const raws = await reading(`list the pull requests of ${head.owner}:${head.branch} to ${owner}/${repo}`, () =>
    allPages<RawPull>(octokit, "GET /repos/{owner}/{repo}/pulls", { owner, repo, head: `${head.owner}:${head.branch}`, state: "open" }),
  );
  return raws
    .filter(({ head: one }) => one.ref === head.branch && one.sha === head.sha && one.repo?.id === head.repositoryId)
    .map(({ number }) => number);
}
