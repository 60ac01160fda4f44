import type { Commit, OpenPullRequest } from "../core/operation.ts";
import { GitHubError } from "./errors.ts";

/** What both ways of committing need; both operations carry it. */
export type CommitWish = Pick<Commit | OpenPullRequest, "kind" | "repository" | "branch" | "message" | "changes">;

/** @throws {GitHubError} `tree-mismatch` when GitHub built another tree than the one that was judged: the run must not go on with it. */
export function verifyTree(
  tree: string,
  { changes, branch, repository }: Pick<CommitWish, "changes" | "branch" | "repository">,
  commit?: string,
): void {
  if (tree === changes.tree) return;
  const where = commit === undefined ? "No commit was made" : `The commit is ${commit}`;
  throw new GitHubError(
    `GitHub built tree ${tree} for ${branch} of ${repository.owner}/${repository.name}, not ${changes.tree} as it was judged. ${where}.`,
    { code: "tree-mismatch", hint: "Look at the branch before using it; report this as a fault of Sallyport." },
  );
}
