import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Pin, Run, RunEnd } from "../core/run.ts";
import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";
import type { Model } from "../model/model.ts";
import type { Steps } from "./worker.ts";
import { authorize } from "./phases/authorize.ts";
import { setUpDesk } from "./phases/check-out.ts";
import { holdConversation } from "./phases/converse.ts";
import { publishLeftover } from "./phases/publish.ts";
import { failureOf, reportOf, type Ending } from "./phases/report.ts";
import { standingFile } from "./published.ts";
import { createPublishers } from "./publisher.ts";
import { modelWish, whyUnpriced } from "./model-wish.ts";
import { openRunComment, type RunComment } from "./run-comment.ts";
import { endPhase, phaseResult, type Authorized } from "./phase-results.ts";
import { openRunContext, type RunContext, type RunDependencies } from "./run-context.ts";
import { scopeOf } from "./run-scope.ts";
import { createTestRuns } from "./test-runs.ts";
import { isWorthAnotherTry } from "./worth-another-try.ts";

/** A thread that takes no comment, or none any more: the run ends there, and only the log says why. */
const SILENT: readonly GitHubErrorCode[] = ["locked", "archived", "not-found", "gone", "missing-permission", "forbidden"];
const isSilent = (error: unknown): error is GitHubError => error instanceof GitHubError && SILENT.includes(error.code);

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
  using comment = await openComment(context, dependencies);
  if (comment === undefined) {
    // Recorded, so that a thread that takes no comment is tried once.
    await endPhase(journal, "report", { end: "failed" });
    return "failed";
  }
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
  const { models } = dependencies;
  if (pin === undefined) return { failure: { why: "The repository has no commit yet.", hint: "Push a first commit, then ask again." } };
  if (models === undefined) {
    return {
      failure: { why: "No model is configured.", hint: "The bot's operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for another server." },
    };
  }
  const model = models(modelWish(context.settings, context.request.trigger));
  const unpriced = whyUnpriced(context.settings, model);
  if (unpriced !== undefined) return { failure: unpriced };
  try {
    return await workAtDesk(context, dependencies, { pin, profile, comment, model });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof StaleAttemptError || isWorthAnotherTry(error)) throw error;
    context.log.error({ error: messageOf(error) }, "the run cannot be carried out");
    return { failure: failureOf(error) };
  }
}

interface Work {
  readonly pin: Pin;
  readonly profile: Authorized["profile"];
  readonly comment: RunComment;
  readonly model: Model;
}

async function workAtDesk(context: RunContext, dependencies: RunDependencies, { pin, profile, comment, model }: Work): Promise<Ending> {
  await using desk = await setUpDesk(context, pin, dependencies);
  using _base = dependencies.scopes.registerBase(context.run.id, {
    paths: desk.workspace.basePaths,
    file: (path) => standingFile(context.journal, desk.workspace, path),
    ...(dependencies.advisories !== undefined && { advisories: dependencies.advisories(context.session) }),
  });
  const showing = { finished: ["authorize", "check-out"] as const, elapsedMs: () => Date.now() - desk.startedAt };
  comment.progress({ finished: showing.finished, current: "converse", turn: 0, tokens: 0, elapsedMs: showing.elapsedMs() });
  const { workspace, testCommand } = desk;
  const { sandbox, markers } = dependencies;
  const tests =
    profile === "write" && sandbox !== undefined && testCommand !== undefined
      ? createTestRuns({ sandbox, workspace, command: testCommand, signal: context.signal })
      : undefined;
  const publishers = createPublishers(context, { pin, workspace, markers });
  const conversation = await holdConversation(context, dependencies, {
    desk,
    pin,
    profile,
    model,
    repair: tests?.repair,
    publisherFor: publishers.forCall,
    showProgress: (progress) =>
      comment.progress({ ...progress, finished: showing.finished, current: "converse", elapsedMs: showing.elapsedMs() }),
  });
  if (profile === "read") return { conversation };
  // Tests that were given up for the run's time would still be changing what is published.
  await tests?.stop();
  const leftover = await publishLeftover(context, { conversation, workspace, publishers, pin });
  return { conversation, leftover };
}

/** The run's comment; undefined when the thread takes none. */
async function openComment(context: RunContext, { markers }: RunDependencies): Promise<RunComment | undefined> {
  const { run, request, submit, outgoing, log, signal } = context;
  try {
    const first = { finished: ["authorize"] as const, current: "check-out" as const, turn: 0, tokens: 0, elapsedMs: 0 };
    return await openRunComment({ runId: run.id, request, submit, outgoing, markers, signal, log }, first);
  } catch (error) {
    if (!isSilent(error)) throw error;
    log.warn({ code: error.code, why: error.message }, "the thread takes no comment; the run ends here");
    return undefined;
  }
}

async function report(context: RunContext, dependencies: RunDependencies, comment: RunComment, ending: Ending): Promise<RunEnd> {
  const said = reportOf(context, dependencies, ending);
  try {
    await comment.finish(said);
  } catch (error) {
    // The comment was deleted, or its thread was closed to us: what was done stays done.
    if (!isSilent(error)) throw error;
    context.log.warn({ code: error.code, why: error.message }, "the report could not be shown");
  }
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
  using comment = await openComment(context, dependencies);
  if (comment !== undefined) await report(context, dependencies, comment, { failure: failureOf(error) });
}
