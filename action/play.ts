import { networkVariables, useProxies } from "../src/commands/network.ts";
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

/**
 * Does what the event calls for, from its first request to GitHub to its last.
 * @throws {SallyportError} for what stands in its way before anything was written.
 */
export async function play({ inputs, event, wanted, variables, secrets, runner, signal }: PlayOptions): Promise<Outcome> {
  useProxies(networkVariables(variables));
  const log = openStepLog(runner, variables["RUNNER_DEBUG"] === "1");
  await using stage = await openStage({ inputs, variables, secrets, log });
  const server = await workflowLayer(inputs, stage.session(), event.repository);
  const shared = { stage, server, runner, log, signal };
  if (wanted.kind === "gate") return await playGate({ ...shared, request: wanted.request, secrets: secrets.values() });
  const request = wanted.kind === "run" ? wanted.request : taskFor(event, wanted.prompt, await repositoryOf(stage, event));
  return await playRun({ ...shared, request });
}

/** A schedule's event says nothing of its repository, and a workflow's token is good for that one alone. */
async function repositoryOf(stage: Stage, { repository }: Event): Promise<RepositoryRef> {
  const { id, owner, name, isPrivate, defaultBranch } = await createReader(stage.session(), { id: 0, ...repository }).repository();
  return { id, owner, name, isPrivate, defaultBranch, installationId: 1 };
}
