import { ApiError, invalid } from "../api-error.ts";
import { optionalList, optionalObject, optionalText, optionalWord, requiredText, type Fields } from "../fields.ts";
import { resolveCommit } from "../git/objects.ts";
import { countedPage, page } from "../paginate.ts";
import { checkRunPayload } from "../payloads/check-run.ts";
import { created, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { newCheckRun } from "../seed/check-runs.ts";
import { timestamp, type CheckRun } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { checkRunEvent } from "../webhooks/events.ts";
import { commitAt } from "./commits.ts";

const STATUSES = ["queued", "in_progress", "completed", "waiting", "requested", "pending"] as const;
const CONCLUSIONS = ["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"] as const;
/** Longest summary and text of a check run, in characters. Source: https://docs.github.com/rest/checks/runs */
const LONGEST_OUTPUT = 65_535;
const MOST_ANNOTATIONS = 50;

export const CHECK_RUN_ROUTES = [
  repositoryRoute("POST /check-runs", ["checks"], createCheckRun),
  repositoryRoute("GET /check-runs/{check_run_id}", ["checks"], (call) =>
    ok(checkRunPayload(call.world, call.repository, checkRunIn(call))),
  ),
  repositoryRoute("GET /check-runs/{check_run_id}/annotations", ["checks"], (call) =>
    page(call, checkRunIn(call).output.annotations, (annotation) => annotation),
  ),
  repositoryRoute("PATCH /check-runs/{check_run_id}", ["checks"], (call) => {
    const run = checkRunIn(call);
    change(run, call.body);
    announceCompletion(call, run);
    return ok(checkRunPayload(call.world, call.repository, run));
  }),
  repositoryRoute("GET /commits/{ref}/check-runs", ["checks"], (call) => {
    const sha = commitAt(call, call.params["ref"] ?? "");
    const name = call.query["check_name"];
    const runs = [...call.repository.checkRuns.values()].filter((run) => run.headSha === sha && (name === undefined || run.name === name));
    return countedPage(call, "check_runs", runs, (run) => checkRunPayload(call.world, call.repository, run));
  }),
];

function checkRunIn(call: RepositoryCall): CheckRun {
  return present(call.repository.checkRuns.get(numberIn(call, "check_run_id")));
}

function createCheckRun(call: RepositoryCall): Answer {
  const { world, repository, body, caller } = call;
  if (caller.kind !== "installation") throw new ApiError(403, "You must authenticate via a GitHub App.");
  const headSha = requiredText(body, "head_sha");
  if (resolveCommit(repository.gitDirectory, headSha) !== headSha) {
    throw invalid({ resource: "CheckRun", field: "head_sha", code: "invalid", message: `No commit found for SHA: ${headSha}` });
  }
  const run = newCheckRun(world, { headSha, name: requiredText(body, "name") });
  change(run, body);
  repository.checkRuns.set(run.id, run);
  announceCompletion(call, run);
  return created(checkRunPayload(world, repository, run));
}

/** Applies what a request names. A conclusion completes the run; annotations add up over requests. */
function change(run: CheckRun, body: Fields): void {
  const conclusion = optionalWord(body, "conclusion", CONCLUSIONS);
  const status = conclusion === undefined ? optionalWord(body, "status", STATUSES) : "completed";
  const output = optionalObject(body, "output");
  if (output) checkOutput(output);
  if (status === "completed" && conclusion === undefined && run.conclusion === null) {
    throw invalid({ resource: "CheckRun", field: "conclusion", code: "missing_field" });
  }
  run.name = optionalText(body, "name") ?? run.name;
  run.status = status ?? run.status;
  run.conclusion = conclusion ?? run.conclusion;
  run.externalId = optionalText(body, "external_id") ?? run.externalId;
  run.detailsUrl = optionalText(body, "details_url") ?? run.detailsUrl;
  run.startedAt = optionalText(body, "started_at") ?? run.startedAt;
  run.completedAt = run.conclusion === null ? null : (optionalText(body, "completed_at") ?? run.completedAt ?? timestamp());
  if (!output) return;
  run.output = {
    title: optionalText(output, "title") ?? run.output.title,
    summary: optionalText(output, "summary") ?? run.output.summary,
    text: optionalText(output, "text") ?? run.output.text,
    annotations: [...run.output.annotations, ...(optionalList(output, "annotations") ?? [])],
  };
}

function checkOutput(output: Fields): void {
  if ((optionalList(output, "annotations") ?? []).length > MOST_ANNOTATIONS) {
    throw new ApiError(422, `Invalid request.\n\nNo more than ${MOST_ANNOTATIONS} items are allowed.`);
  }
  for (const field of ["summary", "text"]) {
    const length = (optionalText(output, field) ?? "").length;
    if (length > LONGEST_OUTPUT) {
      throw new ApiError(422, `Invalid request.\n\nOnly ${LONGEST_OUTPUT} characters are allowed; ${length} were supplied.`);
    }
  }
}

function announceCompletion({ world, repository }: RepositoryCall, run: CheckRun): void {
  const action = run.status === "completed" ? "completed" : "created";
  announce(world, checkRunEvent(world, repository, run, { action }));
}
