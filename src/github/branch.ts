import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** The fields of a commit that decide whether it is the one that was meant. */
export interface CommitView {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/**
 * The commit that a branch points to, looked up by its whole name; undefined when there is no such branch.
 * @throws {GitHubError} `empty-repository` when the repository has no commit at all.
 */
export async function branchTip(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  branch: string,
): Promise<string | undefined> {
  return unless(["not-found"], undefined, async () => {
    const { data } = await reading(`read branch ${branch} of ${owner}/${repo}`, () =>
      octokit.rest.git.getRef({ owner, repo, ref: `heads/${branch}` }),
    );
    return data.ref === `refs/heads/${branch}` ? data.object.sha : undefined;
  });
}

/** The branches whose names start with `prefix`, over all pages. Empty for an empty repository. */
export async function branchesStartingWith(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  prefix: string,
): Promise<string[]> {
  const references = await reading(`list the branches ${prefix}* of ${owner}/${repo}`, () =>
    allPages<{ readonly ref: string }>(octokit, "GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
      owner,
      repo,
      ref: `heads/${prefix}`,
    }),
  );
  return references.map(({ ref }) => ref.replace(/^refs\/heads\//, "")).filter((branch) => branch.startsWith(prefix));
}

/** Rules of a ruleset that keep the bot from committing to a branch. */
const CLOSING_RULES = new Set(["pull_request", "update", "merge_queue"]);

/** Whether a branch is protected, by branch protection or by a ruleset that asks for pull requests; false when it does not exist. */
export async function isProtected({ octokit }: GitHubSession, { owner, name: repo }: RepositoryName, branch: string): Promise<boolean> {
  const doing = `read the protection of branch ${branch} of ${owner}/${repo}`;
  const isClosed = await unless(["not-found"], undefined, () =>
    reading(doing, async () => (await octokit.rest.repos.getBranch({ owner, repo, branch })).data.protected),
  );
  if (isClosed !== false) return isClosed ?? false;
  // Servers without rulesets do not know this address.
  const rules = await unless(["not-found"], [], () =>
    reading(doing, async () => (await octokit.rest.repos.getBranchRules({ owner, repo, branch, per_page: 100 })).data),
  );
  return rules.some(({ type }) => CLOSING_RULES.has(type));
}

/** A commit's own tree and parents. */
export async function readCommit({ octokit }: GitHubSession, { owner, name: repo }: RepositoryName, sha: string): Promise<CommitView> {
  const { data } = await reading(`read commit ${sha} of ${owner}/${repo}`, () =>
    octokit.rest.git.getCommit({ owner, repo, commit_sha: sha }),
  );
  return { sha: data.sha, tree: data.tree.sha, parents: data.parents.map((parent) => parent.sha) };
}
