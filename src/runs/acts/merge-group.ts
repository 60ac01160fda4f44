import type { CheckRun } from "../../core/operation.ts";
import type { RunEnd } from "../../core/run.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { scopeOf } from "../run-scope.ts";

const REVIEWED = {
  name: "sallyport",
  title: "Reviewed on the pull request",
  summary: "A merge group is not reviewed again: see the check on each of its pull requests.",
};
const JUDGED = {
  name: "sallyport/gate",
  title: "Judged on the pull request",
  summary: "The gate does not judge a merge group again: see the check on each of its pull requests.",
};

/**
 * Answers the merge queue at once: what its commit holds was reviewed on its pull requests, and a queue that waits for a check that never
 * comes lets nothing through.
 * @throws {GitHubError} where another try may bring it, or the App may not write checks.
 */
export async function answerMergeGroup(context: RunContext, { scopes }: RunDependencies, headSha: string): Promise<RunEnd> {
  const words = context.request.trigger === "gate" ? JUDGED : REVIEWED;
  const { run, request, journal, submit, submitting, settings } = context;
  const { repository } = request;
  const pin = { commit: headSha, base: { ref: repository.defaultBranch, sha: headSha } };
  using _scope = scopes.register(run.id, () => scopeOf(request, pin, journal, submitting()));
  const check: CheckRun = {
    kind: "check-run",
    repository,
    headSha,
    status: "completed",
    conclusion: settings.enabled === "observe" ? "neutral" : "success",
    ...words,
    externalId: `${run.id}/merge-group`,
  };
  const { status } = await submit(check, { key: "check" });
  return status === "done" ? "done" : "blocked";
}
