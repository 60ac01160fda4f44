import { CREATE_COMMIT, splitMessage } from "../core/commit-document.ts";
import type { WriteOutcome } from "../core/result.ts";
import { readCommit } from "./branch.ts";
import type { CommitWish } from "./commit-wish.ts";
import { verifyTree } from "./commit-wish.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";

/** Commits with one mutation that moves the branch only while its tip is the change set's base. */
export async function commitByGraphql(
  wish: CommitWish,
  find: () => Promise<WriteOutcome | undefined>,
  options: SendOptions,
): Promise<WriteOutcome> {
  const { repository, branch, message, changes, kind } = wish;
  const additions: { path: string; contents: string }[] = [];
  const deletions: { path: string }[] = [];
  for (const { path, after } of changes.changes) {
    if (after === undefined) deletions.push({ path });
    else additions.push({ path, contents: Buffer.from(changes.blobs.get(after.sha) ?? []).toString("base64") });
  }
  const input = {
    branch: { repositoryNameWithOwner: `${repository.owner}/${repository.name}`, branchName: branch },
    expectedHeadOid: changes.base.commit,
    message: splitMessage(message),
    fileChanges: { additions, deletions },
  };
  const made = await send(
    { method: "POST", path: "/graphql", body: { query: CREATE_COMMIT, variables: { input } } },
    {
      doing: `commit to ${branch} of ${repository.owner}/${repository.name}`,
      accept: createdCommit,
      find: async () => {
        const sha = (await find())?.sha;
        return sha === undefined ? undefined : { sha, tree: changes.tree, isSigned: true };
      },
    },
    options,
  );
  const tree = made.tree ?? (await readCommit(options.session, repository, made.sha)).tree;
  verifyTree(tree, wish, made.sha);
  if (!made.isSigned) options.session.log.warn({ sha: made.sha }, "commit is not signed by GitHub");
  return { operation: kind, sha: made.sha, branch };
}

interface CreatedCommit {
  readonly sha: string;
  /** Servers that leave it out are asked. */
  readonly tree: string | undefined;
  readonly isSigned: boolean;
}

function createdCommit(answer: unknown): CreatedCommit | undefined {
  const commit = field(field(field(answer, "data"), "createCommitOnBranch"), "commit");
  const sha = field(commit, "oid");
  if (typeof sha !== "string") return undefined;
  const tree = field(field(commit, "tree"), "oid");
  return { sha, tree: typeof tree === "string" ? tree : undefined, isSigned: field(field(commit, "signature"), "isValid") === true };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
