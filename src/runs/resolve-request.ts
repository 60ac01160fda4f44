import type { FailedRun, RunRequest } from "../core/run.ts";
import { earlierCi } from "../store/ci.ts";
import { threadKey } from "../store/runs.ts";
import { planFirst } from "./autonomy.ts";
import { isScheduled } from "./scheduled.ts";
import type { RunContext, RunDependencies } from "./run-context.ts";

/**
 * The request as it is carried out, once the configuration is read: failed CI finds its pull request, a new issue may be one to be fixed, and
 * what is to be planned first says so. `drop` where there is nothing to be done about it any more.
 * @throws {GitHubError} when GitHub cannot be asked.
 */
export async function resolveRequest(context: RunContext, dependencies: Pick<RunDependencies, "database">): Promise<RunRequest | "drop"> {
  const { request, settings, run } = context;
  const { ci, trigger } = request;
  if (ci !== undefined) {
    const placed = await placeCi(context, dependencies, ci);
    return placed === "drop" ? "drop" : planFirst(placed, settings);
  }
  if (trigger === "triage" && settings.triggers.issues === "fix") return planFirst(asFix(request), settings);
  if (request.settingsOnly === true) return "drop";
  if (request.schedule !== undefined && !isScheduled(request, settings)) return "drop";
  if (request.thread.kind === "none") return planFirst({ ...request, branchNumber: run.id }, settings);
  return planFirst(request, settings);
}

/** An issue that is to be fixed asks for that in its own words: its author must hold the permission. */
function asFix(asked: RunRequest): RunRequest {
  const { unasked: _, quiet: __, ...request } = asked;
  return { ...request, trigger: "mention", text: [request.title, request.body].filter((part) => part !== "").join("\n\n") };
}

/** Failed CI on the thread of its pull request; without one it works for its branch. */
async function placeCi(
  { request, reader, run, log, settings }: RunContext,
  { database }: Pick<RunDependencies, "database">,
  ci: FailedRun,
): Promise<RunRequest | "drop"> {
  const { head, headSha, branch, path } = ci;
  const drop = (why: string): "drop" => {
    log.info({ workflowRun: ci.runId, why }, "failed CI is not looked at");
    return "drop";
  };
  if (head === undefined) return drop("its repository is gone");
  const [number] = (await reader.pullsOfHead({ repositoryId: head.id, owner: head.owner, branch, sha: headSha })).toSorted((a, b) => a - b);
  if (number !== undefined) {
    const pull = await reader.pull(number);
    if (pull === undefined || !pull.isOpen || pull.headSha !== headSha) return drop("its pull request has moved on");
    const { slot: _, ...placed } = request;
    return { ...placed, thread: { kind: "pull-request", number }, pull };
  }
  if (head.id !== request.repository.id) return drop("it is a fork's, and no pull request has this head");
  if (branch.startsWith("gh-readonly-queue/")) return drop("it is a merge queue's");
  if ((await reader.branchTip(branch)) !== headSha) return drop("its branch has moved on, or is gone");
  const alone: RunRequest = { ...request, slot: `ci:${path}:${branch}`, branchNumber: run.id };
  if (!settings.ci.issue || database === undefined) return alone;
  const kept = (await earlierCi(database, threadKey(alone), run.id)).find(({ issue }) => issue !== undefined)?.issue;
  const issue = kept === undefined ? undefined : await reader.issue(kept);
  // A closed issue was dealt with: the next failure opens one of its own.
  return issue === undefined || issue.state !== "open" ? alone : { ...alone, thread: { kind: "issue", number: issue.number } };
}
