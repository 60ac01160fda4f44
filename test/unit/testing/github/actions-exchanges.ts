import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import type { Exchange, SeededActions } from "./exchange.ts";

const REPOSITORY = "/repos/acme/widgets";

/** Tags, and a run with a failed job, one whose log has expired, and one that still runs. */
export function seedActions(from: EmbeddedGitHub): SeededActions {
  from.addTag("acme/widgets", "v1.0.0");
  from.addTag("acme/widgets", "v1.1.0", "topic", "With a message.");
  const steps = [{ name: "Run npm test", number: 3, status: "completed", conclusion: "failure" }] as const;
  const jobs = [
    { name: "test", conclusion: "failure", log: "not ok 1\n", steps },
    { name: "old", conclusion: "failure" },
    { name: "slow", conclusion: null },
  ];
  const run = from.addWorkflowRun("acme/widgets", { branch: "topic", attempt: 2, actor: "alice", jobs });
  const [job, expired] = from.workflowJobs("acme/widgets", run.id);
  return { workflowRunId: run.id, jobId: job?.id ?? 0, expiredJobId: expired?.id ?? 0 };
}

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
  {
    route: "POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs",
    status: 201,
    path: (s) => `${REPOSITORY}/actions/runs/${s.workflowRunId}/rerun-failed-jobs`,
    body: () => ({}),
  },
];
