import type { Exchange } from "./exchanges.ts";

const REPOSITORY = "/repos/acme/widgets";

/** What is asked of workflow runs, their jobs and their logs. */
export const ACTIONS_EXCHANGES: readonly Exchange[] = [
  { route: "GET /repos/{owner}/{repo}/actions/runs", status: 200, path: () => `${REPOSITORY}/actions/runs?branch=topic&status=failure` },
  { route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}", status: 200, path: (s) => `${REPOSITORY}/actions/runs/${s.workflowRunId}` },
  { route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}", status: 404, path: () => `${REPOSITORY}/actions/runs/1` },
  {
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    status: 200,
    path: (s) => `${REPOSITORY}/actions/runs/${s.workflowRunId}/jobs`,
  },
  {
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
    status: 200,
    path: (s) => `${REPOSITORY}/actions/runs/${s.workflowRunId}/attempts/2/jobs`,
  },
  { route: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}", status: 200, path: (s) => `${REPOSITORY}/actions/jobs/${s.jobId}` },
  { route: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", status: 302, path: (s) => `${REPOSITORY}/actions/jobs/${s.jobId}/logs` },
  {
    route: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
    about: "that has expired",
    status: 410,
    path: (s) => `${REPOSITORY}/actions/jobs/${s.expiredJobId}/logs`,
  },
];
