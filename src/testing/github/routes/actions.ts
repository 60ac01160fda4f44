import { ApiError } from "../api-error.ts";
import { countedPage } from "../paginate.ts";
import { jobPayload, workflowRunPayload } from "../payloads/workflow-run.ts";
import { created, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import type { WorkflowJob, WorkflowRun } from "../state.ts";
import { storedAt } from "../storage.ts";

const NEEDS = ["actions"];

export const ACTIONS_ROUTES = [
  repositoryRoute("GET /actions/runs", NEEDS, (call) =>
    countedPage(call, "workflow_runs", listed(call), (run) => workflowRunPayload(call.world, call.repository, run)),
  ),
  repositoryRoute("GET /actions/runs/{run_id}", NEEDS, (call) => ok(workflowRunPayload(call.world, call.repository, runIn(call)))),
  repositoryRoute("GET /actions/runs/{run_id}/jobs", NEEDS, (call) => {
    const run = runIn(call);
    return jobs(call, run, call.query["filter"] === "all" ? undefined : run.attempt);
  }),
  repositoryRoute("GET /actions/runs/{run_id}/attempts/{attempt_number}/jobs", NEEDS, (call) =>
    jobs(call, runIn(call), numberIn(call, "attempt_number")),
  ),
  repositoryRoute("POST /actions/runs/{run_id}/rerun-failed-jobs", NEEDS, rerunFailedJobs),
  repositoryRoute("GET /actions/jobs/{job_id}", NEEDS, (call) => {
    const job = jobIn(call);
    return ok(jobPayload(call.world, call.repository, present(call.repository.workflowRuns.get(job.runId)), job));
  }),
  repositoryRoute("GET /actions/jobs/{job_id}/logs", NEEDS, redirectToLog),
];

function runIn(call: RepositoryCall): WorkflowRun {
  return present(call.repository.workflowRuns.get(numberIn(call, "run_id")));
}

function jobIn(call: RepositoryCall): WorkflowJob {
  return present(call.repository.workflowJobs.get(numberIn(call, "job_id")));
}

/** Newest first. `status` is matched against status and conclusion alike. */
function listed({ repository, query }: RepositoryCall): WorkflowRun[] {
  const { branch, status, event, actor, head_sha: sha } = query;
  return [...repository.workflowRuns.values()]
    .filter(
      (run) =>
        (branch === undefined || run.headBranch === branch) &&
        (status === undefined || run.status === status || run.conclusion === status) &&
        (event === undefined || run.event === event) &&
        (actor === undefined || run.actor === actor) &&
        (sha === undefined || run.headSha === sha),
    )
    .reverse();
}

function jobs(call: RepositoryCall, run: WorkflowRun, attempt: number | undefined): Answer {
  const { world, repository } = call;
  const all = [...repository.workflowJobs.values()].filter(
    (job) => job.runId === run.id && (attempt === undefined || job.attempt === attempt),
  );
  return countedPage(call, "jobs", all, (job) => jobPayload(world, repository, run, job));
}

/** A new attempt, at the wish of whoever asks; the jobs that passed belong to the earlier one. */
function rerunFailedJobs(call: RepositoryCall): Answer {
  const run = runIn(call);
  if (run.status !== "completed") throw new ApiError(403, "This workflow is already running");
  if (run.conclusion === "success") throw new ApiError(403, "This workflow run cannot be retried");
  const { attempt } = run;
  call.repository.workflowRuns.set(run.id, {
    ...run,
    attempt: attempt + 1,
    status: "queued",
    conclusion: null,
    triggeringActor: call.login,
  });
  return created({});
}

function redirectToLog(call: RepositoryCall): Answer {
  const job = jobIn(call);
  if (job.status !== "completed") throw new ApiError(404, "Not Found");
  if (job.log === undefined) throw new ApiError(410, "The logs for this run have expired and are no longer available.");
  return { status: 302, headers: { location: storedAt(call.world, `job-logs/${job.id}`) } };
}
