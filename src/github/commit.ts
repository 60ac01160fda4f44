import type { ChangeSet, FileChange } from "../core/change-set.ts";
import type { WriteOutcome } from "../core/result.ts";
import { unless } from "./answer.ts";
import { branchTip, readCommit } from "./branch.ts";
import type { GitHubSession } from "./client.ts";
import { commitByGraphql } from "./commit-graphql.ts";
import { commitByRest } from "./commit-rest.ts";
import type { CommitWish } from "./commit-wish.ts";
import type { RepositoryName } from "./repository-url.ts";
import type { SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** GraphQL takes about 40 MB; beyond half of that, blob by blob is safer. In bytes of content. */
const GRAPHQL_BYTES = 20_000_000;
/** How far below the tip a commit of ours is looked for: others may have pushed on top of it meanwhile. */
const SEARCH_DEPTH = 10;

/** The step that commits a change set onto a branch whose tip is its base. Signed by GitHub; nothing is ever forced. */
export function commitStep(wish: CommitWish, key: string, options: SendOptions): WriteStep {
  const { repository, branch, changes, kind } = wish;
  const find = async (): Promise<WriteOutcome | undefined> => {
    const sha = await findCommit(options.session, repository, branch, changes);
    return sha === undefined ? undefined : { operation: kind, sha, branch };
  };
  const commit = fitsGraphql(changes) ? commitByGraphql : commitByRest;
  return { key, operation: kind, find, send: () => commit(wish, find, options) };
}

/** The commit on the branch that has the change set's tree and stands on its base; undefined when there is none near the tip. */
export async function findCommit(
  session: GitHubSession,
  repository: RepositoryName,
  branch: string,
  { base, tree }: Pick<ChangeSet, "base" | "tree">,
): Promise<string | undefined> {
  let sha = await branchTip(session, repository, branch);
  for (let depth = 0; sha !== undefined && sha !== base.commit && depth < SEARCH_DEPTH; depth++) {
    const at = sha;
    const commit = await unless(["not-found"], undefined, () => readCommit(session, repository, at));
    if (commit === undefined) return undefined;
    const [parent] = commit.parents;
    if (parent === base.commit && commit.parents.length === 1 && commit.tree === tree) return commit.sha;
    sha = parent;
  }
  return undefined;
}

/**
 * GraphQL makes plain files only, from bytes, and says the tree when the branch has moved already. So it is used where nothing can
 * surprise: plain modes before and after, all bytes at hand, no path that turns from file to folder or back.
 */
export function fitsGraphql({ changes, blobs }: ChangeSet): boolean {
  const isPlain = ({ before, after }: FileChange) => (before?.mode ?? "100644") === "100644" && (after?.mode ?? "100644") === "100644";
  if (!changes.every((change) => isPlain(change) && (change.after === undefined || blobs.has(change.after.sha)))) return false;
  const deleted = new Set(changes.filter(({ after }) => after === undefined).map(({ path }) => path));
  const written = changes.filter(({ after }) => after !== undefined);
  const folders = new Set(written.flatMap(({ path }) => foldersOf(path)));
  if (written.some(({ path }) => foldersOf(path).some((folder) => deleted.has(folder)))) return false;
  if ([...deleted].some((path) => folders.has(path) || foldersOf(path).some((folder) => written.some((change) => change.path === folder))))
    return false;
  return written.reduce((sum, { after }) => sum + (after?.size ?? 0), 0) < GRAPHQL_BYTES;
}

function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}
