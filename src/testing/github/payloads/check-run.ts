import type { CheckRun, Repository, World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { appPayload } from "./app.ts";
import { minimalPullPayload } from "./pull.ts";

export function checkRunPayload(world: World, repository: Repository, run: CheckRun) {
  const url = apiUrl(world, repository, `/check-runs/${run.id}`);
  const pulls = [...repository.pulls.values()].filter(
    (pull) => pull.headSha === run.headSha && pull.headRepository === repository.fullName,
  );
  return {
    id: run.id,
    node_id: nodeId("CheckRun", run.id),
    head_sha: run.headSha,
    name: run.name,
    external_id: run.externalId,
    url,
    html_url: webUrl(world, repository, `/runs/${run.id}`),
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      title: run.output.title,
      summary: run.output.summary,
      text: run.output.text,
      annotations_count: run.output.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: repository.id },
    app: appPayload(world),
    pull_requests: pulls.map((pull) => minimalPullPayload(world, repository, pull)),
  };
}
