import type { JobView, WorkflowRunView } from "../core/run-logs.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

interface RawJob {
  readonly id: number;
  readonly run_id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly steps?: readonly { readonly name: string; readonly conclusion: string | null }[];
}

/** All jobs of a run's last attempt, over all pages. */
export async function readRunJobs(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { id, attempt }: Pick<WorkflowRunView, "id" | "attempt">,
): Promise<readonly JobView[]> {
  const jobs = await reading(`list the jobs of the Actions run ${id} of ${owner}/${repo}`, () =>
    allPages<RawJob>(octokit, "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs", {
      owner,
      repo,
      run_id: id,
      attempt_number: attempt,
    }),
  );
  return jobs.map((job) => viewOf(job));
}

/** The job with this id and the run that it belongs to; undefined when there is none. */
export async function readJob(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  id: number,
): Promise<(JobView & { readonly runId: number }) | undefined> {
  return unless(["not-found", "gone"], undefined, () =>
    reading(`read the Actions job ${id} of ${owner}/${repo}`, async () => {
      const { data } = await octokit.rest.actions.getJobForWorkflowRun({ owner, repo, job_id: id });
      return { ...viewOf(data), runId: data.run_id };
    }),
  );
}

function viewOf({ id, name, status, conclusion, steps = [] }: RawJob): JobView {
  const failedSteps = steps.filter((step) => step.conclusion === "failure" || step.conclusion === "timed_out").map((step) => step.name);
  return { id, name, status, conclusion: conclusion ?? undefined, failedSteps };
}
