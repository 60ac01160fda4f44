import type { ChangeSet } from "../core/change-set.ts";
import type { WriteOutcome } from "../core/result.ts";
import type { CommitWish } from "./commit-wish.ts";
import { verifyTree } from "./commit-wish.ts";
import { GitHubError } from "./errors.ts";
import { repositoryPath } from "./repository-url.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";

/**
 * Commits through blobs, one tree and one commit, none of which anybody sees until the branch moves; and it moves forward only. Used
 * for what GraphQL cannot carry. Author and committer are left out, so that GitHub signs.
 */
export async function commitByRest(
  wish: CommitWish,
  find: () => Promise<WriteOutcome | undefined>,
  options: SendOptions,
): Promise<WriteOutcome> {
  const { repository, branch, message, changes, kind } = wish;
  const where = `${repository.owner}/${repository.name}`;
  for (const [sha, bytes] of newBlobs(changes)) {
    const made = await send(
      {
        method: "POST",
        path: repositoryPath(repository, "git/blobs"),
        body: { content: Buffer.from(bytes).toString("base64"), encoding: "base64" },
      },
      { doing: `store a file of ${changes.changes.length} in ${where}`, accept: shaOf },
      options,
    );
    if (made !== sha) throw new GitHubError(`GitHub stored blob ${made} where ${sha} was sent`, { code: "tree-mismatch" });
  }
  const tree = await send(
    { method: "POST", path: repositoryPath(repository, "git/trees"), body: { base_tree: changes.base.tree, tree: treeEntries(changes) } },
    { doing: `build a tree of ${changes.changes.length} paths in ${where}`, accept: shaOf },
    options,
  );
  verifyTree(tree, wish);
  const commit = await send(
    { method: "POST", path: repositoryPath(repository, "git/commits"), body: { message, tree, parents: [changes.base.commit] } },
    { doing: `make a commit in ${where}`, accept: madeCommit },
    options,
  );
  if (!commit.isSigned) options.session.log.warn({ sha: commit.sha }, "commit is not signed by GitHub");
  return send(
    { method: "PATCH", path: repositoryPath(repository, `git/refs/heads/${branch}`), body: { sha: commit.sha, force: false } },
    {
      doing: `move ${branch} of ${where}`,
      accept: (data) => (movedTo(data) === commit.sha ? { operation: kind, sha: commit.sha, branch } : undefined),
      find,
    },
    options,
  );
}

/** Blobs that the change needs and the base does not have, each once. */
function newBlobs({ changes, blobs }: ChangeSet): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { after } of changes) {
    const bytes = after === undefined ? undefined : blobs.get(after.sha);
    if (after !== undefined && bytes !== undefined) found.set(after.sha, bytes);
  }
  return found;
}

/** A deletion is an entry without a blob. https://docs.github.com/rest/git/trees#create-a-tree */
function treeEntries({ changes }: ChangeSet) {
  return changes.map(({ path, before, after }) => ({
    path,
    mode: (after ?? before)?.mode ?? "100644",
    type: "blob",
    sha: after?.sha ?? null,
  }));
}

function shaOf(data: unknown): string | undefined {
  return typeof data === "object" && data !== null && "sha" in data && typeof data.sha === "string" ? data.sha : undefined;
}

function madeCommit(data: unknown): { readonly sha: string; readonly isSigned: boolean } | undefined {
  const sha = shaOf(data);
  if (sha === undefined) return undefined;
  const verification = typeof data === "object" && data !== null && "verification" in data ? data.verification : undefined;
  return {
    sha,
    isSigned: typeof verification === "object" && verification !== null && "verified" in verification && verification.verified === true,
  };
}

function movedTo(data: unknown): string | undefined {
  return typeof data === "object" && data !== null && "object" in data ? shaOf(data.object) : undefined;
}
