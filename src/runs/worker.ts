import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Logger } from "../core/log.ts";
import type { Run, RunEnd, RunRequest } from "../core/run.ts";
import type { Database, Executor } from "../store/sql.ts";
import {
  changeRequest,
  forgetRun,
  settle,
  takeForAcceptance,
  takeForConclusion,
  takeForWork,
  type Ending,
  type StoredRun,
  type Taken,
} from "../store/runs.ts";
import { jobOf } from "./ingress.ts";
import { openJournal } from "./journal.ts";
import { askedPause, countedAs, isSaidLater, isTriedAgain, pauseBefore, whySpent, type Counted } from "./patience.ts";
import type { Claim, LaneName, Queue } from "./queue.ts";
import { RunEndedError, RunPausedError, type Followed } from "./tend.ts";

/** Seconds after which a run looks again whether its thread is free. */
const BUSY_DELAY = 1;

/** What a worker does with a run. */
export interface Steps {
  /**
   * The first step of each run, at once beside all others: permission, pin, eyes. `go` queues the run for work, `drop` forgets it
   * (its delivery stays known), an end state ends it here (a command that is answered), another request queues the run with that one (a
   * command that becomes a run). Repeated after a crash with the same journal.
   */
  accept(run: Run, journal: Journal, signal: AbortSignal): Promise<"go" | "drop" | RunEnd | { readonly go: RunRequest }>;
  /**
   * The work. What it answers is the run's end. What it throws is an error of the engine's, for which the run is tried again. The signal
   * aborts when this process stops (the run is handed back) or has lost the run (a `StaleAttemptError`): write nothing more, throw.
   */
  execute(run: Run, journal: Journal, signal: AbortSignal): Promise<RunEnd>;
  /** The last word of a run that people, or time, have ended before it could end itself; answers the end. */
  conclude(run: Run, journal: Journal, ending: Ending, signal: AbortSignal): Promise<RunEnd>;
  /** Says on the thread that the run is given up. A run that was not let in (no `authorize` phase in its journal) must stay silent. */
  abandon(run: Run, journal: Journal, error: unknown): Promise<void>;
  /** Seconds before the next try, by the number of tries so far (from 1), and the seconds that GitHub asked for. */
  readonly backoff?: (tries: number, asked: number) => number;
}

export interface WorkerOptions extends Steps {
  readonly database: Database;
  readonly queue: Queue;
  readonly log: Logger;
  /** Called after a commit that made or freed a job of the lane. */
  readonly wake: (lane: LaneName) => void;
  /** Tells when a run at work here is ended from outside. */
  readonly follow: (runId: string) => Followed;
}

/** Takes runs by their jobs, walks them one step, and settles run and job in one transaction. */
export interface Worker {
  /** One job to its end. Never throws. */
  perform(lane: LaneName, claim: Claim, signal: AbortSignal): Promise<void>;
  /** Hands back a run whose step does not end; what the step still does is fenced off. */
  handBack(lane: LaneName, claim: Claim): Promise<void>;
}

/** A step's end: what is recorded of the run. The job is completed with it. Answers `waits` when the run keeps its place in its thread's line. */
type End = (tx: Executor) => Promise<unknown>;

export function createWorker(options: WorkerOptions): Worker {
  const { database, queue, log, wake, backoff = pauseBefore } = options;
  const held = new Map<Claim, StoredRun>();

  async function perform(lane: LaneName, claim: Claim, signal: AbortSignal): Promise<void> {
    try {
      const taken = await take(lane, claim.runId);
      if (taken.status === "gone") return await database.transaction((tx) => queue.complete(lane, claim, tx));
      if (taken.status === "busy") return await database.transaction((tx) => queue.putBack(lane, claim, BUSY_DELAY, tx));
      held.set(claim, taken.run);
      await walk(lane, claim, taken.run, signal);
      wake("runs");
    } catch (error) {
      // Nothing could be recorded: the claim falls silent and the run is taken again when its heartbeat is missed.
      if (error instanceof StaleAttemptError) log.warn({ run: claim.runId, lane }, "a run was taken over by another worker");
      else log.error({ run: claim.runId, lane, error: messageOf(error) }, "a run's step could not be settled");
    } finally {
      held.delete(claim);
    }
  }

  async function take(lane: LaneName, runId: string): Promise<Taken> {
    if (lane === "runs") return takeForWork(database, runId);
    const taken = await takeForAcceptance(database, runId);
    return taken.status === "gone" ? takeForConclusion(database, runId) : taken;
  }

  async function walk(lane: LaneName, claim: Claim, run: StoredRun, signal: AbortSignal): Promise<void> {
    const journal = await openJournal(database, run);
    const finish = (end: End): Promise<void> =>
      database.transaction(async (tx) => {
        const place = await end(tx);
        await queue.complete(lane, claim, tx);
        // The thread may be free now for one that waits for its turn.
        if (place !== "waits") await queue.hasten(run.thread, tx);
      });
    const spent = whySpent(run);
    const later = (counted: Counted, error: unknown): Promise<void> =>
      database.transaction(async (tx) => {
        await settle(tx, run, { kind: counted });
        const tries = counted === "setback" ? run.setbacks : run.failures;
        await queue.putBack(lane, claim, backoff(tries + 1, askedPause(error)), tx);
      });
    let end: End;
    try {
      if (spent !== undefined) throw spent;
      signal.throwIfAborted();
      end = await (run.acceptedAt === undefined ? accept : execute)(run, journal, signal);
    } catch (error) {
      if (error instanceof StaleAttemptError || signal.reason instanceof StaleAttemptError) throw error;
      if (signal.aborted || error instanceof RunPausedError) return await release(lane, claim, run);
      const counted = countedAs(error);
      if (spent === undefined && isTriedAgain(run, counted)) {
        log.warn({ run: run.id, lane, counted, error: messageOf(error) }, "a run met an engine error and is tried again");
        return await later(counted, error);
      }
      log.error({ run: run.id, lane, error: messageOf(error) }, "a run is given up");
      const unsaid = await giveUp(run, journal, error);
      // The count that has ended it goes on, so that nothing but the last words is tried again.
      if (unsaid !== undefined) return await later(spent === undefined ? counted : "setback", unsaid);
      end = (tx) => settle(tx, run, { kind: "ended", state: "failed" });
    }
    await finish(end);
  }

  async function accept(run: StoredRun, journal: Journal, signal: AbortSignal): Promise<End> {
    // Stopped before it was let in. What ends runs is itself no run that could be ended.
    if (run.ending !== undefined && run.request.trigger !== "command") {
      // Nobody has looked at it: there is nothing to say. Else a process died that may have said that it is queued.
      const state = journal.entries.length === 0 ? "cancelled" : await options.conclude(run, journal, run.ending, signal);
      return (tx) => settle(tx, run, { kind: "ended", state });
    }
    const answer = await options.accept(run, journal, signal);
    log.info({ run: run.id, answer }, "a run was judged");
    if (answer === "drop") return (tx) => forgetRun(tx, run);
    if (answer !== "go" && typeof answer === "string") return (tx) => settle(tx, run, { kind: "ended", state: answer });
    return async (tx) => {
      if (answer !== "go") await changeRequest(tx, run, answer.go);
      await settle(tx, run, { kind: "accepted" });
      await queue.send("runs", [jobOf(run.id, answer === "go" ? run.request : answer.go)], tx);
      return answer === "go" ? "waits" : undefined;
    };
  }

  async function execute(run: StoredRun, journal: Journal, signal: AbortSignal): Promise<End> {
    const state = run.ending === undefined ? await work(run, journal, signal) : await options.conclude(run, journal, run.ending, signal);
    log.info({ run: run.id, state }, "a run ended");
    return (tx) => settle(tx, run, { kind: "ended", state });
  }

  async function work(run: StoredRun, journal: Journal, signal: AbortSignal): Promise<RunEnd> {
    using followed = options.follow(run.id);
    try {
      return await options.execute(run, journal, AbortSignal.any([signal, followed.signal]));
    } catch (error) {
      const ended: unknown = followed.signal.reason;
      if (ended instanceof RunPausedError && !(error instanceof StaleAttemptError)) throw ended;
      if (error instanceof StaleAttemptError || signal.aborted || !(ended instanceof RunEndedError)) throw error;
      return await options.conclude(run, journal, ended.ending, signal);
    }
  }

  /** Says that the run is given up; answers what kept it from being said where that will pass. Else the run fails without a word. */
  async function giveUp(run: StoredRun, journal: Journal, error: unknown): Promise<unknown> {
    try {
      await options.abandon(run, journal, error);
      return undefined;
    } catch (failure) {
      if (failure instanceof StaleAttemptError) throw failure;
      const isLater = isSaidLater(run, failure);
      log.error({ run: run.id, isLater, error: messageOf(failure) }, "a run that was given up could not be reported");
      return isLater ? failure : undefined;
    }
  }

  async function release(lane: LaneName, claim: Claim, run: StoredRun): Promise<void> {
    await database.transaction(async (tx) => {
      await settle(tx, run, { kind: "released" });
      await queue.putBack(lane, claim, 0, tx);
    });
    log.info({ run: run.id, lane }, "a run was handed back");
  }

  return {
    perform,
    async handBack(lane, claim) {
      const run = held.get(claim);
      if (run === undefined) return;
      try {
        await release(lane, claim, run);
      } catch (error) {
        log.warn({ run: run.id, lane, error: messageOf(error) }, "a run could not be handed back and waits for its heartbeat to be missed");
      }
    },
  };
}
