import { repositoryOf } from "../state.ts";
import type {
  CheckRun,
  Issue,
  IssueComment,
  Pull,
  Reaction,
  Repository,
  Review,
  ReviewComment,
  SarifUpload,
  WorkflowJob,
  World,
} from "../state.ts";

/** An issue or pull request; throws when there is none of that number. */
export function issue(world: World, named: string | Repository, number: number): Issue {
  const repository = repositoryOf(world, named);
  const found = repository.issues.get(number);
  if (!found) throw new Error(`${repository.fullName} has no issue or pull request ${number}.`);
  return found;
}

/** All pull requests, oldest first. */
export function pulls(world: World, named: string | Repository): Pull[] {
  return [...repositoryOf(world, named).pulls.values()];
}

/** The comments of one issue or pull request, or of all, oldest first. */
export function comments(world: World, named: string | Repository, number?: number): IssueComment[] {
  return numbered(repositoryOf(world, named).comments, number);
}

/** The comments on lines of one pull request, or of all, oldest first. */
export function reviewComments(world: World, named: string | Repository, number?: number): ReviewComment[] {
  return numbered(repositoryOf(world, named).reviewComments, number);
}

export function reviews(world: World, named: string | Repository, number?: number): Review[] {
  return numbered(repositoryOf(world, named).reviews, number);
}

/** The remarks whose conversations are resolved, in the order in which they were. */
export function resolvedThreads(world: World, named: string | Repository): readonly number[] {
  return [...repositoryOf(world, named).resolvedThreads];
}

export function reactions(world: World, named: string | Repository): readonly Reaction[] {
  return repositoryOf(world, named).reactions;
}

export function checkRuns(world: World, named: string | Repository): CheckRun[] {
  return [...repositoryOf(world, named).checkRuns.values()];
}

/** What code scanning was sent, oldest first. */
export function sarifUploads(world: World, named: string | Repository): readonly SarifUpload[] {
  return repositoryOf(world, named).sarifUploads;
}

function numbered<T extends { readonly number: number }>(all: ReadonlyMap<number, T>, number: number | undefined): T[] {
  return [...all.values()].filter((item) => number === undefined || item.number === number);
}

/** The jobs of all workflow runs, or of one, oldest first. */
export function workflowJobs(world: World, named: string | Repository, runId?: number): WorkflowJob[] {
  return [...repositoryOf(world, named).workflowJobs.values()].filter((job) => runId === undefined || job.runId === runId);
}
