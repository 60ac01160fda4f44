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
  const active = new Map<string, Active>();
  let timers: NodeJS.Timeout[] = [];
  let stopped: Error | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let isFailing = false;

  const wake = (): void => {
    lookAgain = true;
    looking ??= look().finally(() => (looking = undefined));
  };

  async function look(): Promise<void> {
    while (lookAgain) {
      if (stopped !== undefined) return;
      lookAgain = false;
      const room = limit - active.size;
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
        return;
      }
    }
  }

  function begin(claim: Claim): void {
    const controller = new AbortController();
    // Claimed while the lane was being stopped: it is handed back like any other.
    if (stopped !== undefined) controller.abort(stopped);
    const ended = perform(claim, controller.signal).finally(() => {
      active.delete(claim.id);
      wake();
    });
    active.set(claim.id, { claim, controller, ended });
  }

  async function beat(): Promise<void> {
    const claims = [...active.values()].map(({ claim }) => claim);
    if (claims.length === 0) return;
    try {
      const held = await queue.touch(name, claims);
      for (const { id, runId, retryCount } of claims) {
        // A job that has just been settled is not held either, and its signal is nobody's any more.
        if (!held.has(id)) active.get(id)?.controller.abort(new StaleAttemptError(runId, retryCount));
      }
    } catch (error) {
      // Nothing is known about the claims; the journal's fence decides.
      log.warn({ lane: name, error: messageOf(error) }, "a sign of life could not be written");
    }
  }

  async function drain(): Promise<void> {
    // A look under way may still bring jobs; they come aborted.
    await looking;
    await Promise.all([...active.values()].map(({ ended }) => ended));
  }

  return {
    start() {
      timers = [setInterval(wake, pollEvery), setInterval(() => void beat(), HEARTBEAT_EVERY)];
      wake();
    },
    wake,
    isBusy: () => active.size > 0 || looking !== undefined,
    async stop(reason, graceMs) {
      stopped = reason;
      for (const { controller } of active.values()) controller.abort(reason);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      await Promise.race([drain(), late]);
      clearTimeout(timer);
      for (const each of timers) clearInterval(each);
      return [...active.values()].map(({ claim }) => claim);
    },
  };
}
