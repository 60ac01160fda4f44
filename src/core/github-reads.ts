import type { IssueFilter, IssueSummary, IssueView } from "./issue-view.ts";
import type { PullDetails, PullFiles, PullFilesQuery } from "./pull-details.ts";
import type { RunLogs, WorkflowRunFilter, WorkflowRunView } from "./run-logs.ts";
import type { TagView } from "./tag-view.ts";

/** What a run's tools may read on GitHub: the run's own repository only. Texts come back as GitHub has them: hostile. */
export interface GitHubReads {
  /** Undefined when there is none with this number. `comments` oldest first, at most 100 and the newest of them. */
  issue(number: number): Promise<IssueView | undefined>;
  /** Newest first; `more` when GitHub has others. */
  issues(filter: IssueFilter): Promise<{ readonly issues: readonly IssueSummary[]; readonly more: boolean }>;
  /** Undefined when there is no pull request with this number. */
  pull(number: number): Promise<PullDetails | undefined>;
  pullFiles(query: PullFilesQuery): Promise<PullFiles | undefined>;
  /** Newest first; `total` as GitHub counts. */
  workflowRuns(filter: WorkflowRunFilter): Promise<{ readonly runs: readonly WorkflowRunView[]; readonly total: number }>;
  /** Logs of the failed jobs of the run's last attempt, or more of one job's: cleaned, bounded, without secrets. */
  runLogs(query: { readonly runId: number; readonly jobId?: number }): Promise<RunLogs>;
  /** The highest version first; `more` when GitHub has others that were not looked at. */
  tags(limit: number): Promise<{ readonly tags: readonly TagView[]; readonly total: number; readonly more: boolean }>;
}
