import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Claim, LaneName, Queue } from "./queue.ts";

/** Milliseconds between signs of life; a third of what a job may stay silent. */
const HEARTBEAT_EVERY = 3_000;

export interface LaneOptions {
  readonly name: LaneName;
  readonly queue: Queue;
  /** Jobs at once in this process. */
  readonly limit: number;
  /** Milliseconds between looks at the queue; what this process sends itself is announced with `wake`. */
  readonly pollEvery: number;
  readonly log: Logger;
  /**
   * Works on one job to its end, settling it. Never throws. The signal aborts when the lane stops (its reason is what `stop` was given)
   * or when the job was taken away (a `StaleAttemptError`).
   */
  readonly perform: (claim: Claim, signal: AbortSignal) => Promise<void>;
}

interface Active {
  readonly claim: Claim;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** One lane's worker: takes jobs while it has room, and says that it is alive while they run. */
export interface Lane {
  start(): void;
  /** Looks at the queue now. */
  wake(): void;
  /** Takes no more jobs, aborts the running ones with the reason, and waits for their end. Answers those that have not ended by then. */
  stop(reason: Error, graceMs: number): Promise<Claim[]>;
  isBusy(): boolean;
}

export function createLane({ name, queue, limit, pollEvery, log, perform }: LaneOptions): Lane {
  // A set: this process may claim a job again that was taken from it while it slept.
  const active = new Set<Active>();
  let timers: NodeJS.Timeout[] = [];
  let stopped: Error | undefined;
  let looked: Promise<void> = Promise.resolve();
  let isLooking = false;
  let lookAgain = false;
  let isFailing = false;

  const wake = (): void => {
    lookAgain = true;
    if (!isLooking) looked = look();
  };

  async function look(): Promise<void> {
    isLooking = true;
    while (lookAgain) {
      lookAgain = false;
      await takeJobs();
    }
    // Here and not in a later turn: a call of `wake` between the last look and this would be lost.
    isLooking = false;
  }

  async function takeJobs(): Promise<void> {
    const room = stopped === undefined ? limit - active.size : 0;
    if (room <= 0) return;
    try {
      const claims = await queue.claim(name, room);
      if (isFailing) log.info({ lane: name }, "the queue can be read again");
      isFailing = false;
      for (const claim of claims) begin(claim);
      if (claims.length > 0) lookAgain = true;
    } catch (error) {
      if (!isFailing) log.warn({ lane: name, error: messageOf(error) }, "the queue cannot be read");
      isFailing = true;
    }
  }

  function begin(claim: Claim): void {
    for (const earlier of active) if (earlier.claim.id === claim.id) abortStale(earlier);
    const controller = new AbortController();
    // Claimed while the lane was being stopped: it is handed back like any other.
    if (stopped !== undefined) controller.abort(stopped);
    const ended = perform(claim, controller.signal).finally(() => {
      active.delete(entry);
      wake();
    });
    const entry: Active = { claim, controller, ended };
    active.add(entry);
  }

  function abortStale({ claim, controller }: Active): void {
    controller.abort(new StaleAttemptError(claim.runId, claim.retryCount));
  }

  async function beat(): Promise<void> {
    const entries = [...active];
    if (entries.length === 0) return;
    try {
      const held = await queue.touch(
        name,
        entries.map(({ claim }) => claim),
      );
      // A job that has just been settled is not held either, and its signal is nobody's any more.
      for (const entry of entries) if (!held.has(entry.claim.id)) abortStale(entry);
    } catch (error) {
      // Nothing is known about the claims; the journal's fence decides.
      log.warn({ lane: name, error: messageOf(error) }, "a sign of life could not be written");
    }
  }

  async function drain(): Promise<void> {
    // A look under way may still bring jobs; they come aborted.
    await looked;
    await Promise.all([...active].map(({ ended }) => ended));
  }

  return {
    start() {
      timers = [setInterval(wake, pollEvery), setInterval(() => void beat(), HEARTBEAT_EVERY)];
      wake();
    },
    wake,
    isBusy: () => active.size > 0 || isLooking,
    async stop(reason, graceMs) {
      stopped = reason;
      for (const { controller } of active) controller.abort(reason);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([drain(), late]);
      clearTimeout(timer);
      for (const each of timers) clearInterval(each);
      return [...active].map(({ claim }) => claim);
    },
  };
}
