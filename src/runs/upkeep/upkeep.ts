import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { AppDeliveries } from "../../github/app-deliveries.ts";
import { GitHubError } from "../../github/errors.ts";
import { beginChore, databaseNow, endChore } from "../../store/chores.ts";
import { forgottenSince } from "../../store/forget.ts";
import { prune } from "../../store/retention.ts";
import type { Database } from "../../store/sql.ts";
import { recoverDeliveries } from "./recover-deliveries.ts";

/** Milliseconds between looks at what is due. */
const LOOK_EVERY = 30_000;
/** Milliseconds without a look after which this machine has slept. */
const SLEPT_AFTER = 180_000;
const RECOVER_EVERY = 3_600_000;
const PRUNE_EVERY = 6 * 3_600_000;

export interface UpkeepOptions {
  readonly database: Database;
  readonly log: Logger;
  /** Days for which runs are kept. */
  readonly days: number;
  /** Removes this machine's copies of a repository that was forgotten. */
  readonly removeCopies: (repositoryId: number) => Promise<void>;
  /** Where this process takes deliveries, and so looks for those that did not arrive. */
  readonly deliveries?: AppDeliveries;
  readonly onAsked?: (outcome: "asked" | "refused") => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What is done by and by, beside the runs, until it is disposed. */
export interface Upkeep extends AsyncDisposable {
  /** A delivery could not be stored: there was an outage, and the next look asks GitHub what was lost. */
  deliveryLost(): void;
  /** Does what is due now. Never throws. */
  look(): Promise<void>;
}

/**
 * Looks every half minute for what is due: lost deliveries (at the start, after an outage or a long sleep, and every hour), what is kept no
 * longer, copies of forgotten repositories. Of all processes on a database one does what concerns them all.
 */
export function startUpkeep({ database, log, days, removeCopies, deliveries, onAsked, now = Date.now }: UpkeepOptions): Upkeep {
  const ending = new AbortController();
  /** Deliveries may have been lost since they were last looked at. */
  let wanted = true;
  let looked = now();
  let forgotten = 0;
  let isMissing = false;
  let working: Promise<void> = Promise.resolve();

  async function recover(): Promise<void> {
    if (deliveries === undefined || isMissing) return;
    const isWanted = wanted;
    // Before the work: what is lost meanwhile is wanted anew.
    wanted = false;
    try {
      const clock = await databaseNow(database);
      const begun = await beginChore(database, "redeliveries", isWanted ? clock : new Date(clock.getTime() - RECOVER_EVERY));
      if (begun === undefined) return;
      const options = { deliveries, database, log, signal: ending.signal, ...(onAsked === undefined ? {} : { onAsked }) };
      const asked = await recoverDeliveries(begun.reached, options);
      if (asked > 0) log.info({ count: asked }, "deliveries that did not arrive were asked for again");
    } catch (error) {
      if (!(error instanceof GitHubError) || error.code !== "not-found") {
        wanted = true;
        throw error;
      }
      isMissing = true;
      log.info({}, "this GitHub lists no deliveries: what was lost in an outage has to be sent again by hand");
    }
  }

  async function tidy(): Promise<void> {
    const clock = await databaseNow(database);
    if ((await beginChore(database, "retention", new Date(clock.getTime() - PRUNE_EVERY))) === undefined) return;
    const pruned = await prune(database, { days, signal: ending.signal });
    await endChore(database, "retention", clock);
    log.info(pruned, "what is kept no longer was removed");
  }

  async function removeForgotten(): Promise<void> {
    const gone = await forgottenSince(database, forgotten);
    for (const id of gone.ids) await removeCopies(id);
    forgotten = gone.position;
  }

  async function lookOnce(): Promise<void> {
    if (now() - looked > SLEPT_AFTER) wanted = true;
    looked = now();
    for (const [what, work] of Object.entries({ recover, tidy, removeForgotten })) {
      if (ending.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (!ending.signal.aborted) log.warn({ what, error: messageOf(error) }, "upkeep was not done and is tried again");
      }
    }
  }

  const look = (): Promise<void> => (working = working.then(lookOnce));
  const timer = setInterval(() => void look(), LOOK_EVERY).unref();
  void look();
  return {
    deliveryLost() {
      wanted = true;
    },
    look,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      ending.abort();
      await working;
    },
  };
}
