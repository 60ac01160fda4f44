import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { Executor } from "../../store/sql.ts";
import { noteWorker, removeWorker } from "../../store/workers.ts";

/** Milliseconds between two words. */
const EVERY = 30_000;

/**
 * Says in the database, now and every half minute, that this process takes runs, and takes it back when it is disposed. Only people read it:
 * who holds a run is the queue's business. Never throws.
 */
export function announceWorker({
  database,
  log,
  version,
  slots,
}: {
  readonly database: Executor;
  readonly log: Logger;
  readonly version: string;
  readonly slots: number;
}): AsyncDisposable {
  const worker = { id: randomUUID(), host: hostname(), version, slots };
  const attempt = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.debug({ error: messageOf(error) }, "the list of workers was not brought up to date"));
  let said = attempt(noteWorker(database, worker));
  const timer = setInterval(() => {
    said = said.then(() => attempt(noteWorker(database, worker)));
  }, EVERY);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await said;
      await attempt(removeWorker(database, worker.id));
    },
  };
}
