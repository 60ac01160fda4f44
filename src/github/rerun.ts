import type { RerunWorkflow } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { repositoryPath } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";
import { readWorkflowRun } from "./workflow-runs.ts";

/** The one step of a rerun: it has happened once the workflow run has a later attempt. Needs the permission `actions: write`. */
export function rerunStep({ repository, workflowRunId: id, attempt, kind }: RerunWorkflow, key: string, options: SendOptions): WriteStep {
  const find = async (): Promise<WriteOutcome | undefined> => {
    const run = await readWorkflowRun(options.session, repository, id);
    return run !== undefined && run.attempt > attempt ? { operation: kind, id } : undefined;
  };
  return {
    key,
    operation: kind,
    find,
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, `actions/runs/${id}/rerun-failed-jobs`), body: {} },
        {
          doing: `run the failed jobs of the Actions run ${id} of ${repository.owner}/${repository.name} again`,
          accept: () => ({ operation: kind, id }),
          find,
        },
        options,
      ),
  };
}
