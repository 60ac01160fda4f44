import type { Ending as EndedFrom } from "../store/runs.ts";
import type { Run, RunEnd } from "../core/run.ts";
import type { Journal } from "../core/journal.ts";
import { codeSpan } from "../text/code-span.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import { storeApprovals } from "../store/approvals.ts";
import { costAhead, isToldAlready } from "./daily-budget.ts";
import { openObservation } from "./observation.ts";
import { hasCheck, keepingLost, openCheckVoice, type CheckVoiceOptions, type ReviewState } from "./review/check-voice.ts";
import { DEFAULT_LINKS } from "../gate/outgoing.ts";
import { endPhase, phaseResult } from "./phase-results.ts";
import { reportOf, type Ending } from "./phases/report.ts";
import type { CiState } from "./ci/failure.ts";
import type { GateState } from "./gate-check/gate-state.ts";
import { openGateVoice } from "./gate-check/gate-voice.ts";
import { isSilent } from "./is-silent.ts";
import { openLateVoice } from "./late-voice.ts";
import { memoryNote } from "./memory-note.ts";
import { questionOf } from "./question.ts";
import { makeReceipt, showReceipt } from "./receipt.ts";
import { renderReport } from "./report.ts";
import { openQueuedComment, openRunComment, reportKey, RUN_COMMENT, type RunComment, type RunCommentOptions } from "./run-comment.ts";
import { openRunContext, type RunContext, type RunDependencies } from "./run-context.ts";
import { scopeOf } from "./run-scope.ts";
import { stepKey } from "./submit.ts";

/** What the phases of runs that speak by check runs hand to their voices. */
interface VoiceStates {
  readonly review?: ReviewState;
  readonly ci?: CiState;
  readonly gate?: GateState;
}

/**
 * How the run speaks: by its comment; a review by its check run, and by a comment as well where a person asked for it. Undefined when the
 * thread takes none.
 */
export async function openVoice(
  context: RunContext,
  dependencies: RunDependencies,
  { review = {}, ci = {}, gate = {} }: VoiceStates = {},
): Promise<RunComment | undefined> {
  const { request, settings } = context;
  if (request.trigger === "gate") return orSilent(context, openGateVoice(context, gate));
  if (settings.enabled === "observe") return openObservation(context);
  const late = openLateVoice(context, commentOptions(context, dependencies), ci);
  if (late !== undefined) return { ...late, finish: (report) => unlessSilent(context, () => late.finish(report)) };
  const { origin: webUrl } = dependencies.links ?? DEFAULT_LINKS;
  if (request.trigger !== "review") {
    const spoken = await openComment(context, dependencies);
    return spoken === undefined ? undefined : joined(spoken, orSilent(context, keepingLost(context, { webUrl })));
  }
  const check = await openCheck(context, { state: review, webUrl });
  const comment = request.quiet === true ? undefined : await openComment(context, dependencies);
  return comment === undefined ? check : joined(comment, check);
}

/** A review whose check run cannot be written is made all the same. */
async function openCheck(context: RunContext, options: CheckVoiceOptions): Promise<RunComment> {
  try {
    return orSilent(context, await openCheckVoice(context, options));
  } catch (error) {
    if (!isSilent(error)) throw error;
    context.log.warn({ code: error.code, why: error.message }, "no check run can be written");
    return mute();
  }
}

function mute(): RunComment {
  return { progress() {}, finish: () => Promise.resolve(), [Symbol.dispose]() {} };
}

/** A check run that can no longer be written must not keep the run from its other last words. */
function orSilent({ log }: RunContext, check: RunComment): RunComment {
  return {
    ...check,
    async finish(report) {
      try {
        await check.finish(report);
      } catch (error) {
        if (!isSilent(error)) throw error;
        log.warn({ code: error.code, why: error.message }, "the check run could not be completed");
      }
    },
  };
}

function joined(comment: RunComment, check: RunComment): RunComment {
  return {
    progress: (progress) => comment.progress(progress),
    async finish(report) {
      await check.finish(report);
      await comment.finish(report);
    },
    [Symbol.dispose]() {
      check[Symbol.dispose]();
      comment[Symbol.dispose]();
    },
  };
}

/** A thread, or a commit, that takes no word any more is no failure of what was done. */
async function unlessSilent({ log }: RunContext, say: () => Promise<void>): Promise<void> {
  try {
    await say();
  } catch (error) {
    if (!isSilent(error)) throw error;
    log.warn({ code: error.code, why: error.message }, "what there was to say could not be shown");
  }
}

/** The run's comment; undefined when the thread takes none. */
async function openComment(context: RunContext, dependencies: RunDependencies): Promise<RunComment | undefined> {
  const { database } = dependencies;
  if (await isToldAlready(context, database)) {
    context.log.info({ actor: context.request.actor.login }, "the budget of the day is used up, as whoever asks was told today");
    return mute();
  }
  const ahead = await costAhead(context, database);
  try {
    const first = { finished: ["authorize"] as const, current: "check-out" as const, turn: 0, tokens: 0, elapsedMs: 0 };
    return await openRunComment({ ...commentOptions(context, dependencies), ...(ahead === undefined ? {} : { ahead }) }, first);
  } catch (error) {
    if (!isSilent(error)) throw error;
    if (dependencies.keep !== undefined) {
      context.log.warn({ code: error.code, why: error.message }, "the thread takes no comment; the run goes on without");
      return mute();
    }
    context.log.warn({ code: error.code, why: error.message }, "the thread takes no comment; the run ends here");
    return undefined;
  }
}

/** Says on the thread that the run waits for its turn. A thread that takes no comment is no reason not to run. */
export async function sayQueued(context: RunContext, dependencies: RunDependencies): Promise<void> {
  const { run, request, journal } = context;
  if (request.quiet === true) return;
  const pin = phaseResult(journal, "authorize")?.pin;
  using _scope = dependencies.scopes.register(run.id, () => scopeOf(request, pin, journal, context.submitting()));
  try {
    await openQueuedComment(commentOptions(context, dependencies));
  } catch (error) {
    if (!isSilent(error)) throw error;
  }
}

function commentOptions(
  { run, request, submit, outgoing, log, signal, journal }: RunContext,
  { markers, lastGapMs }: RunDependencies,
): RunCommentOptions {
  const reports = journal.entries.filter((entry) => entry.kind === "phase" && entry.phase === "report").length;
  const isThere = journal.entries.some((entry) => entry.kind === "outcome" && entry.key === stepKey(RUN_COMMENT, "comment"));
  const told = stepKey(reportKey(reports), "edit-own-comment");
  const isTold = journal.entries.some((entry) => entry.kind === "outcome" && entry.key === told);
  return { runId: run.id, request, submit, outgoing, markers, signal, log, reports, isThere, isTold, lastGapMs };
}

/** Bytes of last words that are kept besides GitHub. */
const LONGEST_KEPT = 200_000;

/** Brings the comment to the run's end, and records that end. */
export async function report(
  context: RunContext,
  dependencies: RunDependencies,
  comment: RunComment | undefined,
  ending: Ending,
): Promise<RunEnd> {
  const { database, handle } = dependencies;
  const question =
    database === undefined || handle === undefined ? undefined : await questionOf(context, storeApprovals(database), await handle());
  const memory = database === undefined || handle === undefined ? undefined : await memoryNote(context, database, await handle());
  const told = reportOf(context, dependencies, { ...ending, ...(question === undefined ? {} : { question }) });
  const { gaveUp, unread = [] } = ending;
  const receipt = await makeReceipt(context, dependencies, { end: told.end, unread });
  const said = {
    ...told,
    ...(memory === undefined ? {} : { memory: dependencies.mask(memory) }),
    ...(receipt === undefined ? {} : { receipt }),
  };
  dependencies.keep?.(said, cleanAndBound(renderReport(said), context.outgoing, LONGEST_KEPT, "the rest of it").text);
  try {
    await comment?.finish(said);
  } catch (error) {
    // The comment was deleted, or its thread was closed to us: what was done stays done.
    if (!isSilent(error)) throw error;
    context.log.warn({ code: error.code, why: error.message }, "the report could not be shown");
  }
  if (receipt !== undefined && context.request.trigger !== "review") await showReceipt(context, receipt);
  const kept = { ...(gaveUp ? { gaveUp } : {}), ...(unread.length === 0 ? {} : { unread }) };
  await endPhase(context.journal, "report", { end: said.end, at: context.now(), ...kept });
  context.tell({ kind: "ended", run: context.view, end: said.end });
  await tellAfter(context, dependencies, said.end);
  context.log.info({ end: said.end, turns: said.turns, ...said.usage }, "the run has ended");
  return said.end;
}

async function tellAfter({ view }: RunContext, { extensions }: RunDependencies, outcome: RunEnd): Promise<void> {
  extensions?.emit("run.finished", { run: view, outcome });
  extensions?.emit("job.changed", { run: view, state: outcome === "waiting" ? "waiting" : "ended" });
  await extensions?.act("run.after", () => view, view);
}

/** The last word of a run that people, or time, have ended. Whoever was not let in hears nothing. */
export async function conclude(
  run: Run,
  journal: Journal,
  ended: EndedFrom,
  signal: AbortSignal,
  dependencies: RunDependencies,
): Promise<RunEnd> {
  const { end, why } = wordsFor(ended);
  const authorized = phaseResult(journal, "authorize");
  if (authorized === undefined) return end;
  const earlier = phaseResult(journal, "report");
  if (earlier !== undefined && earlier.end !== "waiting") return earlier.end;
  const context = openRunContext(run, journal, signal, dependencies);
  using _scope = dependencies.scopes.register(run.id, () => scopeOf(run.request, authorized.pin, journal, context.submitting()));
  // A review that was ended before it had begun has said nothing, and says nothing now.
  const isUnheard = run.request.quiet === true && run.request.trigger !== "gate" && !hasCheck(context);
  using comment = isUnheard ? undefined : await openVoice(context, dependencies);
  return await report(context, dependencies, comment, { ended: { end, why } });
}

function wordsFor(ended: EndedFrom): { readonly end: RunEnd; readonly why: string } {
  switch (ended.kind) {
    case "stopped":
      return { end: "cancelled", why: `${ended.by} stopped it. What it had changed is kept on the run's page.` };
    case "denied":
      return { end: "blocked", why: `${ended.by} denied ${codeSpan(ended.approval)}.` };
    case "overtaken":
      return { end: "cancelled", why: `A newer commit is reviewed instead: ${ended.head.slice(0, 10)}.` };
    case "purged":
      return { end: "cancelled", why: "The bot's operator has deleted what was kept of this repository, and with it this run." };
    case "expired":
      return {
        end: "blocked",
        why: `${codeSpan(ended.approval)} has expired: nobody approved it in time. Ask again to have it tried anew.`,
      };
  }
}
