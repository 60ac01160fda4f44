import { errandOpening } from "../../agent/errand-opening.ts";
import type { Piece } from "../../agent/envelope.ts";
import { CI_1 } from "../../agent/prompts/ci-1.ts";
import type { Message } from "../../core/conversation.ts";
import { messageOf } from "../../core/errors.ts";
import type { FailedRun, Pin } from "../../core/run.ts";
import { compareCommits } from "../../workspace/compare.ts";
import { FetchError } from "../../workspace/fetch-error.ts";
import { readGuidance } from "../guidance.ts";
import type { Desk } from "../phases/check-out.ts";
import type { RunContext } from "../run-context.ts";
import type { CiFailure, FailedJob } from "./failure.ts";

export interface CiOpeningOptions {
  readonly desk: Pick<Desk, "base" | "source">;
  readonly pin: Pin;
  readonly ci: FailedRun;
  readonly failure: CiFailure;
  readonly isReadOnly: boolean;
  readonly system: string;
}

/** Characters of the difference and of a pull request's description. */
const LONGEST_DIFFERENCE = 30_000;
const LONGEST_BODY = 8_000;
/** Runs among which the last green one is looked for. */
const MOST_RUNS = 30;

/** What a run about failed CI is told in the system prompt. */
export const ciFragments = (isReadOnly: boolean): readonly string[] => [CI_1.task, isReadOnly ? CI_1.explain : CI_1.fix, CI_1.end];

/** Reads what the model is told of failed CI before its first turn: the logs, and what changed since it was green. */
export async function readCiOpening(context: RunContext, options: CiOpeningOptions): Promise<readonly Message[]> {
  const { reader, run, request } = context;
  const { desk, pin, ci, failure, isReadOnly, system } = options;
  const pull = pin.pull === undefined ? undefined : await reader.pull(pin.pull.number);
  const changed = await whatChanged(context, options);
  const pieces: readonly Piece[] = [
    { origin: "failed workflow run", trust: "thread", text: named(ci, failure) },
    ...failure.jobs.map(jobPiece),
    { origin: "what is known beside the logs", trust: "thread", text: failure.facts.join("\n") },
    ...(pull === undefined
      ? []
      : ([
          { origin: `title of #${pull.number}`, author: pull.author, trust: "thread", text: pull.title, longest: 1000 },
          { origin: `body of #${pull.number}`, author: pull.author, trust: "thread", text: pull.body, longest: LONGEST_BODY },
        ] as const)),
    ...(changed === undefined ? [] : [changed]),
  ];
  const where =
    pin.pull === undefined
      ? "It belongs to no pull request; the workspace is the branch at the commit that failed."
      : `It ran for pull request #${pin.pull.number}; the workspace is its head.`;
  const publish =
    pin.pull === undefined
      ? "gh_create_pr opens a pull request against the branch"
      : "gh_commit_changes commits to the pull request's own branch";
  return errandOpening({
    runId: run.id,
    repository: request.repository,
    system,
    guidance: await readGuidance(desk.base),
    about: `A workflow run failed. ${where}`,
    pieces,
    task: isReadOnly ? "Find the cause and explain it." : `Find the cause and mend it; ${publish}.`,
  });
}

function named({ runId, attempt, workflow, branch, headSha }: FailedRun, { jobs, unread, run }: CiFailure): string {
  const failed = [...jobs.map(({ job }) => job.name), ...unread];
  return [
    `run_id ${runId}, attempt ${attempt}: ${JSON.stringify(workflow)} (${JSON.stringify(run.path)}) on ${JSON.stringify(branch)} at ${headSha}`,
    `Failed jobs: ${failed.map((name) => JSON.stringify(name)).join(", ")}`,
    ...(unread.length === 0 ? [] : [`Logs of these were not read: ${unread.map((name) => JSON.stringify(name)).join(", ")}`]),
  ].join("\n");
}

function jobPiece({ job, log }: FailedJob): Piece {
  const steps = job.failedSteps.length === 0 ? "" : ` (failed: ${job.failedSteps.map((step) => JSON.stringify(step)).join(", ")})`;
  const text = log.status === "read" ? log.text : log.why;
  return { origin: `log of job ${job.id} ${JSON.stringify(job.name)}${steps}`, trust: "thread", text };
}

/** The difference since the last green run of the workflow on the branch; else that of the pull request. */
async function whatChanged({ reader, signal, log }: RunContext, { desk, pin, failure }: CiOpeningOptions): Promise<Piece | undefined> {
  const { run } = failure;
  const { runs } = await reader.workflowRuns({ branch: run.branch, status: "success", limit: MOST_RUNS });
  const green = runs.find(({ path, branch, headSha }) => path === run.path && branch === run.branch && headSha !== pin.commit);
  const base = green?.headSha ?? pin.pull?.baseSha;
  if (base === undefined) return undefined;
  try {
    const { patch } = await compareCommits({ ...desk.source, base, head: pin.commit, signal });
    const since = green === undefined ? "the pull request changes this" : `changed since the last green run, at ${base.slice(0, 10)}`;
    return { origin: since, trust: "thread", text: patch, longest: LONGEST_DIFFERENCE };
  } catch (error) {
    if (!(error instanceof FetchError) || error.code !== "commit-missing") throw error;
    log.info({ base, why: messageOf(error) }, "the commit of the last green run is gone");
    return undefined;
  }
}
