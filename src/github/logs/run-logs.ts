import { isFailedJob, type JobView, type RunLogs } from "../../core/run-logs.ts";
import type { GitHubSession } from "../client.ts";
import type { RepositoryName } from "../repository-url.ts";
import { readJob, readRunJobs } from "../workflow-jobs.ts";
import { readWorkflowRun } from "../workflow-runs.ts";
import { fetchJobLog, type JobLogOptions } from "./fetch-job-log.ts";

export interface RunLogsQuery extends JobLogOptions {
  readonly runId: number;
  /** Only this job, whatever it came to. Without it the failed ones of the last attempt. */
  readonly jobId?: number;
  /** Logs that are read at most; 7 when not said. */
  readonly most?: number;
}

const MOST_LOGS = 7;

/**
 * The logs of a workflow run's failed jobs: all jobs of its last attempt are listed, over all pages, and only the logs of those that failed
 * or timed out are read. A log that is not to be had is said in its place.
 * @throws {GitHubError} when the run or its jobs cannot be read; `missing-permission` without the permission `actions: read`.
 */
export async function readRunLogs(session: GitHubSession, repository: RepositoryName, query: RunLogsQuery): Promise<RunLogs> {
  const { runId, jobId, most = MOST_LOGS, ...options } = query;
  const run = await readWorkflowRun(session, repository, runId);
  if (run === undefined) return { status: "no-run" };
  const jobs = await readRunJobs(session, repository, run);
  const wanted = jobId === undefined ? jobs.filter(isFailedJob) : await oneJob(session, repository, { runId, jobId, jobs });
  if (wanted === undefined) return { status: "no-job", run, jobs };
  const logs = [];
  // One after the other: each may be large.
  for (const job of wanted.slice(0, most)) logs.push({ job, log: await fetchJobLog(session, repository, job.id, options) });
  return { status: "found", run, jobs, logs, unread: wanted.slice(most) };
}

/** The job of this run with this id, of whatever attempt. */
async function oneJob(
  session: GitHubSession,
  repository: RepositoryName,
  { runId, jobId, jobs }: { readonly runId: number; readonly jobId: number; readonly jobs: readonly JobView[] },
): Promise<readonly JobView[] | undefined> {
  const here = jobs.find(({ id }) => id === jobId);
  if (here !== undefined) return [here];
  const earlier = await readJob(session, repository, jobId);
  return earlier?.runId === runId ? [earlier] : undefined;
}
