import type { WorkflowRunFilter, WorkflowRunView } from "../core/run-logs.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

interface RawRun {
  readonly id: number | bigint;
  readonly name?: string | null;
  readonly display_title: string;
  readonly path: string;
  readonly event: string;
  readonly head_branch: string | null;
  readonly head_sha: string;
  readonly status: string | null;
  readonly conclusion: string | null;
  readonly run_attempt?: number;
  readonly created_at: string;
  readonly html_url: string;
}

/** The workflow run with this id; undefined when the repository has none. */
export async function readWorkflowRun(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  id: number,
): Promise<WorkflowRunView | undefined> {
  return unless(["not-found", "gone"], undefined, () =>
    reading(`read the Actions run ${id} of ${owner}/${repo}`, async () =>
      viewOf((await octokit.rest.actions.getWorkflowRun({ owner, repo, run_id: id })).data),
    ),
  );
}

/** The newest runs that fit, newest first, and how many there are in all as far as GitHub counts. */
export async function listWorkflowRuns(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { branch, status, limit }: WorkflowRunFilter,
): Promise<{ readonly runs: readonly WorkflowRunView[]; readonly total: number }> {
  const { data } = await reading(`list the Actions runs of ${owner}/${repo}`, () =>
    octokit.request("GET /repos/{owner}/{repo}/actions/runs", {
      owner,
      repo,
      per_page: limit,
      ...(branch === undefined ? {} : { branch }),
      // Octokit's type lists the values; the tool that asks has its own list.
      ...(status === undefined ? {} : { status: status as "failure" }),
    }),
  );
  return { runs: data.workflow_runs.map(viewOf), total: data.total_count };
}

function viewOf(raw: RawRun): WorkflowRunView {
  return {
    id: Number(raw.id),
    name: raw.name ?? raw.path,
    title: raw.display_title,
    path: raw.path,
    event: raw.event,
    branch: raw.head_branch ?? "",
    headSha: raw.head_sha,
    status: raw.status ?? "unknown",
    conclusion: raw.conclusion ?? undefined,
    attempt: raw.run_attempt ?? 1,
    createdAt: raw.created_at,
    url: raw.html_url,
  };
}
