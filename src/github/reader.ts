import type { IssueFilter, IssueSummary, IssueView } from "../core/issue-view.ts";
import type { PullDetails, PullFiles, PullFilesQuery } from "../core/pull-details.ts";
import type { Thread } from "../core/run.ts";
import type { JobView, RunLogs, WorkflowRunFilter, WorkflowRunView } from "../core/run-logs.ts";
import type { TagView } from "../core/tag-view.ts";
import { branchesStartingWith, branchTip, isProtected } from "./branch.ts";
import type { GitHubSession } from "./client.ts";
import { readIssue } from "./issue.ts";
import { listIssues } from "./issues.ts";
import { readLabels, type LabelView } from "./labels.ts";
import { readRunLogs, type RunLogsQuery } from "./logs/run-logs.ts";
import { readPermission } from "./permission.ts";
import type { Permission } from "./permission.ts";
import { pullsFromBranch, readPull } from "./pull.ts";
import { readPullDetails } from "./pull-details.ts";
import { readPullFiles } from "./pull-files.ts";
import { pullsOfHead, type Head } from "./pulls-of-head.ts";
import type { PullView } from "./pull.ts";
import { readRepository, type RepositoryView } from "./repository.ts";
import type { RepositoryName } from "./repository-url.ts";
import { readCommitTitles, type CommitTitlesQuery } from "./commit-titles.ts";
import { readReviewRemarks, readReviewThread, type ReviewThread } from "./review-threads.ts";
import { listTags } from "./tags.ts";
import { ownComments } from "./thread-comments.ts";
import type { OwnComment } from "./thread-comments.ts";
import { readRunJobs } from "./workflow-jobs.ts";
import { listWorkflowRuns } from "./workflow-runs.ts";

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
  /** Issues and pull requests, newest first. */
  issues(filter: IssueFilter): Promise<{ readonly issues: readonly IssueSummary[]; readonly more: boolean }>;
  pullDetails(number: number): Promise<PullDetails | undefined>;
  pullFiles(query: PullFilesQuery): Promise<PullFiles | undefined>;
  /** Newest first; `total` as GitHub counts. */
  workflowRuns(filter: WorkflowRunFilter): Promise<{ readonly runs: readonly WorkflowRunView[]; readonly total: number }>;
  runLogs(query: RunLogsQuery): Promise<RunLogs>;
  /** The highest version first. */
  tags(limit: number): Promise<{ readonly tags: readonly TagView[]; readonly total: number; readonly more: boolean }>;
  /** Pull requests from a branch of this repository, open and closed, newest first. */
  pullsFromBranch(branch: string): Promise<readonly PullView[]>;
  /** The open pull requests of one head, of a fork as well. */
  pullsOfHead(head: Head): Promise<readonly number[]>;
  labels(): Promise<readonly LabelView[]>;
  /** All jobs of one attempt of a workflow run. */
  runJobs(run: Pick<WorkflowRunView, "id" | "attempt">): Promise<readonly JobView[]>;
  /** First lines of commit messages, newest first. */
  commitTitles(query: CommitTitlesQuery): Promise<readonly string[]>;
  /** The review conversation that begins with the remark `root`. */
  reviewThread(of: { readonly number: number; readonly root: number }): Promise<ReviewThread | undefined>;
  /** The remarks of one submitted review. */
  reviewRemarks(of: { readonly number: number; readonly review: number }): Promise<readonly ReviewThread[]>;
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
    issues: (filter) => listIssues(session, repository, filter),
    pullDetails: (number) => readPullDetails(session, repository, number),
    pullFiles: (query) => readPullFiles(session, repository, query),
    workflowRuns: (filter) => listWorkflowRuns(session, repository, filter),
    runLogs: (query) => readRunLogs(session, repository, query),
    tags: (limit) => listTags(session, repository, limit),
    pullsFromBranch: (branch) => pullsFromBranch(session, repository, branch),
    pullsOfHead: (head) => pullsOfHead(session, repository, head),
    labels: () => readLabels(session, repository),
    runJobs: (run) => readRunJobs(session, repository, run),
    commitTitles: (query) => readCommitTitles(session, repository, query),
    reviewThread: (of) => readReviewThread(session, repository, of),
    reviewRemarks: (of) => readReviewRemarks(session, repository, of),
    ownComments: (thread, since) => ownComments(session, repository, thread, since),
  };
}
