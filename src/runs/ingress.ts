import { SallyportError } from "../core/errors.ts";
import type { RunRequest } from "../core/run.ts";
import type { Database } from "../store/sql.ts";
import { acceptDeliveries, threadKey, type Acceptance } from "../store/runs.ts";
import type { NewJob, Queue } from "./queue.ts";

/** Requests stored by one commit: beyond twenty the gain is small. */
const BATCH = 32;

interface Waiting {
  readonly request: RunRequest;
  readonly resolve: (acceptance: Acceptance) => void;
  readonly reject: (error: unknown) => void;
}

/** The durable way in: what comes at once, or while a commit is under way, shares the next one. */
export interface Ingress {
  /** Resolves once delivery, run and job are stored. */
  enqueue(request: RunRequest): Promise<Acceptance>;
  /** Refuses what comes from now on and waits for what is under way. */
  close(): Promise<void>;
}

export interface IngressOptions {
  readonly database: Database;
  readonly queue: Queue;
  /** Called after each commit that made a job. */
  readonly onAccepted: () => void;
}

export function createIngress({ database, queue, onAccepted }: IngressOptions): Ingress {
  const waiting: Waiting[] = [];
  let flushed: Promise<void> = Promise.resolve();
  let isFlushing = false;
  let isClosed = false;

  async function flush(): Promise<void> {
    isFlushing = true;
    for (;;) {
      await allArrived();
      const batch = waiting.splice(0, BATCH);
      if (batch.length === 0) break;
      try {
        await storeAll(batch);
      } catch (error) {
        // One request that cannot be stored must not take its neighbours along; an absent database takes all.
        if (batch.length === 1 || !isDataError(error)) for (const { reject } of batch) reject(error);
        else for (const each of batch) await storeAll([each]).catch(each.reject);
      }
    }
    // Here and not in a later turn: a request that comes between the last look and this would wait for ever.
    isFlushing = false;
  }

  async function storeAll(batch: readonly Waiting[]): Promise<void> {
    const acceptances = await acceptDeliveries(
      database,
      batch.map(({ request }) => request),
      (runs, within) =>
        queue.sending(
          "acts",
          runs.map(({ id, request }) => jobOf(id, request)),
          within,
        ),
    );
    if (acceptances.some(({ status }) => status === "accepted")) onAccepted();
    for (const [index, acceptance] of acceptances.entries()) batch[index]?.resolve(acceptance);
  }

  return {
    enqueue(request) {
      if (isClosed) return Promise.reject(new SallyportError("The engine is stopping.", { code: "engine-stopped" }));
      const { promise, resolve, reject } = Promise.withResolvers<Acceptance>();
      waiting.push({ request, resolve, reject });
      if (!isFlushing) flushed = flush();
      return promise;
    },
    async close() {
      isClosed = true;
      await flushed;
    },
  };
}

/**
 * When everything has been read that is there to be read. The embedded database works on this very thread: without a look at the sockets in between,
 * each request would have a commit of its own.
 */
const allArrived = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The job of a run, in whichever lane. */
export function jobOf(runId: string, request: RunRequest): NewJob {
  return { runId, thread: threadKey(request), installationId: request.repository.installationId };
}

/**
 * The statement was understood and a value refused: SQLSTATE classes 22 (data), 23 (constraints) and 54 (limits, such as an index's).
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isDataError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^(?:22|23|54)...$/.test(error.code);
}
