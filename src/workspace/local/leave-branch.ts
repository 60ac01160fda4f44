import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeSet } from "../../core/change-set.ts";
import { SallyportError } from "../../core/errors.ts";
import type { GitCall } from "../git.ts";
import type { Checkout } from "./open-checkout.ts";

export interface LeaveRequest {
  /** What was judged: these bytes are written, and no others. */
  readonly changes: ChangeSet;
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
}

/**
 * Leaves a change as one commit on a new branch of somebody's checkout. Its work tree, index, HEAD and every branch that is there stay as they
 * are; no hook runs. Answers the commit's id.
 * @throws {SallyportError} `branch-exists`, and when the tree does not come out as it was judged.
 */
export async function leaveBranch(checkout: Checkout, { changes, branch, message, author }: LeaveRequest): Promise<string> {
  const { git, gitDir } = checkout;
  const folder = await mkdtemp(join(tmpdir(), "sallyport-index-"));
  const { name, email } = author;
  const call: GitCall = {
    gitDir,
    config: [["safe.directory", gitDir]],
    env: {
      GIT_INDEX_FILE: join(folder, "index"),
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  };
  try {
    for (const bytes of changes.blobs.values()) await git.run(["hash-object", "-w", "--stdin", "--no-filters"], { ...call, input: bytes });
    await git.run(["read-tree", changes.base.tree], call);
    const entries = changes.changes.map(({ path, after }) =>
      after === undefined ? `0 ${"0".repeat(40)}\t${path}\0` : `${after.mode} ${after.sha}\t${path}\0`,
    );
    // Deletions first: a file may make room for a folder.
    const input = Buffer.from(entries.toSorted((a, b) => Number(b.startsWith("0 ")) - Number(a.startsWith("0 "))).join(""));
    await git.run(["update-index", "-z", "--index-info"], { ...call, input });
    const tree = (await git.text(["write-tree"], call)).trim();
    if (tree !== changes.tree)
      throw new SallyportError(`The change came out as tree ${tree}, not as ${changes.tree}.`, { code: "tree-differs" });
    const commit = (await git.text(["commit-tree", tree, "-p", changes.base.commit], { ...call, input: Buffer.from(message) })).trim();
    await git.run(["update-ref", `refs/heads/${branch}`, commit, "0".repeat(40)], call).catch((cause: unknown) => {
      throw new SallyportError(`A branch ${branch} exists already.`, { code: "branch-exists", cause });
    });
    return commit;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Who commits in this checkout, by git's own configuration of the user. */
export async function whoCommits({ git, gitDir }: Checkout): Promise<{ readonly name: string; readonly email: string }> {
  const call: GitCall = { gitDir, config: [["safe.directory", gitDir]], exitCodes: [0, 1] };
  const [name, email] = await Promise.all(["user.name", "user.email"].map((key) => git.text(["config", "--get", key], call)));
  return { name: name?.trim() || "Sallyport", email: email?.trim() || "sallyport@localhost" };
}

/** The names of all branches, without `refs/heads/`. */
export async function branchNames({ git, gitDir }: Checkout): Promise<ReadonlySet<string>> {
  const call: GitCall = { gitDir, config: [["safe.directory", gitDir]] };
  const said = await git.text(["for-each-ref", "--format=%(refname:strip=2)", "refs/heads/"], call);
  return new Set(said.split("\n").filter(Boolean));
}
