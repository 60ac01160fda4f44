import type { Reaction } from "../core/operation.ts";
import type { Actor, RepositoryRef, RunRequest } from "../core/run.ts";
import { isOwnBranch } from "./branch-name.ts";
import type { GatePolicy } from "./policy.ts";

/** What one run is addressed to: everything else is refused. Built by the engine from what was pinned, never from what the model says. */
export interface RunScope {
  readonly repository: Pick<RepositoryRef, "id" | "owner" | "name">;
  /** Threads it may write to: the one that started it, and pull requests it opened. */
  readonly threads: readonly number[];
  /** The review comment it answers under, where it was asked in one. */
  readonly reviewCommentId?: number;
  /** Comments that it wrote itself, and may edit. */
  readonly ownComments: readonly number[];
  readonly reactions: readonly Reaction["target"][];
  /** Commits that it is about: check runs stand on these. None when not said. */
  readonly commits?: readonly string[];
  /** Check runs that it made itself, and may bring to another state. None when not said. */
  readonly ownCheckRuns?: readonly number[];
  /** Reviews of its own that were begun and never submitted, on its own thread: it may remove these. None when not said. */
  readonly pendingReviews?: readonly number[];
  /** The conversation below a remark of its own, on its own thread, that was looked at again: it may resolve this one. None when not said. */
  readonly ownConversation?: { readonly commentId: number; readonly threadId: string };
  /** The workflow run whose failure started it, and whether it may have the failed jobs run once more. */
  readonly workflowRun?: { readonly id: number; readonly rerun: boolean };
  /** Whether it may open the issue about failed CI. */
  readonly opensIssue?: boolean;
  /** Whether it may put labels on its own issue. */
  readonly labels?: boolean;
  /** Whether it may tell code scanning what it found. */
  readonly codeScanning?: boolean;
  /** Whether the gate's name for this run's branch could be this; branches of other runs and of people are none of its own. */
  readonly isOwnBranch: (branch: string) => boolean;
  /** Existing branches it may commit to: the head of its pull request. */
  readonly heads: readonly string[];
  /** Branches it may open a pull request against. */
  readonly bases: readonly string[];
  /** Who asked: may be mentioned, and is the co-author of commits. */
  readonly actor?: Actor;
  /** What it has made already, against the limits. */
  readonly made: { readonly pullRequests: number; readonly comments: number };
  /** What the configuration says about the gate for it. Where it was not read yet, nothing that hangs on it is let through. */
  readonly configured?: { readonly policy: GatePolicy; readonly approvalHours: number };
}

/** What the engine knows of a run besides its request. */
export interface ScopeFacts {
  /** The branch that pull requests are opened against: the default branch, or the base of the triggering pull request. */
  readonly base: string;
  /** The prefix of own branches. */
  readonly branchPrefix?: string;
  readonly ownPulls?: readonly number[];
  readonly ownComments?: readonly number[];
  readonly commits?: readonly string[];
  readonly ownCheckRuns?: readonly number[];
  readonly pendingReviews?: readonly number[];
  readonly ownConversation?: NonNullable<RunScope["ownConversation"]>;
  readonly configured?: NonNullable<RunScope["configured"]>;
  /** What the configuration lets it do beside its work. */
  readonly may?: { readonly rerun: boolean; readonly openIssue: boolean; readonly label: boolean; readonly uploadSarif: boolean };
  readonly made?: { readonly pullRequests: number; readonly comments: number };
}

/** The scope of a run. Work that a fork's pull request started may talk on its thread and nothing else. */
export function runScope(request: RunRequest, facts: ScopeFacts): RunScope {
  const { repository, thread, source, pull, actor, branchNumber } = request;
  const { base, branchPrefix, ownPulls = [], ownComments = [], commits = [], ownCheckRuns = [], pendingReviews = [] } = facts;
  const readOnly = pull !== undefined && !pull.sameRepository;
  const isKept = (branch: string): boolean => branch === repository.defaultBranch || branch === base;
  return {
    repository: { id: repository.id, owner: repository.owner, name: repository.name },
    threads: thread.kind === "none" ? ownPulls : [thread.number, ...ownPulls],
    ...(thread.reviewCommentId === undefined ? {} : { reviewCommentId: thread.reviewCommentId }),
    ownComments,
    reactions: reactionsTo(source),
    isOwnBranch: (branch) =>
      !readOnly &&
      !isKept(branch) &&
      isOwnBranch(branch, { number: branchNumber ?? thread.number, ...(branchPrefix !== undefined && { prefix: branchPrefix }) }),
    heads: readOnly || pull === undefined || isKept(pull.headRef) ? [] : [pull.headRef],
    bases: readOnly ? [] : [...new Set([base, repository.defaultBranch])],
    actor,
    commits,
    ownCheckRuns,
    pendingReviews,
    ...(facts.ownConversation === undefined ? {} : { ownConversation: facts.ownConversation }),
    ...(request.ci === undefined ? {} : { workflowRun: { id: request.ci.runId, rerun: !readOnly && facts.may?.rerun === true } }),
    opensIssue: request.ci !== undefined && thread.kind === "none" && facts.may?.openIssue === true,
    labels: request.trigger === "triage" && facts.may?.label === true,
    codeScanning: request.trigger === "gate" && facts.may?.uploadSarif === true,
    ...(facts.configured === undefined ? {} : { configured: facts.configured }),
    made: facts.made ?? { pullRequests: 0, comments: 0 },
  };
}

/** What a reaction may stand on. A whole review takes none; a pull request takes it as the issue that it is. */
function reactionsTo({ kind, id }: RunRequest["source"]): readonly Reaction["target"][] {
  if (kind === "review" || kind === "workflow-run" || kind === "schedule") return [];
  return [{ kind: kind === "pull-request" ? "issue" : kind, id }];
}
