import type { CheckAnnotation, CheckRun } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { reading, unless } from "./answer.ts";
import { allPages } from "./pages.ts";
import { repositoryPath } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** The one step of a check run: a new one, or another state of one that is there. */
export function checkRunStep(operation: CheckRun, key: string, options: SendOptions): WriteStep {
  const { checkRunId, repository } = operation;
  const find = checkRunId === undefined ? () => findNew(operation, options) : () => findChanged(operation, checkRunId, options);
  const request =
    checkRunId === undefined
      ? ({ method: "POST", path: repositoryPath(repository, "check-runs"), body: newBody(operation) } as const)
      : ({ method: "PATCH", path: repositoryPath(repository, `check-runs/${checkRunId}`), body: stateOf(operation) } as const);
  const doing = `write the check run ${operation.name} on ${repository.owner}/${repository.name}@${operation.headSha.slice(0, 10)}`;
  return { key, operation: operation.kind, find, send: () => send(request, { doing, accept: checkRunOutcome, find }, options) };
}

function newBody(operation: CheckRun): object {
  return { name: operation.name, head_sha: operation.headSha, external_id: operation.externalId, ...stateOf(operation) };
}

function stateOf({ status, conclusion, detailsUrl, title, summary, text, annotations }: CheckRun): object {
  return {
    status,
    ...(conclusion === undefined ? {} : { conclusion }),
    ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
    output: {
      title,
      summary,
      ...(text === undefined ? {} : { text }),
      ...(annotations === undefined ? {} : { annotations: annotations.map(annotationOf) }),
    },
  };
}

function annotationOf({ path, startLine, endLine, level, title, message }: CheckAnnotation): object {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    message,
    ...(title === undefined ? {} : { title }),
  };
}

/** A check run that was made and whose answer was lost bears our own id, which no other has. */
async function findNew({ repository, headSha, name, externalId }: CheckRun, { session }: SendOptions): Promise<WriteOutcome | undefined> {
  const { owner, name: repo } = repository;
  const runs = await reading(`look for the check run ${name} on ${owner}/${repo}@${headSha.slice(0, 10)}`, () =>
    allPages<{ readonly id: number; readonly external_id: string | null; readonly html_url: string | null }>(
      session.octokit,
      "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
      { owner, repo, ref: headSha, check_name: name, filter: "all" },
    ),
  );
  return checkRunOutcome(runs.find((run) => run.external_id === externalId));
}

/** Sent again, annotations would stand there twice: the state of the run, and how many it has, tell whether they arrived. */
async function findChanged(
  { repository, status, conclusion, title, annotations = [] }: CheckRun,
  checkRunId: number,
  { session }: SendOptions,
): Promise<WriteOutcome | undefined> {
  const { owner, name: repo } = repository;
  const target = { owner, repo, check_run_id: checkRunId };
  const run = await unless(["not-found"], undefined, () =>
    reading(`read check run ${checkRunId} of ${owner}/${repo}`, async () => (await session.octokit.rest.checks.get(target)).data),
  );
  if (run === undefined || run.status !== status || (run.conclusion ?? undefined) !== conclusion || run.output.title !== title)
    return undefined;
  const last = annotations.at(-1);
  if (last === undefined) return checkRunOutcome(run);
  const there = await reading(`read the annotations of check run ${checkRunId}`, () =>
    allPages<Annotated>(session.octokit, "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", target),
  );
  const isThere = there.some((one) => one.path === last.path && one.start_line === last.startLine && one.message === last.message);
  return isThere ? checkRunOutcome(run) : undefined;
}

interface Annotated {
  readonly path: string;
  readonly start_line: number;
  readonly message: string | null;
}

function checkRunOutcome(data: unknown): WriteOutcome | undefined {
  if (typeof data !== "object" || data === null || !("id" in data) || typeof data.id !== "number") return undefined;
  return {
    operation: "check-run",
    id: data.id,
    ...("html_url" in data && typeof data.html_url === "string" ? { url: data.html_url } : {}),
  };
}
