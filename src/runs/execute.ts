import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Pin, Run, RunEnd } from "../core/run.ts";
import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";
import type { Publisher } from "../tools/tool.ts";
import { FetchError } from "../workspace/fetch-error.ts";
import type { Steps } from "./worker.ts";
import { authorize } from "./phases/authorize.ts";
import { setUpDesk } from "./phases/check-out.ts";
import { holdConversation, repairFor } from "./phases/converse.ts";
import { publishLeftover } from "./phases/publish.ts";
import { failureOf, reportOf, testsSentence, type Ending } from "./phases/report.ts";
import { createPublisher } from "./publisher.ts";
import { openRunComment, type RunComment } from "./run-comment.ts";
import { endPhase, phaseResult, type Authorized } from "./phase-results.ts";
import { openRunContext, type RunContext, type RunDependencies } from "./run-context.ts";
import { scopeOf } from "./run-scope.ts";

/** A thread that takes no comment: the run ends there, and only the log says why. */
const SILENT: readonly GitHubErrorCode[] = ["locked", "archived", "not-found", "gone", "missing-permission", "forbidden"];
/** Fetches that another try may well bring. */
const WORTH_ANOTHER_TRY: readonly string[] = ["remote-unreachable", "fetch-failed"];

/** The engine's steps for runs that people ask for: authorize, and then check out → converse → publish → report. */
export function createSteps(dependencies: RunDependencies): Pick<Steps, "accept" | "execute" | "abandon"> {
  return {
    accept: (run, journal, signal) => authorize(openRunContext(run, journal, signal, dependencies), dependencies),
    execute: (run, journal, signal) => execute(run, journal, signal, dependencies),
    abandon: (run, journal, error) => abandon(run, journal, error, dependencies),
  };
}

async function execute(run: Run, journal: Journal, signal: AbortSignal, dependencies: RunDependencies): Promise<RunEnd> {
  const context = openRunContext(run, journal, signal, dependencies);
  const authorized = phaseResult(journal, "authorize");
  if (authorized === undefined) throw new TypeError(`run ${run.id} is to be carried out before it was let in`);
  const earlier = phaseResult(journal, "report");
  if (earlier !== undefined) return earlier.end;
  using _scope = dependencies.scopes.register(run.id, () => scopeOf(run.request, authorized.pin, journal, context.submitting()));
  const comment = await openComment(context, dependencies);
  if (comment === undefined) return "failed";
  const ending = await work(context, dependencies, authorized, comment);
  // Awaited here: the scope must outlive the last words.
  return await report(context, dependencies, comment, ending);
}

/** Everything between the plan and the last words. What another try cannot mend is an ending, not an exception. */
async function work(
  context: RunContext,
  dependencies: RunDependencies,
  { pin, profile }: Authorized,
  comment: RunComment,
): Promise<Ending> {
  const { model } = dependencies;
  if (pin === undefined) return { failure: { why: "The repository has no commit yet.", hint: "Push a first commit, then ask again." } };
  if (model === undefined) {
    return {
      failure: { why: "No model is configured.", hint: "The bot's operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for another server." },
    };
  }
  try {
    return await workAtDesk(context, dependencies, { pin, profile, comment, model });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof StaleAttemptError || !(error instanceof FetchError) || WORTH_ANOTHER_TRY.includes(error.code)) throw error;
    return { failure: failureOf(error) };
  }
}

interface Work {
  readonly pin: Pin;
  readonly profile: Authorized["profile"];
  readonly comment: RunComment;
  readonly model: NonNullable<RunDependencies["model"]>;
}

async function workAtDesk(context: RunContext, dependencies: RunDependencies, { pin, profile, comment, model }: Work): Promise<Ending> {
  await using desk = await setUpDesk(context, pin, dependencies);
  using _base = dependencies.scopes.registerBase(context.run.id, desk.workspace.basePaths);
  const showing = { finished: ["authorize", "check-out"] as const, elapsedMs: () => Date.now() - desk.startedAt };
  comment.progress({ finished: showing.finished, current: "converse", turn: 0, tokens: 0, elapsedMs: showing.elapsedMs() });
  const repair = profile === "write" ? repairFor(context, dependencies, desk) : undefined;
  const testsNote = (): string | undefined => {
    const verdict = repair?.lastVerdict();
    return verdict === undefined ? undefined : testsSentence(verdict);
  };
  const { workspace } = desk;
  const publisherFor = (key: string): Publisher =>
    createPublisher(context, { pin, workspace, markers: dependencies.markers, testsNote }, key);
  const conversation = await holdConversation(context, dependencies, {
    desk,
    pin,
    profile,
    model,
    repair,
    publisherFor,
    showProgress: (progress) =>
      comment.progress({ ...progress, finished: showing.finished, current: "converse", elapsedMs: showing.elapsedMs() }),
  });
  if (profile === "read") return { conversation };
  const leftover = await publishLeftover(context, conversation, workspace, publisherFor);
  return { conversation, leftover, tests: repair?.lastVerdict() };
}

/** The run's comment; undefined when the thread takes none. */
async function openComment(context: RunContext, { markers }: RunDependencies): Promise<RunComment | undefined> {
  const { run, request, submit, log } = context;
  try {
    const first = { finished: ["authorize"] as const, current: "check-out" as const, turn: 0, tokens: 0, elapsedMs: 0 };
    return await openRunComment({ runId: run.id, request, submit, markers, log }, first);
  } catch (error) {
    if (!(error instanceof GitHubError) || !SILENT.includes(error.code)) throw error;
    log.warn({ code: error.code, why: error.message }, "the thread takes no comment; the run ends here");
    return undefined;
  }
}

async function report(context: RunContext, dependencies: RunDependencies, comment: RunComment, ending: Ending): Promise<RunEnd> {
  const said = reportOf(context, dependencies, ending);
  await comment.finish(said);
  await endPhase(context.journal, "report", { end: said.end });
  context.tell({ kind: "ended", run: context.view, end: said.end });
  context.log.info({ end: said.end, turns: said.turns, ...said.usage }, "the run has ended");
  return said.end;
}

/** The last word of a run that the engine gives up. Whoever was not let in hears nothing. */
async function abandon(run: Run, journal: Journal, error: unknown, dependencies: RunDependencies): Promise<void> {
  const authorized = phaseResult(journal, "authorize");
  if (authorized === undefined || phaseResult(journal, "report") !== undefined) return;
  const context = openRunContext(run, journal, AbortSignal.timeout(60_000), dependencies);
  context.log.error({ error: messageOf(error) }, "the run was given up");
  using _scope = dependencies.scopes.register(run.id, () => scopeOf(run.request, authorized.pin, journal, context.submitting()));
  const comment = await openComment(context, dependencies);
  if (comment !== undefined) await report(context, dependencies, comment, { failure: failureOf(error) });
}
