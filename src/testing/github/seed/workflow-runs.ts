import { repositoryOf, takeId, timestamp } from "../state.ts";
import type { JobStep, Repository, WorkflowJob, WorkflowRun, World } from "../state.ts";
import { addUser } from "./accounts.ts";
import { tip } from "./repositories.ts";

export interface JobOptions {
  readonly name: string;
  /** `success` when absent; null for a job that still runs. */
  readonly conclusion?: string | null;
  /** Without one GitHub answers as it does when a log has expired. */
  readonly log?: string | Uint8Array;
  readonly steps?: readonly JobStep[];
  /** The attempt that it belongs to; the run's last when absent. */
  readonly attempt?: number;
}

export interface WorkflowRunOptions {
  readonly branch: string;
  readonly name?: string;
  readonly path?: string;
  readonly event?: string;
  /** `failure` when absent; null for a run that still goes on. */
  readonly conclusion?: string | null;
  readonly attempt?: number;
  readonly actor?: string;
  readonly triggeringActor?: string;
  /** Full name of the fork that the branch is in. */
  readonly headRepository?: string;
  readonly jobs?: readonly JobOptions[];
  /** Of a run that is there already: this is another attempt at it. */
  readonly id?: number;
}

/** Adds a run of a workflow with its jobs. No webhook is sent. */
export function addWorkflowRun(world: World, named: string | Repository, options: WorkflowRunOptions): WorkflowRun {
  const repository = repositoryOf(world, named);
  const { branch, attempt = 1, actor = "octocat", conclusion = "failure", headRepository = repository.fullName } = options;
  const { name = "CI", path = ".github/workflows/ci.yml", event = "push", triggeringActor = actor, jobs = [] } = options;
  const headSha = tip(world, headRepository, branch);
  if (headSha === undefined) throw new Error(`${headRepository} has no branch ${branch}.`);
  for (const login of [actor, triggeringActor]) addUser(world, login);
  const run: WorkflowRun = {
    id: options.id ?? takeId(world),
    number: repository.workflowRuns.size + 1,
    name,
    path,
    headRepository,
    headBranch: branch,
    headSha,
    event,
    status: statusOf(conclusion),
    conclusion,
    attempt,
    actor,
    triggeringActor,
    createdAt: timestamp(),
  };
  repository.workflowRuns.set(run.id, run);
  for (const job of jobs) addJob(world, repository, run, job);
  return run;
}

function addJob(world: World, repository: Repository, run: WorkflowRun, options: JobOptions): WorkflowJob {
  const { name, conclusion = "success", log, steps = [], attempt = run.attempt } = options;
  const job = { id: takeId(world), runId: run.id, attempt, name, status: statusOf(conclusion), conclusion, steps, log } as const;
  repository.workflowJobs.set(job.id, job);
  return job;
}

function statusOf(conclusion: string | null): WorkflowRun["status"] {
  return conclusion === null ? "in_progress" : "completed";
}
