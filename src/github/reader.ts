import type { IssueView } from "../core/issue-view.ts";
import type { Thread } from "../core/run.ts";
import { reading } from "./answer.ts";
import { branchesStartingWith, branchTip, isProtected } from "./branch.ts";
import type { GitHubSession } from "./client.ts";
import { readIssue } from "./issue.ts";
import { readPermission } from "./permission.ts";
import type { Permission } from "./permission.ts";
import { pullsFromBranch, readPull } from "./pull.ts";
import type { PullView } from "./pull.ts";
import type { RepositoryName } from "./repository-url.ts";
import { ownComments } from "./thread-comments.ts";
import type { OwnComment } from "./thread-comments.ts";

interface RepositoryView {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  readonly archived: boolean;
}

/** What is read of one repository. Every method throws a GitHubError when GitHub could not be asked; "none" is an answer, not an error. */
export interface GitHubReader {
  repository(): Promise<RepositoryView>;
  /** `none` for accounts that GitHub does not know there. Throws where it cannot be asked: nobody is let in then. */
  permission(account: { readonly login: string; readonly id?: number }): Promise<Permission>;
  /** The branch's commit; undefined when there is no such branch. @throws {GitHubError} `empty-repository`. */
  branchTip(branch: string): Promise<string | undefined>;
  isProtected(branch: string): Promise<boolean>;
  /** Branch names, over all pages. */
  branchesStartingWith(prefix: string): Promise<readonly string[]>;
  issue(number: number): Promise<IssueView | undefined>;
  pull(number: number): Promise<PullView | undefined>;
  /** Pull requests from a branch of this repository, open and closed, newest first. */
  pullsFromBranch(branch: string): Promise<readonly PullView[]>;
  /** This App's own comments on a thread, oldest first, over all pages. */
  ownComments(thread: Thread, since?: Date): Promise<readonly OwnComment[]>;
}

/** A reader of one repository, and of no other. */
export function createReader(session: GitHubSession, repository: RepositoryName): GitHubReader {
  return {
    repository: () => readRepository(session, repository),
    permission: (account) => readPermission(session, repository, account),
    branchTip: (branch) => branchTip(session, repository, branch),
    isProtected: (branch) => isProtected(session, repository, branch),
    branchesStartingWith: (prefix) => branchesStartingWith(session, repository, prefix),
    issue: (number) => readIssue(session, repository, number),
    pull: (number) => readPull(session, repository, number),
    pullsFromBranch: (branch) => pullsFromBranch(session, repository, branch),
    ownComments: (thread, since) => ownComments(session, repository, thread, since),
  };
}

async function readRepository({ octokit }: GitHubSession, { owner, name: repo }: RepositoryName): Promise<RepositoryView> {
  const { data } = await reading(`read repository ${owner}/${repo}`, () => octokit.rest.repos.get({ owner, repo }));
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    defaultBranch: data.default_branch,
    isPrivate: data.private,
    archived: data.archived,
  };
}
