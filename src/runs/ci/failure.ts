import type { JobLog, JobView, WorkflowRunView } from "../../core/run-logs.ts";

/** A job that failed, and what its log says. Hostile texts, secrets masked. */
export interface FailedJob {
  readonly job: JobView;
  readonly log: JobLog;
}

/** What was read of a failed workflow run. */
export interface CiFailure {
  readonly run: WorkflowRunView;
  readonly jobs: readonly FailedJob[];
  /** Names of failed jobs whose logs were not read. */
  readonly unread: readonly string[];
  /** What is known beside the logs, in our own words with names in JSON: the same job elsewhere, earlier tries. */
  readonly facts: readonly string[];
}

/** What the phases of a run about failed CI hand to its voice: there once the failure has been read. */
export interface CiState {
  failure?: CiFailure;
  /** There is something to say on the thread whatever the model said. */
  hasNews?: boolean;
}

/** What is not known to be flaky, and does not fail elsewhere as well. */
export function nameJobs(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name));
  return `${shown.join(", ")}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ""}`;
}
