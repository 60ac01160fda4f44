import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Pin, Run, RunEnd, RunView } from "../core/run.ts";
import type { Model } from "../model/model.ts";
import type { Steps } from "./worker.ts";
import { setUpDesk } from "./phases/check-out.ts";
import { holdConversation } from "./phases/converse.ts";
import { publishLeftover } from "./phases/publish.ts";
import { failureOf, type Ending } from "./phases/report.ts";
import { storeApprovals } from "../store/approvals.ts";
import { carryOut } from "./acts/carry-out.ts";
import { answerMergeGroup } from "./acts/merge-group.ts";
import type { CiState } from "./ci/failure.ts";
import { triageCi } from "./ci/triage.ts";
import { checkPull } from "./gate-check/gate-check.ts";
import type { GateState } from "./gate-check/gate-state.ts";
import { inCurrentRepository } from "./current-repository.ts";
import { conclude, openVoice, report } from "./last-words.ts";
import { insteadOf, letIn } from "./let-in.ts";
import { createPublishers } from "./publisher.ts";
import { modelWish, whyUnpriced } from "./model-wish.ts";
import type { RunComment } from "./run-comment.ts";
import { endPhase, phaseResult, type Authorized, type Reported } from "./phase-results.ts";
import { openRunContext, type RunContext, type RunDependencies } from "./run-context.ts";
import { confined } from "./run-sandbox.ts";
import { withEstimate } from "./plan-estimate.ts";
import { lastAsked } from "./question.ts";
import { WaitsForPeople } from "./waits-for-people.ts";
import { resolveRequest } from "./resolve-request.ts";
import { scopeOf } from "./run-scope.ts";
import { withSubject } from "./subject.ts";
import { whyOverBudget } from "./daily-budget.ts";
import { openStanding } from "./standing.ts";
import { createTestRuns } from "./test-runs.ts";
import { installDependencies } from "./install.ts";
import { isMeant } from "./is-meant.ts";
import { readSettings } from "./read-settings.ts";
import type { ReviewState } from "./review/check-voice.ts";
import { openReviewer } from "./review/open-reviewer.ts";
import { isLaterLook } from "./review/opening.ts";
import { readChange } from "./review/read-change.ts";
import { nothingToRead, openDifference, planReview, unreadOf } from "./review/reading.ts";
import { resolveRemarks } from "./review/resolve-remarks.ts";
import type { Resolved } from "../tools/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isWorthAnotherTry } from "./worth-another-try.ts";

/** The engine's steps for runs that people ask for: authorize, and then check out → converse → publish → report. */
export function createSteps(dependencies: RunDependencies): Pick<Steps, "accept" | "execute" | "conclude" | "abandon"> {
  return {
    async accept(run, journal, signal) {
      const answer = await accept(run, journal, signal, dependencies);
      if (answer === "go" || typeof answer === "object")
        dependencies.extensions?.emit("job.changed", { run: viewOf(run.id, answer === "go" ? run.request : answer.go), state: "queued" });
      return answer;
    },
    async execute(run, journal, signal) {
      // A look of the gate's follows its event at once, and may ask GitHub little; it waits for people, if at all, behind its first word.
      const isFresh = run.request.trigger === "gate" && !journal.entries.some((row) => row.kind === "phase" && row.phase === "report");
      const now = isFresh ? run : await inCurrentRepository(run, journal, signal, dependencies);
      return now === "gone" ? "failed" : execute(now, journal, signal, dependencies);
    },
    async conclude(run, journal, ending, signal) {
      const now = await inCurrentRepository(run, journal, signal, dependencies);
      return now === "gone" ? "failed" : conclude(now, journal, ending, signal, dependencies);
    },
    abandon: (run, journal, error) => abandon(run, journal, error, dependencies),
  };
}

function viewOf(id: string, { repository: { owner, name }, trigger }: Run["request"]): RunView {
  return { id, repository: { owner, name }, trigger };
}

async function accept(run: Run, journal: Journal, signal: AbortSignal, dependencies: RunDependencies): ReturnType<Steps["accept"]> {
  const answer = await judge(run, journal, signal, dependencies);
  const review = answer === "drop" ? insteadOf(run.request) : undefined;
  if (review === undefined) return answer;
  // Whoever was not let in has opened a pull request all the same.
  const instead = await judge({ ...run, request: review }, journal, signal, dependencies);
  return instead === "go" ? { go: review } : instead;
}

async function judge(run: Run, journal: Journal, signal: AbortSignal, dependencies: RunDependencies): ReturnType<Steps["accept"]> {
  const context = openRunContext(run, journal, signal, dependencies);
  if (!(await isMeant(context, dependencies))) return "drop";
  const { command, trigger, mergeGroup } = run.request;
  if (mergeGroup !== undefined) return answerMergeGroup(context, dependencies, mergeGroup.headSha);
  if (command !== undefined && trigger === "command") return carryOut(context, dependencies, command);
  const request = await resolveRequest(context, dependencies);
  if (request === "drop" || request === run.request) return request === "drop" ? "drop" : letIn(context, dependencies);
  const answer = await letIn(openRunContext({ ...run, request }, journal, signal, dependencies), dependencies);
  return answer === "go" ? { go: request } : answer;
}

/**
 * Whether the run goes on at its last words: people have approved what it asked them about, or have answered what one of its calls asked. That
 * it does is recorded, and from there its work is published, and told of, once more.
 */
async function goesOn({ journal, now }: RunContext, { database }: RunDependencies, { end, at = now() }: Reported): Promise<boolean> {
  const asked = lastAsked(journal);
  if (end !== "waiting" || asked === undefined || database === undefined) return false;
  const { answer } = (await storeApprovals(database).byId(asked.approval)) ?? {};
  if (answer === undefined || (asked.kind === "asked" && answer.kind !== "approved")) return false;
  const answered = { approval: asked.approval, by: answer.by.login, waitedMs: Math.max(0, now() - at) };
  if (asked.kind === "asked") await journal.append({ kind: "approved", ...answered });
  else await journal.append({ kind: "answered", isApproved: answer.kind === "approved", ...answered });
  return true;
}

async function execute(run: Run, journal: Journal, signal: AbortSignal, all: RunDependencies): Promise<RunEnd> {
  const context = openRunContext(run, journal, signal, all);
  const authorized = phaseResult(journal, "authorize");
  if (authorized === undefined) throw new TypeError(`run ${run.id} is to be carried out before it was let in`);
  const dependencies = confined(all, run.request, authorized);
  // There already, but for runs that an older version let in.
  await readSettings(context, dependencies.server ?? {});
  const earlier = phaseResult(journal, "report");
  if (earlier !== undefined && !(await goesOn(context, dependencies, earlier))) return earlier.end;
  const review: ReviewState = {};
  const ci: CiState = {};
  const gate: GateState = {};
  using _scope = dependencies.scopes.register(run.id, () => ({
    ...scopeOf(run.request, authorized.pin, journal, context.submitting()),
    ...gate.judging,
  }));
  await tellBefore(context, all);
  using comment = await openVoice(context, dependencies, { review, ci, gate });
  if (comment === undefined) {
    // Recorded, so that a thread that takes no comment is tried once.
    await endPhase(journal, "report", { end: "failed" });
    return "failed";
  }
  const done = withSubject(run.request, await work(context, dependencies, authorized, comment, { review, ci, gate }));
  const ending = await withEstimate(context, dependencies.database, done);
  // Awaited here: the scope must outlive the last words.
  return await report(context, dependencies, comment, ending);
}

async function tellBefore({ view }: RunContext, { extensions }: RunDependencies): Promise<void> {
  extensions?.emit("job.changed", { run: view, state: "active" });
  extensions?.emit("run.started", { run: view });
  await extensions?.act("run.before", () => view, view);
}

/** Everything between the plan and the last words. What another try cannot mend is an ending, not an exception. */
async function work(
  context: RunContext,
  dependencies: RunDependencies,
  { pin, profile }: Authorized,
  comment: RunComment,
  { review, ci, gate }: { readonly review: ReviewState; readonly ci: CiState; readonly gate: GateState },
): Promise<Ending> {
  const { models } = dependencies;
  if (pin === undefined) return { failure: { why: "The repository has no commit yet.", hint: "Push a first commit, then ask again." } };
  if (context.request.trigger === "gate") return orFailure(context, () => checkPull(context, dependencies, pin, gate));
  const triaged = await triage(context, dependencies, { pin, ci });
  if (triaged !== undefined) return triaged;
  if (models === undefined) {
    return {
      failure: { why: "No model is configured.", hint: "The bot's operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for another server." },
    };
  }
  const model = models(modelWish(context.settings, context.request.trigger));
  const spent = await whyOverBudget(context, dependencies.database);
  if (spent !== undefined) return { ended: { end: "out-of-budget", why: spent } };
  const unpriced = whyUnpriced(context.settings, model);
  if (unpriced !== undefined) return { failure: unpriced };
  return orFailure(context, () => workAtDesk(context, dependencies, { pin, profile, comment, model, review, ci }));
}

/** What another try cannot mend is an ending. */
async function orFailure(context: RunContext, work: () => Promise<Ending>): Promise<Ending> {
  try {
    return await work();
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof WaitsForPeople) return { waits: true };
    if (error instanceof StaleAttemptError || isWorthAnotherTry(error)) throw error;
    context.log.error({ error: messageOf(error) }, "the run cannot be carried out");
    return { failure: failureOf(error) };
  }
}

/** Looks at failed CI before a model is paid: how the run ends there; undefined where it goes on, and for every other kind of run. */
async function triage(
  context: RunContext,
  dependencies: RunDependencies,
  { pin, ci }: { readonly pin: Pin; readonly ci: CiState },
): Promise<Ending | undefined> {
  const failed = context.request.ci;
  if (failed === undefined) return undefined;
  try {
    return await triageCi(context, dependencies, { ci: failed, pin, isReadOnly: pin.pull?.sameRepository === false, state: ci });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof StaleAttemptError || isWorthAnotherTry(error)) throw error;
    return { failure: failureOf(error) };
  }
}

interface Work {
  readonly pin: Pin;
  readonly profile: Authorized["profile"];
  readonly comment: RunComment;
  readonly model: Model;
  readonly review: ReviewState;
  readonly ci: CiState;
}

async function workAtDesk(
  context: RunContext,
  dependencies: RunDependencies,
  { pin, profile, comment, model, review, ci }: Work,
): Promise<Ending> {
  await using desk = await setUpDesk(context, pin, dependencies);
  const standing = openStanding(context.journal, desk.workspace);
  using _base = dependencies.scopes.registerBase(context.run.id, {
    paths: standing.paths,
    file: standing.file,
    ...(desk.graph !== undefined && { reach: desk.graph.reach }),
    ...(dependencies.advisories !== undefined && { advisories: dependencies.advisories(context.session) }),
  });
  const showing = { finished: ["authorize", "check-out"] as const, elapsedMs: () => context.now() - desk.startedAt };
  comment.progress({ finished: showing.finished, current: "converse", turn: 0, tokens: 0, elapsedMs: showing.elapsedMs() });
  const { workspace } = desk;
  const { sandbox, markers, server, workspaces: folder, mask } = dependencies;
  // A run that only has to publish what it was asked about runs nothing more.
  const installs = profile === "write" && phaseResult(context.journal, "converse") === undefined;
  const wish = installs ? server?.sandbox?.install : undefined;
  const plan = await installDependencies(context, { wish, sandbox, workspace, tests: desk.tests, folder, mask });
  const tests =
    profile === "write" && sandbox !== undefined && plan !== undefined
      ? createTestRuns({
          sandbox,
          workspace,
          plan,
          maxAttempts: context.settings.repair.attempts,
          journal: context.journal,
          signal: context.signal,
        })
      : undefined;
  const difference = pin.pull === undefined ? undefined : openDifference(desk.source, pin.pull, context.signal);
  const publishers = createPublishers(context, {
    pin,
    workspace,
    source: desk.source,
    standing,
    markers,
    conventions: desk.conventions,
    ...(difference === undefined || pin.pull === undefined
      ? {}
      : {
          postReview: openReviewer(context, dependencies, {
            source: desk.source,
            pull: pin.pull,
            difference,
            tests: desk.tests,
            isFirst: () => review.reading !== undefined && !isLaterLook(context.request, review.reading),
            startedAt: desk.startedAt,
          }),
        }),
    ...(context.request.trigger === "review" ? { resolveRemarks: (remarks) => resolving(context, { workspace, review }, remarks) } : {}),
  });
  if (context.request.trigger === "review") {
    if (difference === undefined || pin.pull === undefined)
      return { failure: { why: `#${context.request.thread.number} is no pull request.` } };
    review.reading = await planReview(context, dependencies, { source: desk.source, pull: pin.pull, difference, graph: desk.graph });
    if (review.reading.plan.parts.length === 0) return { nothing: nothingToRead(review.reading) };
  }
  const change =
    difference === undefined || pin.pull === undefined
      ? undefined
      : await readChange(context, dependencies, { source: desk.source, pull: pin.pull, difference, graph: desk.graph });
  const conversation = await holdConversation(context, dependencies, {
    desk,
    pin,
    profile,
    model,
    ...(review.reading === undefined ? {} : { reading: review.reading }),
    ...(change === undefined ? {} : { change }),
    ...(ci.failure === undefined ? {} : { failure: ci.failure }),
    repair: tests?.repair,
    publisherFor: publishers.forCall,
    showProgress: (progress) =>
      comment.progress({ ...progress, finished: showing.finished, current: "converse", elapsedMs: showing.elapsedMs() }),
  });
  if (profile === "read")
    return review.reading === undefined ? { conversation } : { conversation, unread: unreadOf(review.reading, context.journal) };
  // Tests that were given up for the run's time would still be changing what is published.
  await tests?.stop();
  const leftover = await publishLeftover(context, { conversation, workspace, publishers, pin });
  return { conversation, leftover };
}

/** Resolves conversations once the review knows what it reads. */
function resolving(
  context: RunContext,
  { workspace, review: { reading } }: { readonly workspace: Workspace; readonly review: ReviewState },
  remarks: readonly number[],
): Promise<Resolved> {
  if (reading === undefined) return Promise.resolve({ status: "failed", why: "The review has not begun to read." });
  return resolveRemarks(context, { workspace, reading }, remarks);
}

/** The last word of a run that the engine gives up. Whoever was not let in hears nothing. */
async function abandon(run: Run, journal: Journal, error: unknown, dependencies: RunDependencies): Promise<void> {
  const authorized = phaseResult(journal, "authorize");
  const earlier = phaseResult(journal, "report");
  // What still says that it waits for people must not stand for ever.
  if (authorized === undefined || (earlier !== undefined && earlier.end !== "waiting")) return;
  const context = openRunContext(run, journal, AbortSignal.timeout(60_000), dependencies);
  context.log.error({ error: messageOf(error) }, "the run was given up");
  using _scope = dependencies.scopes.register(run.id, () => scopeOf(run.request, authorized.pin, journal, context.submitting()));
  using comment = await openVoice(context, dependencies);
  if (comment !== undefined) await report(context, dependencies, comment, { failure: failureOf(error) });
}
