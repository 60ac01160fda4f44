import { messageOf, SallyportError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { callEnded, endingsOf, releaseAnswered } from "../store/endings.ts";
import { pausedOf } from "../store/pauses.ts";
import type { Ending } from "../store/runs.ts";
import type { Database } from "../store/sql.ts";
import { jobOf } from "./ingress.ts";
import type { LaneName, Queue } from "./queue.ts";

/** Milliseconds between looks at what people have said: `stop` counts within five seconds, whatever process it reached. */
const LOOK_EVERY = 1_000;

/** A run that was ended from outside while it was at work here. */
export class RunEndedError extends SallyportError {
  readonly ending: Ending;

  constructor(runId: string, ending: Ending) {
    super(`Run ${runId} was ended from outside (${ending.kind}).`, { code: "run-ended" });
    this.ending = ending;
  }
}

/** A run that is at work here and is to wait until its installation is released: it is handed back. */
export class RunPausedError extends SallyportError {
  constructor(runId: string) {
    super(`Run ${runId} is paused.`, { code: "run-paused" });
  }
}

/** A run at work in this process, followed until it is disposed. */
export interface Followed extends Disposable {
  /** Aborts with a `RunEndedError` once people, or time, have ended the run; with a `RunPausedError` when it is to wait. */
  readonly signal: AbortSignal;
}

/**
 * Looks after runs in the database on which people act: those at work here that were stopped, queued ones that were ended, and waiting ones
 * whose question was answered. Commands only write down what they mean; nothing of it is lost when a process dies in between.
 */
export interface Tending {
  start(): void;
  stop(): Promise<void>;
  /** Looks now. Never throws. */
  look(): Promise<void>;
  follow(runId: string): Followed;
}

export interface TendOptions {
  readonly database: Database;
  readonly queue: Queue;
  readonly log: Logger;
  /** Called after a commit that made jobs of the lane. */
  readonly wake: (lane: LaneName) => void;
}

export function createTending({ database, queue, log, wake }: TendOptions): Tending {
  const followed = new Map<string, Set<AbortController>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isFailing = false;

  async function abortEnded(): Promise<void> {
    if (followed.size === 0) return;
    for (const [id, ending] of await endingsOf(database, [...followed.keys()]))
      for (const controller of followed.get(id) ?? []) controller.abort(new RunEndedError(id, ending));
    for (const id of await pausedOf(database, [...followed.keys()]))
      for (const controller of followed.get(id) ?? []) controller.abort(new RunPausedError(id));
  }

  async function makeJobs(): Promise<void> {
    const [acts, runs] = await database.transaction(async (tx) => {
      const released = await releaseAnswered(tx);
      const ended = await callEnded(tx);
      const jobs = (called: typeof ended) => called.map(({ id, request }) => jobOf(id, request));
      if (ended.length > 0) await queue.send("acts", jobs(ended), tx);
      if (released.length > 0) await queue.send("runs", jobs(released), tx);
      return [ended.length, released.length];
    });
    if (acts > 0) wake("acts");
    if (runs > 0) wake("runs");
  }

  async function lookOnce(): Promise<void> {
    try {
      await abortEnded();
      await makeJobs();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: messageOf(error) }, "what people said about runs could not be read");
      isFailing = true;
    }
  }

  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  };
  return {
    start() {
      timer = setInterval(() => void look(), LOOK_EVERY);
      void look();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
    look,
    follow(runId) {
      const controller = new AbortController();
      const of = followed.get(runId) ?? new Set();
      followed.set(runId, of.add(controller));
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          of.delete(controller);
          if (of.size === 0) followed.delete(runId);
        },
      };
    },
  };
}
