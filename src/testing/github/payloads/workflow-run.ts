import { gitText } from "../git/run-git.ts";
import { repositoryOf, type Repository, type WorkflowJob, type WorkflowRun, type World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { userPayload } from "./account.ts";
import { gitCommitPayload } from "./commit.ts";
import { minimalPullPayload } from "./pull.ts";
import { repositoryPayload } from "./repository.ts";

const WORKFLOW_ID = 55;

export function workflowRunPayload(world: World, repository: Repository, run: WorkflowRun) {
  const url = apiUrl(world, repository, `/actions/runs/${run.id}`);
  const source = repositoryOf(world, run.headRepository);
  const commit = gitCommitPayload(world, source, run.headSha);
  // GitHub names no pull request of a fork here.
  const pulls = [...repository.pulls.values()].filter(
    (pull) => pull.headRepository === repository.fullName && source === repository && pull.headRef === run.headBranch,
  );
  return {
    id: run.id,
    node_id: nodeId("WorkflowRun", run.id),
    name: run.name,
    path: run.path,
    display_title: commit.message.split("\n", 1)[0] ?? "",
    head_branch: run.headBranch,
    head_sha: run.headSha,
    run_number: run.number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: WORKFLOW_ID,
    check_suite_id: run.id,
    check_suite_node_id: nodeId("CheckSuite", run.id),
    url,
    html_url: webUrl(world, repository, `/actions/runs/${run.id}`),
    pull_requests: pulls.map((pull) => minimalPullPayload(world, repository, pull)),
    created_at: run.createdAt,
    updated_at: run.createdAt,
    run_started_at: run.createdAt,
    actor: userPayload(world, run.actor),
    triggering_actor: userPayload(world, run.triggeringActor),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: apiUrl(world, repository, `/check-suites/${run.id}`),
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: apiUrl(world, repository, `/actions/workflows/${WORKFLOW_ID}`),
    repository: repositoryPayload(world, repository),
    head_repository: repositoryPayload(world, source),
    head_commit: {
      id: run.headSha,
      tree_id: commit.tree.sha,
      message: gitText(source.gitDirectory, ["log", "-1", "--format=%B", run.headSha]),
      timestamp: commit.committer.date,
      author: { name: commit.author.name, email: commit.author.email },
      committer: { name: commit.committer.name, email: commit.committer.email },
    },
  };
}

/** The workflow that a run is one of, as webhooks send it along. */
export function workflowPayload(world: World, repository: Repository, run: WorkflowRun) {
  return {
    id: WORKFLOW_ID,
    node_id: nodeId("Workflow", WORKFLOW_ID),
    name: run.name,
    path: run.path,
    state: "active",
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    url: apiUrl(world, repository, `/actions/workflows/${WORKFLOW_ID}`),
    html_url: webUrl(world, repository, `/blob/${repository.defaultBranch}/${run.path}`),
    badge_url: webUrl(world, repository, "/workflows/CI/badge.svg"),
  };
}

export function jobPayload(world: World, repository: Repository, run: WorkflowRun, job: WorkflowJob) {
  return {
    id: job.id,
    run_id: job.runId,
    run_attempt: job.attempt,
    run_url: apiUrl(world, repository, `/actions/runs/${run.id}`),
    node_id: nodeId("CheckRun", job.id),
    head_sha: run.headSha,
    head_branch: run.headBranch,
    url: apiUrl(world, repository, `/actions/jobs/${job.id}`),
    html_url: webUrl(world, repository, `/actions/runs/${run.id}/job/${job.id}`),
    check_run_url: apiUrl(world, repository, `/check-runs/${job.id}`),
    status: job.status,
    conclusion: job.conclusion,
    created_at: run.createdAt,
    started_at: run.createdAt,
    completed_at: job.conclusion === null ? null : run.createdAt,
    name: job.name,
    workflow_name: run.name,
    steps: job.steps.map((step) => ({ ...step, started_at: run.createdAt, completed_at: run.createdAt })),
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "GitHub Actions 1",
    runner_group_id: 1,
    runner_group_name: "GitHub Actions",
  };
}
