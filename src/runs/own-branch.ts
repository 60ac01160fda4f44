import type { Pin } from "../core/run.ts";
import { nameBranch } from "../gate/branch-name.ts";
import { hasMade, type Pending } from "./published.ts";
import { lastEntry, type RunContext } from "./run-context.ts";

/**
 * The run's own branch: named once by the gate, then kept in the journal. `not`: a name that turned out to be somebody else's. `wish`: what
 * it should be named for, if it has no name yet; the thread's title when not said.
 */
export async function ownBranch({ journal, reader, request }: RunContext, not?: string, wish?: string): Promise<string> {
  const known = lastEntry(journal, "branch");
  if (known !== undefined && known.name !== not) return known.name;
  const existing = new Set([...(await reader.branchesStartingWith("sallyport")), ...(not === undefined ? [] : [not])]);
  const name = nameBranch({
    number: request.branchNumber ?? request.thread.number,
    title: wish ?? request.title,
    taken: (branch) => existing.has(branch),
  });
  await journal.append({ kind: "branch", name });
  return name;
}

export type CommitTarget =
  | { readonly branch: string; readonly createsBranch: boolean; /** Somebody else's branch. */ readonly isHead: boolean }
  | { readonly why: string };

/** Where a plain commit goes: the head of the run's pull request when it can be written to, else the run's own branch. */
export async function commitTarget(context: RunContext, { pull }: Pin, { earlier, changes }: Pending): Promise<CommitTarget> {
  if (pull === undefined || (earlier !== undefined && earlier.branch !== pull.headRef)) {
    const branch = await ownBranch(context);
    return { branch, createsBranch: !hasMade(context.journal, branch, changes.base.commit), isHead: false };
  }
  if (await context.reader.isProtected(pull.headRef)) {
    return { why: `The head branch ${pull.headRef} is protected, so it is left alone. Publish the change with gh_create_pr instead.` };
  }
  return { branch: pull.headRef, createsBranch: false, isHead: true };
}
