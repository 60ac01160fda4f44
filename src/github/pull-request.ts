import type { Commit, OpenPullRequest } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { branchTip } from "./branch.ts";
import { commitStep, findCommit } from "./commit.ts";
import { GitHubError } from "./errors.ts";
import { pullsFromBranch } from "./pull.ts";
import { repositoryPath } from "./repository-url.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/**
 * The steps that open a pull request, in order: the branch at the change set's base, the commit on it, the request itself. What the
 * run did before (its branch stands, nothing is left to commit) is left out.
 */
export function pullRequestSteps(operation: OpenPullRequest, key: string, options: SendOptions): readonly WriteStep[] {
  return [
    ...(operation.branchExists === true ? [] : [branchStep(operation, `${key}/branch`, options)]),
    ...(operation.changes.changes.length === 0 ? [] : [commitStep(operation, `${key}/commit`, options)]),
    requestStep(operation, `${key}/pull-request`, options),
  ];
}

/** The steps of a commit: its branch where it is the run's own and new, and the commit. */
export function commitSteps(operation: Commit, key: string, options: SendOptions): readonly WriteStep[] {
  return [
    ...(operation.createsBranch === true ? [branchStep(operation, `${key}/branch`, options)] : []),
    commitStep(operation, `${key}/commit`, options),
  ];
}

function branchStep({ repository, branch, changes, kind }: OpenPullRequest | Commit, key: string, options: SendOptions): WriteStep {
  const outcome: WriteOutcome = { operation: kind, branch, sha: changes.base.commit };
  const find = async (): Promise<WriteOutcome | undefined> => {
    const tip = await branchTip(options.session, repository, branch);
    if (tip === undefined) return undefined;
    const isOurs = tip === changes.base.commit || (await findCommit(options.session, repository, branch, changes)) !== undefined;
    return isOurs ? outcome : undefined;
  };
  return {
    key,
    operation: kind,
    find,
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, "git/refs"), body: { ref: `refs/heads/${branch}`, sha: changes.base.commit } },
        {
          doing: `create branch ${branch} of ${repository.owner}/${repository.name}`,
          accept: (data) =>
            typeof data === "object" && data !== null && "ref" in data && data.ref === `refs/heads/${branch}` ? outcome : undefined,
          find,
        },
        options,
      ),
  };
}

function requestStep(operation: OpenPullRequest, key: string, options: SendOptions): WriteStep {
  const { repository, branch, base, title, body, draft, kind } = operation;
  const find = async (): Promise<WriteOutcome | undefined> => {
    const pulls = (await pullsFromBranch(options.session, repository, branch)).filter(({ baseRef }) => baseRef === base);
    const pull = pulls.find(({ isOpen }) => isOpen) ?? pulls[0];
    return pull === undefined ? undefined : { operation: kind, id: pull.number, url: pull.url, branch, sha: pull.headSha };
  };
  return {
    key,
    operation: kind,
    find,
    async send() {
      try {
        return await send(
          { method: "POST", path: repositoryPath(repository, "pulls"), body: { title, head: branch, base, body, draft } },
          {
            doing: `open a pull request from ${branch} in ${repository.owner}/${repository.name}`,
            accept: (data) => openedPull(data, branch),
            find,
          },
          options,
        );
      } catch (error) {
        // Somebody opened one from our branch meanwhile: that is what was wanted.
        const there = error instanceof GitHubError && error.code === "pull-request-exists" ? await find() : undefined;
        if (there === undefined) throw error;
        return there;
      }
    },
  };
}

function openedPull(data: unknown, branch: string): WriteOutcome | undefined {
  if (typeof data !== "object" || data === null || !("number" in data) || typeof data.number !== "number") return undefined;
  return {
    operation: "open-pull-request",
    id: data.number,
    branch,
    ...("html_url" in data && typeof data.html_url === "string" ? { url: data.html_url } : {}),
  };
}
