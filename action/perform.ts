import type { RepositoryRef } from "../src/core/run.ts";
import type { HeldSecrets } from "../src/core/secrets.ts";
import { createReader } from "../src/github/reader.ts";
import { workflowLayer } from "./configuration.ts";
import { taskFor, type Event, type Wanted } from "./event.ts";
import type { Inputs } from "./inputs.ts";
import { openStepLog } from "./log.ts";
import type { Outcome } from "./outcome.ts";
import { playGate } from "./play-gate.ts";
import { playRun } from "./play-run.ts";
import type { Runner } from "./runner.ts";
import { openStage, type Stage } from "./stage.ts";

export interface PlayOptions {
  readonly inputs: Inputs;
  readonly event: Event;
  readonly wanted: Exclude<Wanted, { kind: "ignored" }>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly secrets: HeldSecrets;
  readonly runner: Runner;
  /** Aborts when the workflow is cancelled. */
  readonly signal: AbortSignal;
}

export interface PerformOptions extends PlayOptions {
  /** What all requests to GitHub go through. */
  readonly fetch: typeof fetch;
}

/**
 * Judges, or walks a run: all of the Action that is not needed before its first request.
 * @throws {SallyportError} for what stands in its way before anything was written.
 */
export async function perform({ inputs, event, wanted, variables, secrets, runner, signal, fetch }: PerformOptions): Promise<Outcome> {
  const log = openStepLog(runner, variables["RUNNER_DEBUG"] === "1");
  await using stage = await openStage({ inputs, variables, secrets, log, fetch });
  const server = await workflowLayer(inputs, stage.session(), event.repository);
  const shared = { stage, server, runner, log, signal };
  const ended = (outcome: Outcome): Outcome => ({
    ...outcome,
    ...stage.files,
    ...(inputs.receiptKey === undefined ? { unsigned: true } : {}),
  });
  if (wanted.kind === "gate") {
    const { graphCache } = inputs;
    return ended(await playGate({ ...shared, request: wanted.request, ...(graphCache === undefined ? {} : { graphCache }) }));
  }
  const request = wanted.kind === "run" ? wanted.request : taskFor(event, wanted.prompt, await repositoryOf(stage, event));
  return ended(await playRun({ ...shared, request }));
}

/** A schedule's event says nothing of its repository, and a workflow's token is good for that one alone. */
async function repositoryOf(stage: Stage, { repository }: Event): Promise<RepositoryRef> {
  const { id, owner, name, isPrivate, defaultBranch } = await createReader(stage.session(), { id: 0, ...repository }).repository();
  return { id, owner, name, isPrivate, defaultBranch, installationId: 1 };
}
