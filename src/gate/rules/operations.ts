import type { CheckRun, Commit, Operation, OpenPullRequest, Review, UploadSarif } from "../../core/operation.ts";
import type { Finding } from "../../core/result.ts";
import type { Thread } from "../../core/run.ts";
import { unknownKind } from "../freeze.ts";
import { forRun, type GateLimits, type PerRun } from "../policy.ts";
import type { GateRule } from "../rule.ts";
import type { RuleSources } from "../rule-sources.ts";
import type { RunScope } from "../scope.ts";

const NAME = "operations";

/**
 * What leaves is addressed to the run's own thread, branch or pull request, and to nothing else: the confused deputy of a bot that holds
 * one token for many places. Also keeps the counts of pull requests and comments.
 */
export function operationsRule({ scope, limits }: { readonly scope: RuleSources["scope"]; readonly limits: PerRun<GateLimits> }): GateRule {
  return {
    name: NAME,
    applies: [
      "open-pull-request",
      "commit",
      "comment",
      "edit-own-comment",
      "reaction",
      "check-run",
      "upload-sarif",
      "review",
      "delete-pending-review",
      "resolve-thread",
      "rerun-workflow",
      "open-issue",
      "label",
    ],
    async check(judged, run) {
      if (judged.kind === "workspace-write") return [];
      const allowed = await scope(run);
      if (allowed === undefined) return [block("it is not known what this run may write to", "Start the task anew.")];
      const { id, owner, name } = judged.repository;
      const here = allowed.repository;
      if (id !== here.id || owner !== here.owner || name !== here.name || owner !== run.repository.owner || name !== run.repository.name) {
        return [block("it is addressed to another repository", "A run writes to the repository that it was started in.")];
      }
      return judgeTarget(judged, allowed, forRun(limits, run));
    },
  };
}

function judgeTarget(operation: Operation, scope: RunScope, limits: GateLimits): readonly Finding[] {
  switch (operation.kind) {
    case "comment":
      return [...judgeThread(operation.thread, scope), ...judgeCount("comments", scope.made.comments, limits.comments)];
    case "edit-own-comment":
      if (!scope.ownComments.includes(operation.commentId)) {
        return [block(`comment ${operation.commentId} was not written by this run`, "Write a comment of your own.")];
      }
      return judgeThread(operation.thread, scope);
    case "reaction": {
      const { kind, id } = operation.target;
      if (scope.reactions.some((target) => target.kind === kind && target.id === id)) return [];
      return [block(`${kind} ${id} did not start this run`, "A reaction stands on what started the run.")];
    }
    case "check-run":
      return judgeCheckRun(operation, scope);
    case "upload-sarif":
      return judgeUpload(operation, scope);
    case "review":
      return judgeReview(operation, scope);
    case "delete-pending-review":
      if (!scope.pendingReviews?.includes(operation.reviewId)) {
        return [block(`review ${operation.reviewId} is not one that this App left unsubmitted`, "Leave other people's drafts alone.")];
      }
      return judgeThread({ kind: "pull-request", number: operation.number }, scope);
    case "resolve-thread": {
      const { commentId, threadId } = operation;
      if (scope.ownConversation?.commentId !== commentId || scope.ownConversation.threadId !== threadId) {
        return [block(`the conversation of remark ${commentId} is not one of this App's own`, "Leave other people's conversations open.")];
      }
      return judgeThread({ kind: "pull-request", number: operation.number }, scope);
    }
    case "rerun-workflow":
      if (scope.workflowRun?.rerun === true && scope.workflowRun.id === operation.workflowRunId) return [];
      return [
        block(`workflow run ${operation.workflowRunId} is not one that this run may have run again`, "Reruns are switched on by ci.rerun."),
      ];
    case "open-issue":
      if (scope.opensIssue === true) return [];
      return [
        block("this run may open no issue", "An issue about failed CI is switched on by ci.issue; otherwise answer where you were asked."),
      ];
    case "label":
      if (scope.labels !== true) return [block("this run may set no labels", "Labels of new issues are switched on by triggers.labels.")];
      return [...judgeThread(operation.thread, scope), ...judgeLabels(operation.labels)];
    case "commit":
      return [...judgeChanges(operation, true), ...judgeBranch(operation.branch, operation.createsBranch === true, scope)];
    case "open-pull-request":
      return [
        ...judgeChanges(operation, operation.branchExists !== true),
        ...judgeBranch(operation.branch, true, scope),
        ...judgeBase(operation, scope),
        ...judgeCount("pullRequests", scope.made.pullRequests, limits.pullRequests),
      ];
    default:
      return unknownKind(operation);
  }
}

/** On a commit that this run is about, in a name of the bot's own; a later state goes to the check run that this run made. */
function judgeCheckRun({ name, headSha, checkRunId, detailsUrl }: CheckRun, scope: RunScope): readonly Finding[] {
  const findings: Finding[] = [];
  if (!scope.commits?.includes(headSha)) {
    findings.push(block(`this run is not about the commit ${headSha.slice(0, 10)}`, "Write the check run on the commit that was read."));
  }
  if (checkRunId !== undefined && !scope.ownCheckRuns?.includes(checkRunId)) {
    findings.push(block(`check run ${checkRunId} was not made by this run`, "Make a check run of your own."));
  }
  if (!/^sallyport(?:\/[\w.-]+)?$/.test(name)) {
    findings.push(block(`a check run named ${JSON.stringify(name)} could be taken for another's`, "Name it sallyport."));
  }
  if (detailsUrl !== undefined && !isPage(detailsUrl)) {
    findings.push(block("the check run's details lead to no web page", "Leave the address out."));
  }
  return findings;
}

/** On the pull request that the run looks at, and on its head. */
function judgeUpload({ number, headSha }: UploadSarif, scope: RunScope): readonly Finding[] {
  if (scope.codeScanning !== true) {
    return [block("this run may tell code scanning nothing", "Uploads are switched on by gate_check.code_scanning.")];
  }
  const findings = [...judgeThread({ kind: "pull-request", number }, scope)];
  if (!scope.commits?.includes(headSha)) {
    findings.push(block(`this run is not about the commit ${headSha.slice(0, 10)}`, "Upload what was found on the commit that was read."));
  }
  return findings;
}

/** On the pull request that the run is about, and on the commit that it read: never on one that came later. */
function judgeReview({ number, commitId, comments }: Review, scope: RunScope): readonly Finding[] {
  const findings = [...judgeThread({ kind: "pull-request", number }, scope)];
  if (!scope.commits?.includes(commitId)) {
    findings.push(block(`this run has not read the commit ${commitId.slice(0, 10)}`, "Review the commit that was read."));
  }
  const isPlace = ({ line, startLine = 0 }: Review["comments"][number]): boolean => line >= 1 && startLine < line;
  if (!comments.every(isPlace)) {
    findings.push(
      block("a remark stands on no line, or its lines are in the wrong order", "Name lines from 1 on, the first before the last."),
    );
  }
  return findings;
}

/** More labels than people look at are a mistake. */
const MOST_LABELS = 10;

function judgeLabels(labels: readonly string[]): readonly Finding[] {
  if (labels.length > 0 && labels.length <= MOST_LABELS) return [];
  return [block(`${labels.length} labels are set at once`, `Set between 1 and ${MOST_LABELS}.`)];
}

function isPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, href } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" && href === address;
}

function judgeThread({ number, reviewCommentId }: Thread, { threads, reviewCommentId: own }: RunScope): readonly Finding[] {
  if (!threads.includes(number)) {
    return [block(`#${number} is neither the thread that started this run nor a pull request it made`, `Write to #${threads[0]}.`)];
  }
  if (reviewCommentId === undefined || reviewCommentId === own) return [];
  return [block(`review comment ${reviewCommentId} did not start this run`, "Answer in the thread that started the run.")];
}

/** `own`: it must be the run's own branch, as no person's branch may become the head of the bot's pull request. */
function judgeBranch(branch: string, own: boolean, scope: RunScope): readonly Finding[] {
  if (scope.isOwnBranch(branch) || (!own && scope.heads.includes(branch))) return [];
  return [block("the branch is not one of this run's", "The gate names branches; leave the choice to it.")];
}

function judgeBase({ base, branch }: OpenPullRequest, { bases }: RunScope): readonly Finding[] {
  if (bases.length === 0) return [block("this run may only comment", "Describe the change in a comment.")];
  if (bases.includes(base) && base !== branch) return [];
  return [block(`${JSON.stringify(base)} is not a base of this run`, `Open the pull request against ${bases.join(" or ")}.`)];
}

function judgeChanges({ changes }: Commit | OpenPullRequest, needed: boolean): readonly Finding[] {
  // A commit always needs a change; a pull request needs one unless its branch carries the work already.
  return changes.changes.length > 0 || !needed ? [] : [block("nothing has changed", "Change a file first.")];
}

function judgeCount(what: "comments" | "pullRequests", made: number, limit: number): readonly Finding[] {
  if (made < limit) return [];
  const words = what === "comments" ? "comments" : "pull requests";
  return [
    block(
      `this run has made ${made} ${words} already (limit ${limit})`,
      `Use what is there, or raise limits.${what === "comments" ? what : "pull_requests"}.`,
    ),
  ];
}

function block(why: string, fix: string): Finding {
  return { rule: NAME, severity: "block", why, fix };
}
