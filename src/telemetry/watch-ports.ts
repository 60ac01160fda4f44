import type { Journal } from "../core/journal.ts";
import { StaleAttemptError } from "../core/errors.ts";
import type { Run, RunEnd } from "../core/run.ts";
import type { Gate } from "../gate/gate.ts";
import type { ModelSource } from "../model/open-models.ts";
import type { Steps } from "../runs/worker.ts";
import type { Tool } from "../tools/tool.ts";
import type { Meters } from "./meters.ts";
import type { Tracer } from "./tracer.ts";

/** What is told of the work that goes through a port. */
export interface Watch {
  readonly meters: Meters;
  readonly tracer: Tracer;
}

/** The fetch under every request to GitHub: how long each takes, and how it is answered. */
export function watchFetch(fetch: typeof globalThis.fetch, { meters, tracer }: Watch): typeof globalThis.fetch {
  return (input, init) => {
    const method = (init?.method ?? "GET").toUpperCase();
    return tracer.span("github.request", { "http.request.method": method }, async () => {
      const seconds = stopwatch();
      let status: number | undefined;
      try {
        const answer = await fetch(input, init);
        status = answer.status;
        return answer;
      } finally {
        meters.gitHub(method, status, seconds());
      }
    });
  };
}

/** Every model that a run is given. */
export function watchModels(models: ModelSource, { meters, tracer }: Watch): ModelSource {
  return (wish) => {
    const model = models(wish);
    return {
      ...model,
      complete: (request) =>
        tracer.span("model.complete", { "gen_ai.request.model": model.name }, async () => {
          const seconds = stopwatch();
          try {
            const answer = await model.complete(request);
            meters.model("answered", seconds());
            meters.tokens(answer.usage, answer.usd);
            return answer;
          } catch (error) {
            meters.model("failed", seconds());
            throw error;
          }
        }),
    };
  };
}

/** Both doors. */
export function watchGate(gate: Gate, { meters, tracer }: Watch): Gate {
  return {
    ...gate,
    judgeWrite: (write, run) =>
      tracer.span("gate.judge_write", { run: run.id }, async () => {
        const decision = await gate.judgeWrite(write, run);
        meters.judged("inner", decision);
        return decision;
      }),
    judge: (operation, run, annotate) =>
      tracer.span("gate.judge", { run: run.id, operation: operation.kind }, async () => {
        const judgement = await gate.judge(operation, run, annotate);
        meters.judged("outer", judgement.decision);
        return judgement;
      }),
  };
}

/** A run's tools. */
export function watchTools(tools: readonly Tool[], { meters, tracer }: Watch): readonly Tool[] {
  return tools.map((tool) => ({
    ...tool,
    call: (args, context) =>
      tracer.span("tool.call", { tool: tool.name }, async () => {
        const result = await tool.call(args, context);
        meters.tool(tool.name, result.status);
        return result;
      }),
  }));
}

/** What a worker does with runs: their ends, their phases, and journal rows that could not be written. */
export function watchSteps<S extends Pick<Steps, "accept" | "execute" | "conclude" | "abandon">>(steps: S, watch: Watch): S {
  const { meters, tracer } = watch;
  const attributes = ({ id, attempt, request }: Run) => ({ run: id, attempt, kind: request.trigger });
  const ended = ({ request }: Run, state: RunEnd): RunEnd => {
    meters.runEnded(request.trigger, state);
    return state;
  };
  return {
    ...steps,
    accept: (run, journal, signal) =>
      tracer.span("run.accept", attributes(run), async () => {
        const answer = await steps.accept(run, watchJournal(journal, watch), signal);
        return typeof answer === "string" && answer !== "go" && answer !== "drop" ? ended(run, answer) : answer;
      }),
    execute: (run, journal, signal) =>
      tracer.span("run", attributes(run), async () => {
        meters.runStarted();
        try {
          return ended(run, await steps.execute(run, watchJournal(journal, watch), signal));
        } finally {
          meters.runStopped();
        }
      }),
    conclude: (run, journal, ending, signal) =>
      tracer.span("run.conclude", attributes(run), async () =>
        ended(run, await steps.conclude(run, watchJournal(journal, watch), ending, signal)),
      ),
    // Tried again until it is said: a run ends once.
    abandon: (run, journal, error) =>
      tracer.span("run.abandon", attributes(run), async () => {
        await steps.abandon(run, watchJournal(journal, watch), error);
        ended(run, "failed");
      }),
  };
}

/** A run's journal while one attempt holds it. A phase's length is told when its row is written. */
function watchJournal(journal: Journal, { meters, tracer }: Watch): Journal {
  let seconds = stopwatch();
  return {
    ...journal,
    async append(entry, blobs) {
      try {
        await journal.append(entry, blobs);
      } catch (error) {
        meters.journalFault(error instanceof StaleAttemptError ? "stale" : "failed");
        throw error;
      }
      if (entry.kind !== "phase") return;
      meters.phase(entry.phase, seconds());
      tracer.past(`phase.${entry.phase}`, {}, seconds());
      seconds = stopwatch();
    },
  };
}

function stopwatch(): () => number {
  const started = performance.now();
  return () => (performance.now() - started) / 1000;
}
