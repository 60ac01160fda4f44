import { messageOf } from "../src/core/errors.ts";
import type { Journal } from "../src/core/journal.ts";
import { memoryJournal } from "../src/core/memory-journal.ts";
import type { Run, RunEnd, RunRequest } from "../src/core/run.ts";
import { createSteps } from "../src/runs/execute.ts";
import { failureOf } from "../src/runs/phases/report.ts";
import type { KeptWords, RunDependencies, RunEvent } from "../src/runs/run-context.ts";
import { isWorthAnotherTry } from "../src/runs/worth-another-try.ts";
import { newRunId } from "../src/store/runs.ts";
import type { StepLog } from "./log.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOf } from "./run-outcome.ts";
import { unpublishedPatch } from "./patch.ts";
import type { Runner } from "./runner.ts";
import type { Stage } from "./stage.ts";
import type { FileSettings } from "../src/config/file-schema.ts";

export interface PlayRunOptions {
  readonly stage: Stage;
  readonly request: RunRequest;
  readonly server: FileSettings;
  readonly runner: Pick<Runner, "say">;
  readonly log: StepLog;
  /** Aborts when the workflow is cancelled. */
  readonly signal: AbortSignal;
}

/** Tries at one step of a run, and seconds before the second and the third. */
const TRIES = 3;
const PAUSES = [5, 15] as const;
/** The runner gives a cancelled step ten seconds. */
const LAST_WORDS_MS = 6_000;

/** Walks one run as a worker does, with its journal in memory: let in, carried out, told of. */
export async function playRun({ stage, request, server, runner, log, signal }: PlayRunOptions): Promise<Outcome> {
  const journal = memoryJournal();
  let kept: { readonly report: KeptWords; readonly text: string } | undefined;
  const wish = {
    server,
    keep: (report: KeptWords, text: string) => void (kept = { report, text }),
    observe: (event: RunEvent) => tell(runner, event),
  };
  const dependencies = stage.dependencies(wish);
  let run: Run = { id: newRunId(), request, state: "working", attempt: 1, createdAt: new Date() };
  const known = (end: RunEnd, patch?: string): Outcome => outcomeOf({ run, journal, end, origin: stage.session().origin, patch, ...kept });
  try {
    const answer = await tried(() => createSteps(dependencies).accept(run, journal, signal), { signal, log });
    if (answer === "drop") return { conclusion: "ignored", why: log.lastSaid() ?? "the request is not meant for the bot" };
    if (answer !== "go") {
      if (typeof answer === "string") return known(answer);
      run = { ...run, request: answer.go };
    }
    const steps = createSteps({ ...dependencies, ...(await stage.equipped()) });
    const end = await tried(() => steps.execute(run, journal, signal), { signal, log });
    const store = await dependencies.stores.open(request.repository.id);
    return known(end, await unpublishedPatch({ journal, store, folder: stage.folder, signal }));
  } catch (error) {
    return known(await giveUp(error, { run, journal, dependencies, signal, log }));
  }
}

interface Given {
  readonly run: Run;
  readonly journal: Journal;
  readonly dependencies: RunDependencies;
  readonly signal: AbortSignal;
  readonly log: StepLog;
}

/** What cannot be carried out is told of on GitHub as well as it can be. */
async function giveUp(error: unknown, { run, journal, dependencies, signal, log }: Given): Promise<RunEnd> {
  const steps = createSteps(dependencies);
  try {
    if (signal.aborted) {
      const ending = { kind: "stopped", by: "The workflow" } as const;
      return await steps.conclude(run, journal, ending, AbortSignal.timeout(LAST_WORDS_MS));
    }
    const { why, hint } = failureOf(error);
    log.error({ why, ...(hint === undefined ? {} : { hint }) }, "the run was given up");
    log.debug({ error: messageOf(error) }, "what went wrong");
    await steps.abandon(run, journal, error);
  } catch (failure) {
    log.warn({ error: messageOf(failure) }, "the end of the run could not be told on GitHub");
  }
  return signal.aborted ? "cancelled" : "failed";
}

/** Repeats a step with the same journal, so that nothing is asked or written twice, as long as another try may bring more. */
async function tried<T>(step: () => Promise<T>, { signal, log }: { readonly signal: AbortSignal; readonly log: StepLog }): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= TRIES || !isWorthAnotherTry(error)) throw error;
      log.warn({ attempt, error: messageOf(error) }, "a step met an error and is tried again");
      await pause(PAUSES[attempt - 1] ?? 0, signal);
    }
  }
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  signal.throwIfAborted();
}

function tell(runner: Pick<Runner, "say">, event: RunEvent): void {
  if (event.kind === "phase") runner.say(`phase ${event.phase} has ended`);
  else if (event.kind === "turn") runner.say(`turn ${event.turn}${event.calls.length === 0 ? "" : `: ${event.calls.join(", ")}`}`);
  else if (event.kind === "tool" && event.status !== "ok") runner.say(`turn ${event.turn}: ${event.tool} ended as ${event.status}`);
}
