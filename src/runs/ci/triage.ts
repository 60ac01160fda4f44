import { isFailedJob, type JobView, type WorkflowRunView } from "../../core/run-logs.ts";
import type { FailedRun, Pin } from "../../core/run.ts";
import { maskShapes } from "../../gate/secrets/mask-shapes.ts";
import { GitHubError } from "../../github/errors.ts";
import { earlierCi, type EarlierCi } from "../../store/ci.ts";
import { threadKey } from "../../store/runs.ts";
import type { Ending } from "../phases/report.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { isWorthAnotherTry } from "../worth-another-try.ts";
import { attemptsLeft } from "./attempts.ts";
import { nameJobs, type CiFailure, type CiState } from "./failure.ts";
import { isNamed } from "./known-flaky.ts";

/** Runs of the same workflow that are looked at for the same jobs. */
const MOST_RUNS = 30;

/**
 * Flake or cause: reads the failed jobs' logs and what is known beside them, before any model is paid. Answers how the run ends here, or
 * undefined where a model is to look at it. What was read is left in `state`.
 * @throws {GitHubError} `missing-permission` where the App may not read Actions.
 */
export async function triageCi(
  context: RunContext,
  { database, mask, models }: Pick<RunDependencies, "database" | "mask" | "models">,
  { ci, pin, isReadOnly, state }: { readonly ci: FailedRun; readonly pin: Pin; readonly isReadOnly: boolean; readonly state: CiState },
): Promise<Ending | undefined> {
  const { reader, journal, run, request, settings, signal } = context;
  const read = await reader.runLogs({ runId: ci.runId, mask: (text) => maskShapes(mask(text)), signal });
  if (read.status !== "found") return { nothing: "The workflow run is gone." };
  if (read.run.attempt !== ci.attempt) return { nothing: `Attempt ${ci.attempt} was overtaken: the workflow run has a newer one.` };
  const names = read.jobs.filter(isFailedJob).map(({ name }) => name);
  const failure = (facts: readonly string[]): CiFailure => ({
    run: read.run,
    jobs: read.logs,
    unread: read.unread.map(({ name }) => name),
    facts,
  });
  state.failure = failure([]);
  if (names.length === 0) return { nothing: "No job of the workflow run failed: it ended before its jobs did, or could not be started." };
  // A run that has begun to talk to a model goes on with that.
  if (journal.entries.some(({ kind }) => kind === "opening")) return undefined;

  const facts: string[] = [];
  const flaky = names.filter((name) => isNamed(name, settings.ci.flaky));
  if (flaky.length > 0) facts.push(`Known to be flaky by the configuration: ${nameJobs(flaky)}.`);
  const elsewhere = await lookElsewhere(context, read.run, { names, pin });
  facts.push(...elsewhere.facts);
  state.failure = failure(facts);

  if (settings.ci.rerun && ci.attempt === 1 && !isReadOnly && elsewhere.alsoOnBase.length < names.length) {
    const why = await rerun(context, ci);
    if (why === undefined) return { nothing: "The failed jobs were started once more; what they come to is looked at then." };
    facts.push(why);
    state.failure = failure(facts);
  }
  const rest = names.filter((name) => !flaky.includes(name));
  if (rest.length === 0) return { nothing: "Only jobs that are known to be flaky failed, so no model was asked." };
  if (rest.every((name) => elsewhere.alsoOnBase.includes(name)))
    return {
      nothing: `The same jobs fail on ${JSON.stringify(pin.base.ref)} as well, so this change is not the cause; no model was asked.`,
    };
  if (rest.every((name) => elsewhere.passed.includes(name)))
    return { nothing: "The same jobs have passed in an earlier attempt of this very run, so they are flaky; no model was asked." };
  if (models === undefined) return { nothing: "No model is configured: the first error of each failed job is all there is to say." };
  if (database === undefined) return undefined;
  const earlier = await earlierCi(database, threadKey(request), run.id);
  const [open] = await openFixes(context, earlier);
  if (open !== undefined) return { nothing: `#${open} is open, which is to mend it; no model was asked.` };
  const attempts = attemptsLeft(ci, earlier, settings.ci.attempts);
  if (attempts.status === "go") return undefined;
  if (attempts.status === "silent") return { nothing: "It was said before that no more is tried here." };
  state.hasNews = true;
  const times = attempts.made === 1 ? "one attempt" : `${attempts.made} attempts`;
  return {
    failure: {
      why: `${JSON.stringify(ci.workflow)} still fails after ${times} of mine, so I stop here. ${firstError(state.failure)}`.trim(),
      hint: "Push a commit of your own, and I look at it anew.",
    },
    gaveUp: true,
  };
}

/** Newest fixes of a branch that are looked at. */
const MOST_FIXES = 3;

/** Pull requests that earlier runs opened against the same branch and that nobody has closed yet: another one would not help. */
async function openFixes({ reader }: RunContext, earlier: readonly EarlierCi[]): Promise<readonly number[]> {
  const numbers = earlier.flatMap(({ pull }) => pull ?? []).slice(0, MOST_FIXES);
  const pulls = await Promise.all(numbers.map((number) => reader.pull(number)));
  return pulls.flatMap((pull) => (pull?.isOpen === true ? [pull.number] : []));
}

interface Elsewhere {
  readonly facts: readonly string[];
  /** Names of jobs that fail in the newest run on the base branch, too. */
  readonly alsoOnBase: readonly string[];
  /** Names of jobs that have passed in an earlier attempt of the same run. */
  readonly passed: readonly string[];
}

/** How the same jobs came out on the branch that the work is for, in earlier attempts, and in other runs of the same commit. */
async function lookElsewhere(
  { reader, log }: RunContext,
  run: WorkflowRunView,
  { names, pin }: { readonly names: readonly string[]; readonly pin: Pin },
): Promise<Elsewhere> {
  const facts: string[] = [];
  const { ref } = pin.base;
  let alsoOnBase: readonly string[] = [];
  if (pin.pull !== undefined) {
    const { runs } = await reader.workflowRuns({ branch: ref, status: "completed", limit: MOST_RUNS });
    const base = runs.find(({ path, branch, id }) => path === run.path && branch === ref && id !== run.id);
    if (base !== undefined) {
      const jobs = await reader.runJobs(base);
      alsoOnBase = failedIn(jobs, names);
      const well = passedIn(jobs, names);
      const at = `${JSON.stringify(ref)} at ${base.headSha.slice(0, 10)}`;
      if (alsoOnBase.length > 0) facts.push(`Fails on ${at} as well: ${nameJobs(alsoOnBase)}.`);
      if (well.length > 0) facts.push(`Passes on ${at}: ${nameJobs(well)}.`);
    }
  }
  const passed = new Set<string>();
  for (let attempt = run.attempt - 1; attempt > 0 && attempt > run.attempt - 4; attempt -= 1) {
    const jobs = await reader.runJobs({ id: run.id, attempt });
    const before = failedIn(jobs, names);
    if (before.length > 0) facts.push(`Failed in attempt ${attempt} as well: ${nameJobs(before)}.`);
    for (const name of passedIn(jobs, names)) passed.add(name);
  }
  const { runs } = await reader.workflowRuns({ branch: run.branch, status: "completed", limit: MOST_RUNS });
  const twins = runs.filter(
    ({ id, path, headSha, event }) => id !== run.id && path === run.path && headSha === run.headSha && event === run.event,
  );
  if (passed.size > 0) facts.push(`Has passed in an earlier attempt: ${nameJobs([...passed])}.`);
  // Another run may have had other inputs: that it passed is a hint for who looks, and no proof.
  const inTwins = new Set<string>();
  for (const twin of twins.slice(0, 3)) for (const name of passedIn(await reader.runJobs(twin), names)) inTwins.add(name);
  if (inTwins.size > 0) facts.push(`Has passed in another run of this very commit: ${nameJobs([...inTwins])}.`);
  log.info({ failed: names.length, alsoOnBase: alsoOnBase.length, passed: passed.size }, "failed jobs were looked for elsewhere");
  return { facts, alsoOnBase, passed: [...passed] };
}

const failedIn = (jobs: readonly JobView[], names: readonly string[]): readonly string[] =>
  names.filter((name) => jobs.some((job) => job.name === name && isFailedJob(job)));
const passedIn = (jobs: readonly JobView[], names: readonly string[]): readonly string[] =>
  names.filter((name) => jobs.some((job) => job.name === name && job.conclusion === "success"));

/** Has the failed jobs run once more; answers why that could not be. */
async function rerun({ submit, request, log }: RunContext, { runId, attempt }: FailedRun): Promise<string | undefined> {
  try {
    const { status, decision } = await submit(
      { kind: "rerun-workflow", repository: request.repository, workflowRunId: runId, attempt },
      { key: "rerun" },
    );
    if (status === "done") return undefined;
    log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the rerun of failed jobs was held back");
    return "The failed jobs could not be started once more: the gate held it back.";
  } catch (error) {
    if (!(error instanceof GitHubError) || isWorthAnotherTry(error)) throw error;
    log.warn({ code: error.code }, "the failed jobs could not be started once more");
    return error.code === "missing-permission" || error.code === "forbidden"
      ? "The failed jobs could not be started once more: the App lacks the permission `actions: write`, which `ci.rerun` needs."
      : `The failed jobs could not be started once more: ${error.message}`;
  }
}

function firstError({ jobs }: CiFailure): string {
  for (const { job, log } of jobs) {
    const line = log.status === "read" ? log.errors[0]?.line.trim() : undefined;
    if (line !== undefined && line !== "")
      return `The first error, in ${JSON.stringify(job.name)}: ${JSON.stringify(line.slice(0, 300).toWellFormed())}.`;
  }
  return "";
}
