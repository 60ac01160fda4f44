import { repositoryOf, takeId, timestamp, type CheckRun, type Repository, type World } from "../state.ts";

export interface CheckRunOptions {
  readonly name: string;
  readonly headSha: string;
  readonly status?: string;
  readonly conclusion?: string;
}

/** Adds a check run of the App on a commit. No webhook is sent. */
export function addCheckRun(world: World, named: string | Repository, options: CheckRunOptions): CheckRun {
  const run = newCheckRun(world, options);
  repositoryOf(world, named).checkRuns.set(run.id, run);
  return run;
}

/** A check run that stands in no list yet. A conclusion completes it. */
export function newCheckRun(world: World, { name, headSha, status = "queued", conclusion }: CheckRunOptions): CheckRun {
  const at = timestamp();
  return {
    id: takeId(world),
    headSha,
    name,
    status: conclusion === undefined ? status : "completed",
    conclusion: conclusion ?? null,
    externalId: "",
    detailsUrl: null,
    startedAt: at,
    completedAt: conclusion === undefined ? null : at,
    output: { title: null, summary: null, text: null, annotations: [] },
  };
}
